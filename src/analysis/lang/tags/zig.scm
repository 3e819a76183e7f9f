; Zig. See src/analysis/lang/tags/mod.rs for the captures.

(variable_declaration (identifier) @name (builtin_function (builtin_identifier) @_word)
  (#any-of? @_word "@import" "@cImport")) @definition.ignored
(variable_declaration . (identifier) @name [
  (struct_declaration) (union_declaration) (enum_declaration) (opaque_declaration)]) @definition.class
(variable_declaration . (identifier) @name (error_set_declaration)) @definition.type
(source_file (variable_declaration "const" . (identifier) @name) @definition.constant)
(source_file (variable_declaration "var" . (identifier) @name) @definition.variable)
(struct_declaration (variable_declaration . (identifier) @name) @definition.field)
(union_declaration (variable_declaration . (identifier) @name) @definition.field)
(enum_declaration (variable_declaration . (identifier) @name) @definition.field)
(container_field name: (identifier) @name type: [
  (identifier) @type
  (pointer_type (identifier) @type)
  (nullable_type (identifier) @type)
  (nullable_type (pointer_type (identifier) @type))]) @definition.field
(container_field name: (identifier) @name) @definition.field
(function_declaration name: (identifier) @name) @definition.function

(variable_declaration . (identifier) @alias (builtin_function
  (builtin_identifier) @_word (arguments (string (string_content) @path))) (#eq? @_word "@import"))
(parameter name: (identifier) @local type: [
  (identifier) @type
  (pointer_type (identifier) @type)
  (field_expression member: (identifier) @type)])
(parameter name: (identifier) @local)
(block (variable_declaration . (identifier) @local type: [(identifier) @type (pointer_type (identifier) @type)]))
(block (variable_declaration . (identifier) @local))
(payload (identifier) @local)

(call_expression function: (identifier) @name) @reference.call
(call_expression function: (field_expression object: (_) @receiver member: (identifier) @name)) @reference.call
(struct_initializer (identifier) @name) @reference.type
(struct_initializer (field_expression member: (identifier) @name)) @reference.type
(parameter type: (identifier) @name) @reference.type
(parameter type: (field_expression member: (identifier) @name)) @reference.type
(pointer_type (identifier) @name) @reference.type
(nullable_type (identifier) @name) @reference.type
(slice_type (identifier) @name) @reference.type
(container_field type: (identifier) @name) @reference.type
(function_declaration type: (identifier) @name) @reference.type
(error_union_type ok: (identifier) @name) @reference.type

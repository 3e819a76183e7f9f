; Dart. See src/analysis/lang/tags/mod.rs for the captures.

(class_declaration name: (identifier) @name) @definition.class
(mixin_declaration name: (identifier) @name) @definition.class
(extension_declaration name: (identifier) @name) @definition.class
(enum_declaration name: (identifier) @name) @definition.class
(enum_entry name: (identifier) @name) @definition.variant
(type_alias . (type_identifier) @name) @definition.type

(function_declaration signature: (function_signature name: (identifier) @name)) @definition.function
(local_function_declaration (function_signature name: (identifier) @name)) @definition.function
(method_declaration signature: (method_signature (getter_signature
  return_type: (type . (type_identifier) @type) name: (identifier) @name))) @definition.function
(method_declaration signature: (method_signature [
  (function_signature name: (identifier) @name)
  (getter_signature name: (identifier) @name)
  (setter_signature name: (identifier) @name)
  (constructor_signature name: (identifier) @name . parameters: (_))
  (factory_constructor_signature name: (identifier) @name . parameters: (_))])) @definition.function
(declaration [
  (function_signature name: (identifier) @name)
  (getter_signature name: (identifier) @name)
  (setter_signature name: (identifier) @name)
  (constructor_signature name: (identifier) @name . parameters: (_))
  (constant_constructor_signature name: (identifier) @name . parameters: (_))]) @definition.function
(getter_declaration signature: (getter_signature
  return_type: (type . (type_identifier) @type) name: (identifier) @name)) @definition.function
(getter_declaration signature: (getter_signature name: (identifier) @name)) @definition.function
(setter_declaration signature: (setter_signature name: (identifier) @name)) @definition.function

(declaration (type . (type_identifier) @type)
  (initialized_identifier_list (initialized_identifier name: (identifier) @name) @definition.field))
(declaration (initialized_identifier_list (initialized_identifier name: (identifier) @name) @definition.field))
(declaration (static_final_declaration_list (static_final_declaration name: (identifier) @name) @definition.field))
(top_level_variable_declaration type: (type . (type_identifier) @type)
  (static_final_declaration_list (static_final_declaration name: (identifier) @name) @definition.constant))
(top_level_variable_declaration
  (static_final_declaration_list (static_final_declaration name: (identifier) @name) @definition.constant))
(top_level_variable_declaration
  (initialized_identifier_list (initialized_identifier name: (identifier) @name) @definition.variable))

(formal_parameter (type . (type_identifier) @type) name: (identifier) @local)
(formal_parameter [name: (identifier) @local (identifier) @local])
(initialized_variable_declaration (type . (type_identifier) @type) name: (identifier) @local)
(initialized_variable_declaration
  name: (identifier) @local
  value: (call_expression function: (identifier) @type (#match? @type "^_?[A-Z]")))
(initialized_variable_declaration
  name: (identifier) @local
  value: [
    (new_expression type: (type (type_identifier) @type))
    (const_object_expression type: (type (type_identifier) @type))])
(initialized_variable_declaration name: (identifier) @local)
(for_statement name: (identifier) @local)
(catch_clause exception: (identifier) @local)

(superclass (type . (type_identifier) @name)) @reference.extends
(mixins (type . (type_identifier) @name)) @reference.extends
(interfaces (type . (type_identifier) @name)) @reference.implements
(extension_declaration class: (type . (type_identifier) @name)) @reference.type
(call_expression function: (identifier) @name) @reference.call
(call_expression function: (member_expression object: (_) @receiver property: (identifier) @name)) @reference.call
(cascade_call_expression property: (identifier) @name) @reference.member
(new_expression type: (type (type_identifier) @name)) @reference.call
(const_object_expression type: (type (type_identifier) @name)) @reference.call
(type_identifier) @name @reference.type
(annotation name: (identifier) @name) @reference.call

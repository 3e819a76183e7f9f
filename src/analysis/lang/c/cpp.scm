
; C++: what it adds to C, and what it has otherwise.

[(access_specifier) (using_declaration) (concept_definition)
 (static_assert_declaration) (lambda_capture_specifier) (virtual_specifier) (noexcept)] @skip
(namespace_definition name: (_)? @name body: (_) @body) @hook.namespace
(namespace_alias_definition) @hook.namespace_alias
(template_declaration parameters: (_) @parameters) @hook.template
(friend_declaration) @hook.friend
(alias_declaration name: (_) @name type: (_) @type) @hook.alias

; Definitions

(function_definition type: (_)? @type declarator: (_) @declarator body: (_)? @body) @hook.function_or_method
(declaration type: (_)? @type declarator: (_)* @declarator) @hook.declaration_or_member
(field_declaration type: (_) @type declarator: (_)* @declarator) @hook.field_or_method
([(class_specifier) (struct_specifier)]
  name: (_)? @name
  (base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @extends)?
  body: (_)? @body) @hook.record

; Statements

(for_range_loop
  type: (_)? @type
  declarator: (identifier) @name
  declarator: (reference_declarator (identifier) @name)
  declarator: (pointer_declarator declarator: (identifier) @name)
  right: (_) @right
  body: (_) @body) @hook.for_range
[(catch_clause) (try_statement)] @block
[(if_statement) (switch_statement) (while_statement)] @hook.conditional
(throw_statement (_)? @value) @raise

; Expressions

(this) @receiver
(call_expression function: (_) @function arguments: (_) @arguments) @hook.call
(qualified_identifier) @hook.qualified
(template_function name: (_) @name arguments: (_) @type_arguments) @name
(field_expression
  argument: (_) @object
  field: (field_identifier) @name
  field: (template_method name: (_) @name arguments: (_) @type_arguments)) @member
(new_expression type: (_) @type arguments: (_)? @arguments) @hook.new
(field_initializer) @hook.field_initializer
(lambda_expression
  declarator: (abstract_function_declarator parameters: (_) @parameters)
  body: (_) @body) @lambda
([(parameter_declaration) (optional_parameter_declaration)]
  type: (_) @type
  declarator: (identifier) @name
  declarator: (reference_declarator (identifier) @name)
  declarator: (pointer_declarator declarator: (identifier) @name)) @parameter

(number_literal) @hook.number
([(string_literal) (concatenated_string) (raw_string_literal)] @literal (#set! type "const char*"))
((user_defined_literal) @literal)
((char_literal) @literal (#set! type "char"))
((null) @literal (#set! type "nullptr_t"))
((sizeof_expression) @literal (#set! type "size_t"))

(binary_expression) @hook.binary
[(unary_expression) (update_expression) (pointer_expression)] @hook.unary
(subscript_expression argument: (_) @object) @hook.subscript
(assignment_expression left: (_) @left right: (_) @right) @hook.assignment

; Types

(qualified_identifier) @type.hook.qualified
(template_type name: (_) @type arguments: (_) @type_arguments) @type.apply
[(primitive_type) (sized_type_specifier)] @type.hook.primitive
(type_descriptor) @type.hook.descriptor
(dependent_type (_) @type) @type.group
[(class_specifier) (struct_specifier) (union_specifier) (enum_specifier)] @type.hook.tag

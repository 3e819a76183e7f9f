; Kotlin. See src/analysis/lang/common/patterns.rs for the notation.

(package_header (qualified_identifier) @name) @package
(import) @hook.import

; Types

(class_declaration
  (modifiers (annotation) @decorator)? @modifiers
  name: (_) @name
  (type_parameters)? @type_parameters
  (primary_constructor (class_parameters) @parameters)?
  (delegation_specifiers (delegation_specifier (_) @extends))?
  (delegation_specifiers (delegation_specifier (constructor_invocation (value_arguments) @arguments)))?
  [(class_body) (enum_class_body)]? @body) @hook.type
(object_declaration
  (modifiers (annotation) @decorator)? @modifiers
  name: (_) @name
  (delegation_specifiers (delegation_specifier (_) @extends))?
  (class_body)? @body) @hook.type
(companion_object (class_body)? @value) @argument
[(class_body) (enum_class_body)] @sequence
(enum_entry (identifier) @name (value_arguments)? @arguments (class_body)? @body) @definition.variant
(type_alias type: (_) @name [(user_type) (nullable_type) (function_type)] @type) @definition.alias
(type_parameter (identifier) @name (user_type)? @bound) @type_parameter

; Members and functions

(function_declaration
  (modifiers (annotation) @decorator)? @modifiers
  (type_parameters)? @type_parameters
  name: (_) @name
  (function_value_parameters (parameter) @parameters)
  [(user_type) (nullable_type)]? @result
  (function_body (_) @body)?) @hook.function
(property_declaration
  (modifiers (annotation) @decorator)? @modifiers
  (variable_declaration (identifier) @name)
  (variable_declaration [(user_type) (nullable_type)] @type)?
  [(getter) (setter)]* @body) @hook.property
((variable_declaration (identifier) @name [(user_type) (nullable_type)]? @type) @hook.variable
  (#set! parameter "name"))
(class_parameter
  (modifiers (annotation) @decorator)?
  (identifier) @name
  [(user_type) (nullable_type) (function_type)] @type) @parameter
(parameter (identifier) @name [(user_type) (nullable_type) (function_type)] @type) @parameter
[(secondary_constructor) (anonymous_initializer) (getter) (setter)] @block
(function_body) @sequence

; Statements

(block) @block
(for_statement) @hook.for
(catch_block) @hook.for
(return_expression (_)? @value) @return
(throw_expression (_) @value) @raise
(assignment left: (_) @left right: (_) @right) @assign

; Expressions

(identifier) @name
(this_expression) @receiver
(super_expression) @parent
(navigation_expression . (_) @object (identifier) @name .) @member
(call_expression
  . (_) @function
  [(value_arguments) (annotated_lambda)] @arguments
  (type_arguments)? @type_arguments) @call
(value_argument (_) @value .) @argument
(lambda_literal (lambda_parameters (variable_declaration) @parameters)? (_) @body) @lambda
(object_literal
  (delegation_specifiers (delegation_specifier (_) @type))?
  (class_body) @body) @new
(index_expression . (_) @object) @index
(as_expression left: (_) @value right: (_) @type) @cast
(binary_expression left: (_) @value right: (_) @value) @either
(parenthesized_expression) @group
; The grammar takes `annotation class A` after an annotation for one.
(infix_expression (identifier) @name .) @hook.infix
((string_literal) @literal (#set! type "kotlin.String"))
((number_literal) @literal (#set! type "kotlin.Int"))

; Types

(identifier) @type.name
(user_type) @type.hook.path
(constructor_invocation (user_type) @type) @type.group
(explicit_delegation (user_type) @type) @type.group
(annotation [(user_type) (constructor_invocation)] @name) @decorator

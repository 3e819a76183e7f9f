; Kotlin. See src/analysis/lang/common/patterns.rs for the notation.

(package_header (identifier) @name) @package
(import_header) @hook.import
(file_annotation) @hook.file_annotation

; Types

(class_declaration
  (modifiers (annotation) @decorator)? @modifiers
  (type_identifier) @name
  (type_parameters)? @type_parameters
  (primary_constructor)? @parameters
  (delegation_specifier (_) @extends)*
  (delegation_specifier (constructor_invocation (value_arguments) @arguments))*
  [(class_body) (enum_class_body)]? @body) @hook.type
(object_declaration
  (modifiers (annotation) @decorator)? @modifiers
  (type_identifier) @name
  (delegation_specifier (_) @extends)*
  (delegation_specifier (constructor_invocation (value_arguments) @arguments))*
  (class_body)? @body) @hook.type
(companion_object) @hook.companion
[(class_body) (enum_class_body)] @sequence
(enum_entry (simple_identifier) @name (value_arguments)? @arguments (class_body)? @body) @definition.variant
(type_alias (type_identifier) @name [(user_type) (nullable_type) (function_type)] @type) @definition.alias
(type_parameter (type_identifier) @name (user_type)? @bound) @type_parameter

; Members and functions

(function_declaration
  (modifiers (annotation) @decorator)? @modifiers
  (type_parameters)? @type_parameters
  (simple_identifier) @name
  (function_value_parameters (parameter) @parameters)
  [(user_type) (nullable_type)]? @result
  (function_body (_) @body)?) @hook.function
(property_declaration
  (modifiers (annotation) @decorator)? @modifiers
  (variable_declaration (simple_identifier) @name)
  (variable_declaration [(user_type) (nullable_type)] @type)?
  [(getter) (setter)]* @body) @hook.property
((variable_declaration (simple_identifier) @name [(user_type) (nullable_type)]? @type) @hook.variable
  (#set! parameter "name"))
((multi_variable_declaration) @sequence (#set! parameter "parts"))
(class_parameter
  (modifiers (annotation) @decorator)?
  (simple_identifier) @name
  [(user_type) (nullable_type) (function_type)] @type) @parameter
(parameter (simple_identifier) @name [(user_type) (nullable_type) (function_type)] @type) @parameter
(parameter_with_optional_type (simple_identifier) @name [(user_type) (nullable_type)]? @type) @hook.variable
[(getter) (setter)] @hook.accessor
(secondary_constructor) @hook.constructor
(anonymous_initializer) @block
(function_body) @sequence

; Statements

(statements) @block
(for_statement) @hook.for
(catch_block) @hook.for
(jump_expression) @hook.jump
(assignment) @hook.assignment
(directly_assignable_expression) @hook.assignable

; Expressions

[(simple_identifier) (type_identifier) (interpolated_identifier)] @name
(this_expression) @hook.this
(super_expression) @parent
((navigation_expression . (_) @object (navigation_suffix (simple_identifier) @name)) @member
  (#set! reference "::"))
(call_expression
  . (_) @function
  (call_suffix [(value_arguments) (annotated_lambda)] @arguments)
  (call_suffix (type_arguments) @type_arguments)?) @call
(value_argument . (simple_identifier)? @name (_) @value .) @argument
(lambda_literal (lambda_parameters [(variable_declaration) (multi_variable_declaration)] @parameters)? (statements (_) @body)?) @lambda
(object_literal
  (delegation_specifier [(user_type) (constructor_invocation)] @type)?
  (delegation_specifier (constructor_invocation (value_arguments) @arguments))*
  (class_body)? @body) @new
(indexing_expression) @hook.indexing
(if_expression) @hook.conditional
(conjunction_expression) @hook.conjunction
(when_entry) @hook.when_entry
(as_expression . (_) @value (_) @type .) @cast
(elvis_expression (_) @value) @either
[(additive_expression) (multiplicative_expression) (comparison_expression) (equality_expression) (range_expression)
 (check_expression)] @hook.operator
(prefix_expression) @hook.prefix
(infix_expression) @hook.infix
[(parenthesized_expression) (property_delegate)] @group
((string_literal) @literal (#set! type "kotlin.String"))
(callable_reference) @hook.callable
([(integer_literal) (hex_literal) (bin_literal)] @literal (#set! type "kotlin.Int"))
((long_literal) @literal (#set! type "kotlin.Long"))
((unsigned_literal) @literal (#set! type "kotlin.UInt") (#set! suffixes "ul kotlin.ULong"))
((real_literal) @literal (#set! type "kotlin.Double") (#set! suffixes "f kotlin.Float"))
((boolean_literal) @literal (#set! type "kotlin.Boolean"))
((character_literal) @literal (#set! type "kotlin.Char"))

; Types

(type_identifier) @type.name
(user_type) @type.hook.path
[(nullable_type . (_) @type) (parenthesized_type (_) @type .)] @type.group
(function_type) @type.hook.function
(constructor_invocation (user_type) @type) @type.group
(explicit_delegation (user_type) @type) @type.group
(annotation [(user_type) (constructor_invocation)] @name) @decorator

; Scala. See src/analysis/lang/common/patterns.rs for the notation.

(package_clause) @hook.package
(import_declaration) @hook.import

; Types

(class_definition
  (annotation)? @decorator
  (modifiers)? @modifiers
  name: (_) @name
  class_parameters: (_)? @parameters
  extend: (extends_clause type: (_) @extends)?
  extend: (extends_clause arguments: (_) @arguments)?
  body: (_)? @body) @hook.class
(extension_definition) @hook.extension
(package_object name: (_) @name body: (_)? @body) @definition.type
(object_definition
  (annotation)? @decorator
  name: (_) @name
  extend: (extends_clause type: (_) @extends)?
  extend: (extends_clause arguments: (_) @arguments)?
  body: (_)? @body) @definition.type
(enum_definition
  name: (_) @name
  class_parameters: (_)? @parameters
  extend: (extends_clause type: (_) @extends)?
  body: (_) @body) @definition.type
(trait_definition
  (annotation)? @decorator
  name: (_) @name
  extend: (extends_clause type: (_) @extends)?
  body: (_)? @body) @definition.interface
[(template_body) (enum_body) (enum_case_definitions)] @sequence
(self_type) @hook.self_type
[(simple_enum_case) (full_enum_case)] @hook.enum_case
(type_definition name: (_) @name type: (_) @type) @definition.alias

; Members and functions

(function_definition
  (annotation)? @decorator
  (modifiers)? @modifiers
  name: (_) @name
  parameters: (_)* @parameters
  return_type: (_)? @result
  body: (_) @body) @hook.function
(function_declaration
  (annotation)? @decorator
  (modifiers)? @modifiers
  name: (_) @name
  parameters: (_)* @parameters
  return_type: (_)? @result) @hook.function
(val_definition (annotation)? @decorator pattern: (identifier) @name type: (_)? @type value: (_) @value) @definition.variable
(var_definition (annotation)? @decorator pattern: (identifier) @name type: (_)? @type value: (_) @value) @definition.variable
(val_declaration name: (_) @name type: (_) @type) @definition.variable
(var_declaration name: (_) @name type: (_) @type) @definition.variable
(class_parameter name: (_) @name type: (_)? @type default_value: (_)? @value) @parameter
(parameter name: (_) @name type: (_)? @type default_value: (_)? @value) @parameter
(binding name: (_) @name type: (_)? @type) @parameter

; Statements

(case_block) @hook.case_block
[(block) (for_expression) (case_clause) (indented_block)] @block
(enumerator) @hook.enumerator
(typed_pattern pattern: (identifier) @name type: (_) @type) @hook.typed
(case_class_pattern type: (_) @type) @hook.case_class
(return_expression (_)? @value) @return
(throw_expression (_) @value) @raise
(assignment_expression left: (_) @left right: (_) @right) @hook.assignment

; Expressions

((identifier) @name (#set! receiver "this"))
(field_expression value: (_) @object field: (_) @name) @member
(call_expression function: (_) @function arguments: (_) @arguments) @call
(generic_function function: (_) @value) @argument
(instance_expression
  . (_) @type
  arguments: (_)? @arguments
  (template_body)? @body) @new
(infix_expression) @hook.infix
(prefix_expression) @hook.prefix
(wildcard) @hook.placeholder
(lambda_expression parameters: (_) @parameters _ @body) @lambda
(if_expression consequence: (_) @value alternative: (_)? @value) @either
(parenthesized_expression) @group
((string) @literal (#set! type "String"))
((integer_literal) @literal (#set! type "Int"))

; Types

[(type_identifier) (identifier)] @type.name
(generic_type type: (_) @type type_arguments: (_) @type_arguments) @type.apply
(stable_type_identifier) @type.hook.path
(projected_type) @type.hook.path
(function_type parameter_types: (_) @parameters return_type: (_) @result) @type.hook.function
(tuple_type) @type.tuple
(annotation name: (_) @name arguments: (_)? @arguments) @decorator

; Go. See src/analysis/lang/common/patterns.rs for the notation.

; Packages and imports

((package_clause (package_identifier) @name) @package (#set! doc "above"))
(import_spec name: (_)? @name path: (_) @value) @hook.import

; Functions and methods

(function_declaration
  name: (_) @name
  type_parameters: (_)? @type_parameters
  parameters: (_) @parameters
  result: (_)? @result
  body: (_)? @body) @definition.function

(method_declaration
  receiver: (parameter_list . (parameter_declaration) @declarator)
  name: (_) @name
  parameters: (_) @parameters
  result: (_)? @result
  body: (_)? @body) @hook.method

((method_elem
  name: (_) @name
  parameters: (_) @parameters
  result: (_)? @result) @definition.function (#set! doc "behind"))

((parameter_declaration name: (_)* @name type: (_) @type) @parameter (#set! unnamed "_"))
((variadic_parameter_declaration name: (_)? @name type: (_) @type) @parameter
  (#set! array "[]") (#set! unnamed "_"))
(type_parameter_declaration name: (_)+ @name type: (_) @bound) @type_parameter

; Types, variables and constants

(type_declaration) @hook.types
([(type_spec) (type_alias)]
  name: (_) @name
  type_parameters: (_)? @type_parameters
  type: (_) @type) @hook.types
(field_declaration name: (_)* @name type: (_) @type) @hook.field
(type_elem) @hook.embedded

[(var_declaration) (const_declaration)] @hook.values
([(var_spec) (const_spec)]
  name: (_)+ @name
  type: (_)? @type
  value: (_)? @value) @hook.values

; Statements

[(block) (if_statement) (for_statement) (expression_switch_statement) (expression_case) (default_case)
 (communication_case)] @block
(short_var_declaration
  left: (expression_list (_) @left)
  right: (expression_list (_) @right)) @hook.declare
(assignment_statement
  left: (expression_list (_) @left)
  right: (_) @right) @assign
((range_clause left: (expression_list (_) @left)? right: (_) @right) @hook.declare (#set! value "elements"))
(receive_statement left: (expression_list (_) @left)? right: (_) @right) @hook.declare
(type_switch_statement
  initializer: (_)? @body
  alias: (expression_list (_) @name)?
  value: (_) @value) @hook.type_switch
(type_case type: (_)+ @type) @block

; Expressions

[(identifier) (type_identifier) (package_identifier)] @hook.name
(selector_expression operand: (_) @object field: (_) @name) @member
(qualified_type package: (_) @object name: (_) @name) @member
(call_expression
  function: (_) @function
  type_arguments: (_)? @type_arguments
  arguments: (_) @arguments) @hook.call
[(parenthesized_expression) (variadic_argument)] @group
(unary_expression operand: (_) @value) @hook.unary
(binary_expression left: (_) @left right: (_) @right) @hook.binary
(index_expression operand: (_) @object index: (_) @value) @hook.index
(slice_expression operand: (_) @value) @either
(type_assertion_expression operand: (_) @value type: (_) @type) @cast
(type_conversion_expression type: (_) @type operand: (_) @value) @hook.conversion
(type_instantiation_expression) @hook.instantiation
(composite_literal type: (_) @type body: (_) @body) @hook.literal
(keyed_element key: (_) @name value: (_) @value) @sequence
(func_literal parameters: (_) @parameters result: (_)? @result body: (_) @body) @lambda

([(interpreted_string_literal) (raw_string_literal)] @literal (#set! type "string"))
([(int_literal) (iota)] @literal (#set! type "int"))
((rune_literal) @literal (#set! type "rune"))
((float_literal) @literal (#set! type "float64"))
((imaginary_literal) @literal (#set! type "complex128"))
([(true) (false)] @literal (#set! type "bool"))
[(nil) (blank_identifier) (label_name)] @skip

; The argument of `new(T)` and `make(T)` is a type, and after a syntax error any value can be one.
[(generic_type) (pointer_type) (array_type) (slice_type) (map_type) (channel_type) (function_type) (struct_type)
 (interface_type)] @hook.type

; Types

[(identifier) (type_identifier) (package_identifier)] @type.hook.name
(qualified_type package: (_) @object name: (_) @name) @type.member
(generic_type type: (_) @type type_arguments: (_) @type_arguments) @type.apply
([(array_type) (slice_type) (implicit_length_array_type)]
  length: (_)? @value
  element: (_) @type) @type.array
((map_type key: (_) @type value: (_) @type) @type.array (#set! type "map"))
((channel_type value: (_) @type) @type.array (#set! type "chan"))
([(function_type) (method_elem)] parameters: (_) @parameters result: (_)? @result) @type.function
(parameter_list) @type.hook.results
[(type_elem) (type_constraint)] @type.union
[(struct_type) (interface_type)] @type.hook.members

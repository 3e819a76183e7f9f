; Swift. See src/analysis/lang/common/patterns.rs for the notation.

(import_declaration) @hook.import

; Types

(class_declaration
  (modifiers (attribute) @decorator)? @modifiers
  name: (type_identifier) @name
  (type_parameters)? @type_parameters
  (inheritance_specifier inherits_from: (_) @extends)*
  body: (_) @body) @hook.type
(protocol_declaration
  (modifiers (attribute) @decorator)? @modifiers
  name: (_) @name
  (inheritance_specifier inherits_from: (_) @extends)*
  body: (_) @body) @definition.interface
[(class_body) (enum_class_body) (protocol_body)] @sequence
(enum_entry name: (simple_identifier) @name) @hook.entry
(typealias_declaration
  name: (type_identifier) @name
  name: [(user_type) (array_type) (function_type) (optional_type) (dictionary_type)] @type) @definition.alias
(type_parameter (type_identifier) @name (user_type)? @bound) @type_parameter

; Members and functions

(function_declaration
  (modifiers (attribute) @decorator)? @modifiers
  name: [(simple_identifier) (custom_operator) (bang) "!=" "!==" "%" "%=" "&" "*" "*=" "+" "++" "+=" "-" "--" "-=" "/" "/="
    "<" "<<" "<=" "==" "===" ">" ">=" ">>" "^" "|" "~"] @name
  (type_parameters)? @type_parameters
  (parameter)* @parameters
  name: [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type)]? @result
  body: (_)? @body) @definition.function
(protocol_function_declaration
  name: (simple_identifier) @name
  (parameter)* @parameters
  name: [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type)]? @result) @definition.function
(init_declaration
  (modifiers (attribute) @decorator)? @modifiers
  name: "init" @name
  (parameter)* @parameters
  body: (_)? @body) @definition.function
(property_declaration
  (modifiers (attribute) @decorator)? @modifiers
  name: (pattern bound_identifier: (_) @name)
  (type_annotation name: (_) @type)?
  (type_annotation name: (_) @result)?
  value: (_)? @value
  computed_value: (_)? @body) @hook.property
(protocol_property_declaration
  name: (pattern bound_identifier: (_) @name)
  (type_annotation name: (_) @type)) @definition.variable
(parameter
  name: (simple_identifier) @name
  name: [(user_type) (optional_type) (array_type) (dictionary_type) (function_type) (tuple_type) (opaque_type) (existential_type)] @type) @parameter
(lambda_parameter name: (simple_identifier) @name) @parameter
[(deinit_declaration) (subscript_declaration) (computed_getter) (computed_setter)] @block

; Statements

[(function_body) (computed_property)] @block
(statements) @sequence
[(if_statement) (guard_statement) (while_statement)] @hook.conditional
(for_statement item: (_) @name collection: (_) @right (statements)? @body) @hook.for
(catch_block) @block
(switch_entry) @block
(control_transfer_statement) @hook.transfer
(assignment target: (_) @left result: (_) @right) @assign
(directly_assignable_expression) @group

; Expressions

(simple_identifier) @name
[(equality_expression) (comparison_expression) (additive_expression) (multiplicative_expression)] @hook.operator
(prefix_expression) @hook.prefix
(self_expression) @receiver
(super_expression) @parent
(navigation_expression target: (_) @object suffix: (navigation_suffix suffix: (_) @name)) @member
(call_expression . (_) @function (call_suffix) @arguments) @hook.call
((value_arguments) @sequence (#set! list "arguments"))
(value_argument name: (value_argument_label (simple_identifier) @name)? value: (_) @value) @argument
(lambda_literal
  type: (lambda_function_type (lambda_function_type_parameters (lambda_parameter) @parameters))?
  (statements)? @body) @lambda
(as_expression expr: (_) @value name: (_) @type) @cast
(nil_coalescing_expression value: (_) @value if_nil: (_) @value) @either
(ternary_expression if_true: (_) @value if_false: (_) @value) @either
(tuple_expression) @sequence
[(value_binding_pattern) (value_argument_label)] @skip
((line_string_literal) @literal (#set! type "String"))
((integer_literal) @literal (#set! type "Int"))

; Types

(type_identifier) @type.name
(user_type) @type.hook.path
(array_type name: (_) @type) @type.array
((dictionary_type name: (_) @type) @type.array (#set! type "Dictionary"))
(function_type) @type.hook.function
(tuple_type) @type.hook.tuple
[(optional_type) (opaque_type) (existential_type)] @type.hook.wrapped
(attribute (user_type) @name _ @value) @decorator

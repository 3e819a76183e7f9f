; C#. See src/analysis/lang/common/patterns.rs for the notation.

; Namespaces and imports

(file_scoped_namespace_declaration name: (_) @name) @package
(namespace_declaration name: (_) @name body: (_) @body) @hook.namespace
(using_directive) @hook.using
(extern_alias_directive) @skip
[(preproc_if) (preproc_elif) (preproc_if_in_attribute_list)] @hook.conditional

; Types

([(class_declaration) (struct_declaration) (record_declaration)]
  [(attribute_list) (preproc_if_in_attribute_list)]? @decorator
  (modifier)? @modifiers
  name: (_) @name
  (type_parameter_list)? @type_parameters
  (parameter_list)? @parameters
  (base_list
    [(identifier) (generic_name) (qualified_name) (alias_qualified_name)] @extends
    (primary_constructor_base_type type: (_) @extends (argument_list) @arguments)
    (argument_list) @arguments)?
  (type_parameter_constraints_clause)? @bound
  body: (_)? @body) @definition.type

(interface_declaration
  [(attribute_list) (preproc_if_in_attribute_list)]? @decorator
  (modifier)? @modifiers
  name: (_) @name
  type_parameters: (_)? @type_parameters
  (base_list [(identifier) (generic_name) (qualified_name) (alias_qualified_name)] @extends)?
  (type_parameter_constraints_clause)? @bound
  body: (_)? @body) @definition.interface

(enum_declaration
  [(attribute_list) (preproc_if_in_attribute_list)]? @decorator
  (modifier)? @modifiers
  name: (_) @name
  body: (_)? @body) @definition.type

(delegate_declaration
  [(attribute_list) (preproc_if_in_attribute_list)]? @decorator
  (modifier)? @modifiers
  type: (_) @result
  name: (_) @name
  type_parameters: (_)? @type_parameters
  parameters: (_) @parameters
  (type_parameter_constraints_clause)? @bound) @hook.delegate

(type_parameter name: (_) @name) @type_parameter

; Members

(method_declaration
  [(attribute_list) (preproc_if_in_attribute_list)]? @decorator
  (modifier)? @modifiers
  returns: (_) @result
  name: (_) @name
  type_parameters: (_)? @type_parameters
  parameters: (_) @parameters
  (type_parameter_constraints_clause)? @bound
  body: (_)? @body) @definition.function

(local_function_statement
  [(attribute_list) (preproc_if_in_attribute_list)]? @decorator
  (modifier)? @modifiers
  type: (_) @result
  name: (_) @name
  type_parameters: (_)? @type_parameters
  parameters: (_) @parameters
  (type_parameter_constraints_clause)? @bound
  body: (_)? @body) @definition.function

(constructor_declaration
  [(attribute_list) (preproc_if_in_attribute_list)]? @decorator
  (modifier)? @modifiers
  name: (_) @name
  parameters: (_) @parameters
  (constructor_initializer)? @body
  body: (_)? @body) @definition.function

(constructor_initializer (argument_list) @arguments) @hook.constructor

([(operator_declaration) (conversion_operator_declaration) (destructor_declaration) (indexer_declaration)]
  [(attribute_list) (preproc_if_in_attribute_list)]? @decorator
  (modifier)? @modifiers
  type: (_)? @result
  name: (_)? @name
  parameters: (_) @parameters
  value: (_)? @body
  accessors: (accessor_list (accessor_declaration) @body)?
  body: (_)? @body) @hook.unnamed

([(property_declaration) (event_declaration)]
  [(attribute_list) (preproc_if_in_attribute_list)]? @decorator
  (modifier)? @modifiers
  type: (_) @result
  name: (_) @name
  value: (arrow_expression_clause)? @body
  accessors: (accessor_list (accessor_declaration) @body)?) @hook.property

(accessor_declaration body: (_)? @body) @hook.accessor

([(field_declaration) (event_field_declaration)]
  [(attribute_list) (preproc_if_in_attribute_list)]? @decorator
  (modifier)? @modifiers
  (variable_declaration type: (_) @type (variable_declarator) @declarator)) @definition.variable

(enum_member_declaration
  [(attribute_list) (preproc_if_in_attribute_list)]? @decorator
  name: (_) @name
  value: (_)? @value) @definition.variant

(parameter
  [(attribute_list) (preproc_if_in_attribute_list)]? @decorator
  type: (_)? @type
  name: (_) @name
  _ @value) @parameter
(implicit_parameter) @parameter
([(parameter_list) (bracketed_parameter_list)] type: (_)? @type name: (_)? @name) @parameter.rest

; Statements

(variable_declaration type: (_) @type (variable_declarator) @declarator) @hook.variables
(using_statement) @hook.using_statement
(variable_declarator name: (_) @name _ @value) @definition.variable
(declaration_expression type: (_) @type name: (_) @name) @definition.variable
(declaration_pattern type: (_) @type name: (_)? @name) @definition.variable
(catch_declaration type: (_) @type name: (_)? @name) @definition.variable
[(tuple_pattern) (parenthesized_variable_designation)] @hook.designation
(recursive_pattern type: (_)? @type name: (_)? @name) @hook.recursive_pattern
(var_pattern) @hook.designation
(subpattern) @hook.last

(foreach_statement
  type: (_)? @type
  left: (identifier) @name
  left: (tuple_pattern) @body
  right: (_) @right
  body: (_) @body) @loop

[(block) (for_statement) (fixed_statement) (catch_clause) (switch_section) (switch_expression_arm)] @block
(query_expression) @hook.query

(return_statement (_)? @value) @return
[(throw_statement) (throw_expression)] @hook.throw
(labeled_statement) @hook.last
[(goto_statement) (break_statement) (continue_statement)] @skip

; Expressions

(identifier) @name
(generic_name (identifier) @name (type_argument_list) @type_arguments) @name
(alias_qualified_name name: (_) @name) @hook.last
"this" @receiver
"base" @parent
(predefined_type) @hook.predefined

(member_access_expression
  expression: (_) @object
  name: (identifier) @name
  name: (generic_name (identifier) @name (type_argument_list) @type_arguments)) @member
(qualified_name
  qualifier: (_) @object
  name: (identifier) @name
  name: (generic_name (identifier) @name (type_argument_list) @type_arguments)) @member
(conditional_access_expression
  condition: (_) @object
  (member_binding_expression
    name: (identifier) @name
    name: (generic_name (identifier) @name (type_argument_list) @type_arguments))) @member

(invocation_expression function: (_) @function arguments: (_) @arguments) @call
([(argument) (attribute_argument)] _ @value) @argument
(object_creation_expression type: (_) @type arguments: (_)? @arguments) @hook.creation
(implicit_object_creation_expression (argument_list) @arguments) @hook.implicit_creation
(anonymous_object_creation_expression) @hook.anonymous_object
(array_creation_expression type: (_) @type) @hook.array
(with_expression) @hook.with
(element_access_expression expression: (_) @object subscript: (_) @arguments) @hook.subscript
(postfix_unary_expression) @group
(cast_expression type: (_) @type value: (_) @value) @cast
(as_expression right: (_) @type left: (_) @value) @cast
(is_expression left: (_) @value right: (_) @type) @hook.is
(default_expression type: (_) @type) @cast
(typeof_expression type: (_) @type) @hook.typeof
(sizeof_expression type: (_) @type) @hook.typeof
(type_pattern type: (_) @type) @cast
(await_expression) @hook.await
(binary_expression) @hook.binary
(conditional_expression consequence: (_) @value alternative: (_) @value) @either
(assignment_expression left: (_) @left right: (_) @right) @assign
[(parenthesized_expression) (arrow_expression_clause) (expression_statement) (ref_expression)
 (checked_expression) (select_clause)] @group
(tuple_expression) @hook.tuple
(switch_expression) @hook.switch
([(lambda_expression) (anonymous_method_expression)]
  parameters: (_)? @parameters
  body: (_)? @body
  (block)? @body) @lambda

(from_clause name: (_) @name _ @right) @hook.from
(let_clause) @hook.let
(join_clause) @hook.join

([(string_literal) (verbatim_string_literal) (raw_string_literal) (interpolated_string_expression)] @literal
  (#set! type "string"))
(character_literal (#set! type "char")) @literal
((integer_literal) @literal (#set! type "int") (#set! suffixes "ul ulong lu ulong l long u uint"))
((real_literal) @literal (#set! type "double") (#set! suffixes "f float m decimal"))
([(boolean_literal) (is_pattern_expression)] @literal (#set! type "bool"))

; Types

(identifier) @type.name
(generic_name (identifier) @type (type_argument_list) @type_arguments) @type.apply
(qualified_name
  qualifier: (_) @object
  name: (identifier) @name
  name: (generic_name (identifier) @name (type_argument_list) @type_arguments)) @type.member
(alias_qualified_name name: (_) @type) @type.group
(array_type type: (_) @type (#set! type "[]")) @type.array
([(nullable_type) (pointer_type) (ref_type) (scoped_type)] type: (_) @type) @type.group
(tuple_type) @type.hook.tuple_type
(predefined_type) @type.builtin
(type_parameter_constraint type: (_)? @type) @type.group

; Attributes

(attribute name: (_) @name (attribute_argument_list) @arguments) @hook.attribute

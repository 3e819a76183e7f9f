; Java. See src/analysis/lang/common/patterns.rs for the notation.

(package_declaration [(identifier) (scoped_identifier)] @name) @package
(import_declaration) @hook.import

; Types

(class_declaration
  (modifiers [(annotation) (marker_annotation)] @decorator)? @modifiers
  name: (_) @name
  type_parameters: (_)? @type_parameters
  superclass: (superclass (_) @extends)?
  interfaces: (super_interfaces (type_list (_) @implements))?
  body: (_) @body) @definition.type

(enum_declaration
  (modifiers [(annotation) (marker_annotation)] @decorator)? @modifiers
  name: (_) @name
  interfaces: (super_interfaces (type_list (_) @implements))?
  body: (_) @body) @definition.type

(record_declaration
  (modifiers [(annotation) (marker_annotation)] @decorator)? @modifiers
  name: (_) @name
  type_parameters: (_)? @type_parameters
  parameters: (_) @parameters
  interfaces: (super_interfaces (type_list (_) @implements))?
  body: (_) @body) @definition.type

(interface_declaration
  (modifiers [(annotation) (marker_annotation)] @decorator)? @modifiers
  name: (_) @name
  type_parameters: (_)? @type_parameters
  (extends_interfaces (type_list (_) @extends))?
  body: (_) @body) @definition.interface

(annotation_type_declaration
  (modifiers [(annotation) (marker_annotation)] @decorator)? @modifiers
  name: (_) @name
  body: (_) @body) @definition.interface

(type_parameter (type_identifier) @name (type_bound (_) @bound)?) @type_parameter

; Members

(method_declaration
  (modifiers [(annotation) (marker_annotation)] @decorator)? @modifiers
  type_parameters: (_)? @type_parameters
  type: (_) @result
  name: (_) @name
  parameters: (_) @parameters
  (throws (_) @type)?
  body: (_)? @body) @definition.function

(constructor_declaration
  (modifiers [(annotation) (marker_annotation)] @decorator)? @modifiers
  type_parameters: (_)? @type_parameters
  name: (_) @name
  parameters: (_) @parameters
  (throws (_) @type)?
  body: (_) @body) @definition.function

(compact_constructor_declaration
  (modifiers [(annotation) (marker_annotation)] @decorator)? @modifiers
  name: (_) @name
  body: (_) @body) @definition.function

(annotation_type_element_declaration
  (modifiers [(annotation) (marker_annotation)] @decorator)? @modifiers
  type: (_) @result
  name: (_) @name) @definition.function

(field_declaration
  (modifiers [(annotation) (marker_annotation)] @decorator)? @modifiers
  type: (_) @type
  declarator: (_) @declarator) @definition.variable

(constant_declaration
  (modifiers [(annotation) (marker_annotation)] @decorator)? @modifiers
  type: (_) @type
  declarator: (_) @declarator) @definition.constant

(enum_constant
  (modifiers [(annotation) (marker_annotation)] @decorator)?
  name: (_) @name
  arguments: (_)? @arguments
  body: (_)? @body) @definition.variant

(variable_declarator name: (_) @name value: (_)? @value) @definition.variable

(formal_parameter
  (modifiers [(annotation) (marker_annotation)] @decorator)?
  type: (_) @type
  name: (_) @name) @parameter

(spread_parameter
  [(type_identifier) (scoped_type_identifier) (generic_type) (array_type)
   (integral_type) (floating_point_type) (boolean_type) (annotated_type)] @type
  (variable_declarator name: (_) @name)
  (#set! array "[]")) @parameter

; Statements

(local_variable_declaration
  (modifiers [(annotation) (marker_annotation)] @decorator)?
  type: (_) @type
  declarator: (_) @declarator) @definition.variable

(resource type: (_)? @type name: (_)? @name value: (_)? @value) @hook.resource
(catch_formal_parameter (catch_type) @type name: (_) @name) @definition.variable
(type_pattern
  [(type_identifier) (scoped_type_identifier) (generic_type) (array_type)] @type
  (identifier) @name) @definition.variable
(record_pattern_component
  [(type_identifier) (scoped_type_identifier) (generic_type) (array_type)]? @type
  (identifier)? @name) @definition.variable

(enhanced_for_statement
  type: (_) @type
  name: (_) @name
  value: (_) @right
  body: (_) @body) @loop

[(block) (constructor_body) (for_statement) (try_with_resources_statement) (catch_clause) (switch_block)
 (switch_block_statement_group) (switch_rule) (static_initializer)] @block

(return_statement (_)? @value) @return
(yield_statement (_)? @value) @return
(throw_statement (_) @value) @raise
(labeled_statement (identifier) (_) @value) @hook.labeled
[(break_statement) (continue_statement)] @skip

; Expressions

(identifier) @name
(this) @receiver
(super) @parent
(field_access object: (_) @object field: (_) @name) @hook.field
(method_invocation
  object: (_)? @object
  type_arguments: (_)? @type_arguments
  name: (_) @name
  arguments: (_) @arguments) @call
(explicit_constructor_invocation) @hook.constructor
(object_creation_expression
  type: (_) @type
  arguments: (_) @arguments
  (class_body)? @body) @new
(array_creation_expression) @hook.array
(switch_expression) @hook.switch
(switch_label) @hook.case
(method_reference) @hook.method_reference
(array_access array: (_) @object) @index
(cast_expression type: (_) @type value: (_) @value) @cast
(instanceof_expression) @hook.instanceof
(class_literal (_) @type) @hook.class_literal
(ternary_expression consequence: (_) @value alternative: (_) @value) @either
(assignment_expression left: (_) @left right: (_) @right) @assign
(parenthesized_expression) @group
(binary_expression) @hook.binary
(unary_expression operand: (_) @value) @hook.unary
(lambda_expression parameters: (_) @parameters body: (_) @body) @lambda
(inferred_parameters) @group

(string_literal (#set! type "java.lang.String")) @literal
(character_literal (#set! type "char")) @literal
([(decimal_integer_literal) (hex_integer_literal) (octal_integer_literal) (binary_integer_literal)] @literal
  (#set! type "int") (#set! suffixes "l long"))
([(decimal_floating_point_literal) (hex_floating_point_literal)] @literal
  (#set! type "double") (#set! suffixes "f float"))
([(true) (false)] @literal (#set! type "boolean"))

; Types

[(identifier) (type_identifier)] @type.name
(scoped_identifier scope: (_) @object name: (_) @name) @type.member
(scoped_type_identifier
  . [(type_identifier) (scoped_type_identifier) (generic_type)] @object
  (type_identifier) @name .) @type.member
(generic_type
  [(type_identifier) (scoped_type_identifier)] @type
  (type_arguments) @type_arguments) @type.apply
(array_type) @type.hook.array_type
(wildcard
  [(type_identifier) (scoped_type_identifier) (generic_type) (array_type) (annotated_type)] @type) @type.group
(annotated_type
  [(type_identifier) (scoped_type_identifier) (generic_type) (array_type)
   (integral_type) (floating_point_type) (boolean_type)] @type) @type.group
(catch_type) @type.union
[(integral_type) (floating_point_type) (boolean_type) (void_type)] @type.builtin

; Decorators

(element_value_pair value: (_) @value) @hook.pair

[(annotation) (marker_annotation)] @hook.mapping

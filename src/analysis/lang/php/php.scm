; PHP. See src/analysis/lang/common/patterns.rs for the notation.

(namespace_definition) @hook.namespace
(namespace_use_declaration) @hook.use
[(include_expression) (include_once_expression) (require_expression) (require_once_expression)] @hook.include

; Types

(class_declaration
  attributes: (_)? @decorator
  [(abstract_modifier) (final_modifier) (readonly_modifier)]* @modifiers
  name: (_) @name
  (base_clause (_) @extends)?
  (class_interface_clause (_) @implements)?
  body: (_) @body) @definition.type

(trait_declaration
  attributes: (_)? @decorator
  name: (_) @name
  body: (_) @body) @definition.type

(enum_declaration
  attributes: (_)? @decorator
  name: (_) @name
  (class_interface_clause (_) @implements)?
  body: (_) @body) @definition.type

(interface_declaration
  attributes: (_)? @decorator
  name: (_) @name
  (base_clause (_) @extends)?
  body: (_) @body) @definition.interface

; The type of `new class … {}`, without a name.
(anonymous_class
  attributes: (_)? @decorator
  (base_clause (_) @extends)?
  (class_interface_clause (_) @implements)?
  (arguments) @arguments
  body: (_) @body) @hook.anonymous

(use_declaration) @hook.trait

; Members and functions

(function_definition
  attributes: (_)? @decorator
  name: (_) @name
  parameters: (_) @parameters
  return_type: (_)? @result
  body: (_)? @body) @hook.function

(method_declaration
  attributes: (_)? @decorator
  [(abstract_modifier) (static_modifier)]* @modifiers
  name: (_) @name
  parameters: (_) @parameters
  return_type: (_)? @result
  body: (_)? @body) @hook.function

(property_declaration
  attributes: (_)? @decorator
  (static_modifier)? @modifiers
  type: (_)? @type
  (property_element) @declarator) @hook.property_declaration
(property_element name: (variable_name (name) @name) default_value: (_)? @value) @definition.variable
(property_hook parameters: (_)? @parameters body: (_)? @body) @lambda

(const_declaration
  attributes: (_)? @decorator
  type: (_)? @type
  (const_element) @declarator
  (#set! modifiers "static")) @definition.constant
(const_element (name) @name (_) @value) @definition.constant

(enum_case attributes: (_)? @decorator name: (_) @name value: (_)? @value) @definition.variant

(simple_parameter
  attributes: (_)? @decorator
  type: (_)? @type
  name: (_) @name
  default_value: (_)? @value) @parameter

(property_promotion_parameter
  attributes: (_)? @decorator
  type: (_)? @type
  name: (_) @name
  default_value: (_)? @value) @parameter

(variadic_parameter
  attributes: (_)? @decorator
  type: (_)? @type
  name: (_) @name
  (#set! array "[]")) @parameter

(attribute [(name) (qualified_name) (relative_name)] @name parameters: (_)? @arguments) @hook.attribute

; Statements

(compound_statement) @sequence
(static_variable_declaration name: (_) @left value: (_)? @right) @assign
(return_statement (_)? @value) @return
(throw_expression (_) @value) @raise
(foreach_statement) @hook.foreach
(catch_clause) @hook.catch
[(global_declaration) (goto_statement) (named_label_statement) (text) (php_tag) (php_end_tag)] @skip

; Expressions

((variable_name) @name (#set! receiver "$this") (#set! callee "value"))
(name) @name
[(qualified_name) (relative_name)] @hook.qualified
(relative_scope) @hook.scope
[(member_access_expression) (nullsafe_member_access_expression object: (_) @object name: (name) @name)] @hook.property
(scoped_property_access_expression scope: (_) @object name: (variable_name (name) @name)) @member
(class_constant_access_expression) @hook.constant
(function_call_expression function: (_) @function arguments: (_) @arguments) @call
[(member_call_expression)
 (nullsafe_member_call_expression object: (_) @object name: (name) @name arguments: (_) @arguments)] @call
(scoped_call_expression scope: (_) @object name: (name) @name arguments: (_) @arguments) @call
(argument (_) @value) @argument
(object_creation_expression (arguments) @arguments) @hook.new
[(anonymous_function) (arrow_function parameters: (_) @parameters body: (_) @body)] @lambda
[(assignment_expression) (augmented_assignment_expression) (reference_assignment_expression)] @hook.assignment
(binary_expression) @hook.binary
(conditional_expression body: (_)? @value alternative: (_) @value) @either
[(parenthesized_expression) (clone_expression) (error_suppression_expression)] @group
(subscript_expression) @hook.subscript
(array_creation_expression) @hook.array
(match_expression) @hook.match

([(string) (encapsed_string) (heredoc) (nowdoc)] @literal (#set! type "string"))
((integer) @literal (#set! type "int"))
((float) @literal (#set! type "float"))
((boolean) @literal (#set! type "bool"))

; Types of declarations

[(name) (qualified_name) (relative_name) (relative_scope)] @type.hook.name
(primitive_type) @type.hook.primitive
[(union_type) (intersection_type) (disjunctive_normal_form_type) (type_list)] @type.union

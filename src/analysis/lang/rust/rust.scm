; Rust. See src/analysis/lang/common/patterns.rs for the notation.

[(attribute_item) (line_comment) (block_comment)] @before
(attribute) @hook.attribute
; It counts as one of the parts of a pattern.
"_" @skip
[(inner_attribute_item) (label) (visibility_modifier)] @skip

; Items

([(struct_item) (union_item)]
  name: (_) @name
  type_parameters: (_)? @type_parameters
  (where_clause (where_predicate) @bound)?
  body: (field_declaration_list) @body
  body: (ordered_field_declaration_list) @parameters) @definition.type
(ordered_field_declaration_list) @hook.tuple_fields
(field_declaration name: (_) @name type: (_) @type) @definition.variable

(enum_item
  name: (_) @name
  type_parameters: (_)? @type_parameters
  (where_clause (where_predicate) @bound)?
  body: (_) @body) @definition.type
(enum_variant name: (_) @name value: (_)? @value body: (_)? @parameters) @hook.variant

((trait_item
  name: (_) @name
  type_parameters: (_)? @type_parameters
  bounds: (trait_bounds (_) @declarator)?
  (where_clause (where_predicate) @bound)?
  body: (_) @body) @hook.trait
  (#set! item ""))

(impl_item
  type_parameters: (_)? @type_parameters
  trait: (_)? @implements
  type: (_) @type
  (where_clause (where_predicate) @bound)?
  body: (_)? @body) @hook.implementation

(([(function_item) (function_signature_item)]
  (function_modifiers)? @modifiers
  name: (_) @name
  type_parameters: (_)? @type_parameters
  parameters: (_) @parameters
  return_type: (_)? @result
  (where_clause (where_predicate) @bound)?
  body: (_)? @body) @hook.function
  (#set! item ""))

(type_item
  name: (_) @name
  type_parameters: (_)? @type_parameters
  type: (_) @type
  (where_clause (where_predicate) @bound)?) @definition.alias
(associated_type
  name: (_) @name
  type_parameters: (_)? @type_parameters
  bounds: (_)? @type
  (where_clause (where_predicate) @bound)?) @definition.alias

(([(const_item) (static_item)] name: (_) @name type: (_) @type value: (_)? @value) @hook.constant (#set! item ""))
((mod_item name: (_) @name body: (_)? @body) @hook.module (#set! item ""))
((macro_definition name: (_) @name) @hook.macro_definition (#set! item ""))
((use_declaration) @hook.use (#set! item ""))
((extern_crate_declaration name: (_) @name alias: (_)? @value) @hook.extern_crate (#set! item ""))

(type_parameter
  name: (_) @name
  bounds: (trait_bounds (_) @bound)?
  default_type: (_)? @value) @type_parameter
(where_predicate left: (_) @name bounds: (trait_bounds (_) @bound)) @type_parameter
(parameter pattern: (_) @name type: (_)? @type) @parameter

; Statements

([(let_declaration) (let_condition)]
  pattern: (_) @name
  type: (_)? @type
  value: (_)? @value
  alternative: (_)? @body) @hook.let
(expression_statement) @hook.statement
(block) @block
[(unsafe_block) (const_block) (else_clause) (try_block) (parenthesized_expression)
 (reference_expression)] @sequence
(unary_expression) @hook.unary
(if_expression consequence: (_) @value alternative: (_)? @value) @either
(match_expression value: (_) @value body: (_) @body) @hook.match
(match_arm pattern: (_) @name value: (_) @value) @block
(for_expression pattern: (_) @name value: (_) @right body: (_) @body) @hook.for
([(while_expression) (loop_expression)] condition: (_)? @left body: (_) @body) @hook.loop
(break_expression) @hook.break
([(assignment_expression) (compound_assignment_expr)] left: (_) @left right: (_) @right) @hook.assign

; Expressions

((identifier) @name (#set! receiver_type "Self"))
(self) @receiver
([(scoped_identifier) (scoped_type_identifier)] path: (_)? @object name: (_) @name) @hook.path
(field_expression value: (_) @object field: (_) @name) @member
(call_expression function: (_) @function arguments: (_) @arguments) @hook.call
(generic_function function: (_) @function type_arguments: (_) @type_arguments) @hook.generic_function
(macro_invocation macro: (_) @name (token_tree) @arguments) @hook.macro
(struct_expression name: (_) @name body: (_) @body) @hook.struct
(field_initializer field: (_) @name value: (_) @value) @hook.field
(shorthand_field_initializer (identifier) @name) @hook.field
(index_expression) @hook.index
(type_cast_expression value: (_) @value type: (_) @type) @cast
(binary_expression left: (_) @left right: (_) @right) @hook.binary
([(try_expression) (await_expression)] (_) @value) @unwrap
[(tuple_expression) (unit_expression)] @tuple
((array_expression) @collection (#set! type "[]") (#set! elements "alike"))
((range_expression) @collection (#set! type "Range") (#set! elements "alike"))
((async_block) @collection (#set! type "Future"))
(closure_expression parameters: (_) @parameters return_type: (_)? @result body: (_) @body) @lambda
((boolean_literal) @literal (#set! type "bool"))
((char_literal) @literal (#set! type "char"))
[(string_literal) (raw_string_literal)] @hook.string
((integer_literal) @hook.number (#set! type "i32"))
((float_literal) @hook.number (#set! type "f64"))

; Types

[(type_identifier) (identifier)] @type.hook.name
([(scoped_identifier) (scoped_type_identifier)] path: (_)? @object name: (_) @name) @type.hook.path
([(generic_type) (generic_type_with_turbofish)]
  type: (_) @type
  type_arguments: (_) @type_arguments) @type.apply
(primitive_type) @type.builtin
([(reference_type) (pointer_type) (higher_ranked_trait_bound) (qualified_type) (type_binding)]
  type: (_) @type) @type.group
([(dynamic_type) (abstract_type)] trait: (_) @type) @type.group
((array_type element: (_) @type) @type.array (#set! type "[]"))
[(tuple_type) (unit_type)] @type.tuple
[(bounded_type) (trait_bounds)] @type.union
(function_type parameters: (_) @parameters return_type: (_)? @result) @type.function
[(lifetime) (removed_trait_bound) (use_bounds) (never_type)] @type.skip
(macro_invocation macro: (_) @name (token_tree) @arguments) @type.hook.macro
(block) @type.hook.block

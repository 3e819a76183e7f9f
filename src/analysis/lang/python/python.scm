; Python. See src/analysis/lang/common/patterns.rs for the notation.

; Definitions and imports

(function_definition
  name: (_) @name
  type_parameters: (_)? @type_parameters
  parameters: (_) @parameters
  return_type: (_)? @result
  body: (_) @body) @hook.definition

(class_definition
  name: (_) @name
  type_parameters: (_)? @type_parameters
  superclasses: (_)? @extends
  body: (_) @body) @hook.definition

(decorated_definition (decorator)* @decorator definition: (_) @value) @hook.definition
(type_alias_statement left: (_) @left right: (_) @right) @hook.alias

(default_parameter name: (_) @name value: (_) @value) @parameter
(typed_parameter . (_) @name type: (_) @type) @parameter
(typed_default_parameter name: (_) @name type: (_) @type value: (_) @value) @parameter
((list_splat_pattern . (_) @name) @parameter (#set! array "tuple"))
((dictionary_splat_pattern . (_) @name) @parameter (#set! array "dict"))

(import_statement name: (_)* @declarator) @hook.import
(import_from_statement module_name: (_) @object name: (_)* @declarator) @hook.from
(aliased_import name: (_) @value alias: (_) @name) @skip
(future_import_statement) @skip

; Statements

(expression_statement) @hook.statement
(assignment left: (_) @left type: (_)? @type right: (_)? @right) @hook.assignment
(augmented_assignment left: (_) @left right: (_) @right) @hook.augmented
(if_statement condition: (_) @condition consequence: (_) @body alternative: (_)* @alternative) @if
(elif_clause condition: (_) @condition consequence: (_) @body) @if
(while_statement condition: (_) @condition body: (_) @body alternative: (_)? @alternative) @while
(for_statement left: (_) @left right: (_) @right body: (_) @body alternative: (_)? @alternative) @hook.for
(delete_statement) @hook.delete
[(break_statement) (continue_statement)] @jump
(try_statement
  body: (_) @body
  (except_clause)* @alternative
  (else_clause)? @value
  (finally_clause)? @right) @try
(with_item value: (_) @value) @hook.with
(except_clause value: (_)? @value alias: (_)? @left) @hook.except
(as_pattern . (_) @value alias: (_) @left) @unwrap
(match_statement body: (_) @body) @hook.match
(return_statement (_)? @value) @return
(raise_statement cause: (_)? @right) @hook.raise
(assert_statement . (_) @condition) @assert
[(global_statement) (nonlocal_statement)] @hook.outer

; Values

((identifier) @name (#set! callee "value"))
(attribute object: (_) @object attribute: (_) @name) @hook.attribute
(call
  function: (_) @function
  arguments: (argument_list) @arguments
  arguments: (generator_expression) @value) @hook.call
(keyword_argument name: (_) @name value: (_) @value) @argument
[(list_splat) (dictionary_splat)] @spread
(lambda parameters: (_)? @parameters body: (_) @body) @lambda
(subscript value: (_) @object subscript: (_)* @value) @hook.subscript
(named_expression name: (_) @left value: (_) @right) @assign
(binary_operator left: (_) @left right: (_) @right) @hook.operator
((boolean_operator left: (_) @left right: (_) @right) @logic (#set! and "and"))
((not_operator) @not (#set! type "bool"))
(conditional_expression) @hook.conditional
(await (_) @value) @unwrap
(yield) @hook.yield
[(parenthesized_expression) (type)] @group
(unary_operator) @hook.unary

(comparison_operator) @hook.comparison
([(true) (false)] @literal (#set! type "bool"))
((integer) @literal (#set! type "int"))
((float) @literal (#set! type "float"))
((none) @literal (#set! type "None"))
[(string) (concatenated_string)] @hook.string
((list) @collection (#set! type "list"))
((set) @collection (#set! type "set"))
[(tuple) (expression_list) (pattern_list)] @tuple
((dictionary) @collection (#set! type "dict"))
(pair key: (_) @left value: (_) @right) @pair

((list_comprehension) @hook.comprehension (#set! type "list"))
((set_comprehension) @hook.comprehension (#set! type "set"))
((dictionary_comprehension) @hook.comprehension (#set! type "dict"))
((generator_expression) @hook.comprehension (#set! type "Generator"))
(for_in_clause left: (_) @left right: (_) @right) @hook.for_in
(if_clause (_) @condition) @hook.if_in

; Types

(identifier) @type.hook.name
(attribute) @type.hook.dotted
(subscript value: (_) @type subscript: (_) @type_arguments) @type.hook.application
(generic_type . (_) @type (type_parameter (_) @type_arguments)) @type.hook.application
[(type) (parenthesized_expression) (constrained_type) (splat_type) (list_splat . (_) @type)] @type.group
[(binary_operator) (union_type)] @type.union
(member_type . (_) @object (identifier) @name) @type.member
(list) @type.tuple
((none) @type.builtin (#set! type "None"))
(string) @type.hook.quoted
[(await) (boolean_operator) (call) (comparison_operator) (concatenated_string) (conditional_expression) (dictionary)
 (dictionary_comprehension) (dictionary_splat) (ellipsis) (expression_list) (false) (float) (generator_expression)
 (integer) (keyword_argument) (lambda) (list_comprehension) (named_expression) (not_operator) (set)
 (set_comprehension) (slice) (true) (tuple) (unary_operator) (yield)] @type.hook.value

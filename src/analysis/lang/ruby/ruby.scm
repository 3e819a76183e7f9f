; Ruby. See src/analysis/lang/common/patterns.rs for the notation.

; Types

(class
  name: (_) @name
  superclass: (superclass (_) @extends)?
  body: (_)? @body) @hook.class
(module name: (_) @name body: (_)? @body) @hook.module
(singleton_class value: (_) @value body: (_)? @body) @hook.singleton_class

; Members

(method
  name: (_) @name
  parameters: (_)? @parameters
  body: (_)? @body) @hook.method
(singleton_method
  name: (_) @name
  parameters: (_)? @parameters
  body: (_)? @body) @hook.singleton_method
(alias) @hook.alias
(undef) @skip

[(splat_parameter name: (_)? @name) (hash_splat_parameter name: (_)? @name) (block_parameter name: (_)? @name)] @parameter
[(optional_parameter name: (_) @name value: (_) @value) (keyword_parameter name: (_) @name value: (_)? @value)] @parameter
(destructured_parameter) @hook.destructured

; Statements

[(program) (then) (else) (do) (block_body) (parenthesized_statements) (interpolation)] @sequence
[(body_statement) (begin)] @hook.body
(rescue) @hook.rescue
(return) @hook.return
[(if consequence: (_) @value alternative: (_)? @value)
 (unless consequence: (_) @value alternative: (_)? @value)
 (elsif consequence: (_) @value alternative: (_)? @value)
 (conditional consequence: (_) @value alternative: (_) @value)
 (if_modifier body: (_) @value)
 (unless_modifier body: (_) @value)
 (rescue_modifier body: (_) @value handler: (_) @value)
 (when body: (_) @value)
 (in_clause body: (_) @value)] @either
(case (when) @value (else) @value) @either
(case_match clauses: (_) @value else: (_)? @value) @either
(for pattern: (identifier) @name value: (in (_) @right) body: (_) @body) @loop
[(assignment) (operator_assignment)] @hook.assignment

; Expressions

((identifier) @hook.identifier (#set! parameter "name"))
(constant) @name
(scope_resolution) @hook.scope_resolution
(self) @hook.self
(super) @hook.super
[(instance_variable) (class_variable)] @hook.variable
(call) @hook.call
(element_reference object: (_) @object) @hook.index
(binary) @hook.binary
(unary) @hook.unary
(block parameters: (_)? @parameters body: (_)? @body) @lambda
(do_block parameters: (_)? @parameters body: (_)? @body) @lambda
(lambda parameters: (_)? @parameters body: (_) @body) @lambda
(pair value: (_)? @value) @hook.pair

[(string) (chained_string) (heredoc_beginning) (subshell) (character)] @hook.string
[(simple_symbol) (delimited_symbol) (hash_key_symbol)] @hook.symbol
((integer) @literal (#set! type "Integer"))
((float) @literal (#set! type "Float"))
((regex) @literal (#set! type "Regexp"))
((range) @literal (#set! type "Range"))
((hash) @literal (#set! type "Hash"))
[(array) (string_array) (symbol_array)] @hook.array

; Types

(constant) @type.name
(scope_resolution) @type.hook.scope_resolution
(call) @type.hook.base_call
(element_reference object: (_) @type) @type.group

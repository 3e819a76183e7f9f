; R. See src/analysis/lang/tags/mod.rs for the captures.

(binary_operator lhs: (identifier) @name rhs: (call function: [
    (identifier) @_word
    (namespace_operator rhs: (identifier) @_word)])
  (#any-of? @_word "R6Class" "setRefClass")) @definition.class
(call
  function: [(identifier) @_word (namespace_operator rhs: (identifier) @_word)]
  arguments: (arguments argument: (argument value: (call
    function: (identifier) @_list
    arguments: (arguments argument: (argument name: (identifier) @name value: (function_definition)) @definition.function))))
  (#any-of? @_word "R6Class" "setRefClass")
  (#eq? @_list "list"))
(binary_operator lhs: [(identifier) @name (string content: (string_content) @name)] rhs: (function_definition)) @definition.function
(binary_operator lhs: (function_definition) operator: "->" rhs: (identifier) @name) @definition.function
(program (binary_operator lhs: (identifier) @name operator: ["<-" "=" "<<-"]) @definition.variable)
(call
  function: (identifier) @_word
  arguments: (arguments . argument: (argument value: (string content: (string_content) @name)))
  (#eq? @_word "setClass")) @definition.class
(call
  function: (identifier) @_word
  arguments: (arguments . argument: (argument value: (string content: (string_content) @name)))
  (#any-of? @_word "setGeneric" "setMethod")) @definition.function

(parameter name: (identifier) @local)
(braced_expression (binary_operator lhs: (identifier) @local operator: ["<-" "="]
  rhs: [(call) (identifier) (string) (float) (integer) (binary_operator) (subset) (subset2)]))

(call function: (identifier) @name
  (#not-any-of? @name "library" "require" "setClass" "setGeneric" "setMethod" "standardGeneric")) @reference.call
(call function: (namespace_operator rhs: (identifier) @name)) @reference.call
(call function: (extract_operator lhs: (_) @receiver rhs: (identifier) @name)) @reference.call
(argument value: (identifier) @name) @reference.read
(binary_operator rhs: (identifier) @name) @reference.read

; Elixir. See src/analysis/lang/tags/mod.rs for the captures.

(call target: (identifier) @_word (arguments . (alias) @name)
  (#eq? @_word "defmodule")) @definition.module
(call target: (identifier) @_word (arguments . (alias) @name)
  (#eq? @_word "defprotocol")) @definition.protocol
(call target: (identifier) @_word (arguments . (alias) @name (keywords (pair value: (alias) @name)))
  (#eq? @_word "defimpl")) @definition.module

(call target: (identifier) @_word
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")])
  (#any-of? @_word "def" "defp" "defdelegate" "defguard" "defguardp" "defn" "defnp")) @definition.function
(call target: (identifier) @_word
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")])
  (#any-of? @_word "defmacro" "defmacrop")) @definition.macro
(unary_operator operand: (call target: (identifier) @_word
  (arguments (binary_operator left: [(identifier) @name (call target: (identifier) @name)])))
  (#any-of? @_word "type" "typep" "opaque")) @definition.type
(unary_operator operand: (call target: (identifier) @_word
  (arguments (binary_operator left: (call target: (identifier) @name))))
  (#any-of? @_word "callback" "macrocallback")) @definition.function

(unary_operator operand: (call target: (identifier) @_word (arguments (string (quoted_content) @doc)))
  (#any-of? @_word "doc" "typedoc"))
(unary_operator operand: (call target: (identifier) @_word (arguments (string (quoted_content) @doc.inside)))
  (#eq? @_word "moduledoc"))

(unary_operator operand: (call target: (identifier) @_word (arguments (alias) @name))
  (#eq? @_word "behaviour")) @reference.implements
(unary_operator operator: "@" operand: (call target: (identifier) @name)) @reference.ignored
(unary_operator operator: "@" operand: (call (arguments (binary_operator left: (call target: (identifier) @name))))) @reference.ignored
(unary_operator operator: "@" operand: (call
  (arguments (binary_operator left: (binary_operator left: (call target: (identifier) @name)))))) @reference.ignored
(call target: (identifier) @name
  (#not-any-of? @name "alias" "def" "defdelegate" "defexception" "defguard" "defguardp" "defimpl" "defmacro"
    "defmacrop" "defmodule" "defn" "defnp" "defoverridable" "defp" "defprotocol" "defstruct" "describe" "import" "quote"
    "require" "test" "unquote" "use")) @reference.call
(call target: (identifier) @_word (arguments . (alias) @name (keywords (pair value: (alias) @alias)))
  (#eq? @_word "alias"))
(call target: (identifier) @_word (arguments . (alias) @name @alias .) (#eq? @_word "alias"))
(call target: (identifier) @_word (arguments . (dot left: (alias) @name right: (tuple (alias) @name @alias)))
  (#eq? @_word "alias"))
(call target: (dot left: (atom) right: (identifier) @name)) @reference.ignored
; What has no parentheses after a value is a field of it.
(call target: (dot left: [(identifier) (call)] right: (identifier) @name) .) @reference.ignored
(call target: (dot left: (_) @receiver right: (identifier) @name)) @reference.call
(binary_operator operator: "|>" right: (identifier) @name) @reference.call
(unary_operator operator: "&" operand: (binary_operator left: (identifier) @name operator: "/")) @reference.call
(call target: (dot right: (identifier) @_read) (arguments . (string (quoted_content) @env.reads))
  (#any-of? @_read "fetch_env" "fetch_env!" "get_env"))
(alias) @name @reference.type

; Clojure. See src/analysis/lang/tags/mod.rs for the captures.

(list_lit . (sym_lit (sym_name) @_word) . (sym_lit (sym_name) @name)
  (#any-of? @_word "ns" "in-ns") (#set! scope "file")) @definition.module
(list_lit . (sym_lit (sym_name) @_word) . (sym_lit (sym_name) @name)
  (#any-of? @_word "defn" "defn-" "defmulti" "deftest" "defspec")) @definition.function
(list_lit . (sym_lit (sym_name) @_word) . (sym_lit (sym_name) @name)
  (#any-of? @_word "defmacro")) @definition.macro
(list_lit . (sym_lit (sym_name) @_word) . (sym_lit (sym_name) @name)
  (#any-of? @_word "defrecord" "deftype")) @definition.class
(list_lit . (sym_lit (sym_name) @_word) . (sym_lit (sym_name) @name)
  (#eq? @_word "defprotocol")) @definition.protocol
(list_lit . (sym_lit (sym_name) @_word) . (sym_lit (sym_name) @name)
  (#any-of? @_word "def" "defonce")) @definition.variable
(list_lit . (sym_lit (sym_name) @_word) (list_lit . (sym_lit (sym_name) @name) . (vec_lit)) @definition.function
  (#any-of? @_word "defprotocol" "defrecord" "deftype" "extend-type"))
(list_lit . (sym_lit (sym_name) @_word) . (sym_lit) . (str_lit) @doc.inside
  (#match? @_word "^(ns$|def)"))

(list_lit . (sym_lit (sym_name) @_word) . (sym_lit) (sym_lit (sym_name) @name) @reference.implements
  (#any-of? @_word "defrecord" "deftype"))
(list_lit . (sym_lit (sym_name) @_word) . (sym_lit (sym_name) @name)
  (#eq? @_word "defmethod")) @reference.call
(list_lit . (sym_lit !namespace name: (sym_name) @name)
  (#any-of? @name "and" "case" "catch" "cond" "def" "defmacro" "defmethod" "defmulti" "defn" "defn-" "defonce"
    "defprotocol" "defrecord" "deftest" "deftype" "do" "doseq" "dotimes" "fn" "for" "if" "if-let" "if-not" "let" "loop"
    "ns" "or" "quote" "recur" "reify" "throw" "try" "when" "when-let" "when-not")) @reference.ignored
(list_lit . (sym_lit namespace: (sym_ns) @receiver name: (sym_name) @name)) @reference.call
(list_lit . (sym_lit !namespace name: (sym_name) @name)) @reference.call
(vec_lit . (sym_lit) @name . (kwd_lit (kwd_name) @_as) . (sym_lit) @alias (#eq? @_as "as"))
; Parameters, and names that `let` binds.
(list_lit . (sym_lit (sym_name) @_word) (vec_lit (sym_lit !namespace name: (sym_name) @local))
  (#any-of? @_word "defn" "defn-" "defmacro" "fn" "let" "loop" "if-let" "when-let" "for" "doseq" "binding"))
(list_lit . (sym_lit (sym_name) @_word) (list_lit . (vec_lit (sym_lit !namespace name: (sym_name) @local)))
  (#any-of? @_word "defn" "defn-" "defmacro" "fn"))
(list_lit . (sym_lit (sym_name) @_word)
  (vec_lit (map_lit (vec_lit (sym_lit !namespace name: (sym_name) @local))))
  (#any-of? @_word "defn" "defn-" "fn" "let"))
(vec_lit (sym_lit !namespace name: (sym_name) @name)) @reference.ignored
(sym_lit namespace: (sym_ns) @receiver name: (sym_name) @name) @reference.read
(sym_lit !namespace name: (sym_name) @name) @reference.read
(list_lit . (sym_lit (sym_name) @_read) . (str_lit) @env.reads
  (#any-of? @_read "getenv" "System/getenv"))

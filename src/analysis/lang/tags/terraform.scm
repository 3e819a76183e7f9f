; HCL, as Terraform uses it. See src/analysis/lang/tags/mod.rs for the captures.

(block . (identifier) @_word . (string_lit (template_literal) @name) . (block_start)
  (#eq? @_word "variable") (#set! prefix "var")) @definition.variable
(block . (identifier) @_word . (string_lit (template_literal) @name) . (block_start)
  (#eq? @_word "output") (#set! prefix "output")) @definition.variable
(block . (identifier) @_word . (string_lit (template_literal) @name) . (block_start)
  (#eq? @_word "module") (#set! prefix "module")) @definition.class
(block . (identifier) @_word . (string_lit (template_literal) @name) . (block_start)
  (#eq? @_word "provider") (#set! prefix "provider")) @definition.class
(block . (identifier) @_word . (string_lit (template_literal) @name) . (string_lit (template_literal) @name)
  (#any-of? @_word "resource" "ephemeral")) @definition.class
(block . (identifier) @_word . (string_lit (template_literal) @name) . (string_lit (template_literal) @name)
  (#eq? @_word "data") (#set! prefix "data")) @definition.class
(block . (identifier) @_word (body (attribute (identifier) @name) @definition.variable)
  (#eq? @_word "locals") (#set! prefix "local"))

; An operation ends before the attribute of its last variable: in `a && var.b` the node of `.b` follows that of `a && var`.
((variable_expr (identifier) @name @_first) @reference.read . (get_attr (identifier) @name)
  (#not-any-of? @_first "count" "data" "each" "path" "self" "terraform"))
((operation (binary_operation (variable_expr (identifier) @name @_first) @reference.read .)) . (get_attr (identifier) @name)
  (#not-any-of? @_first "count" "data" "each" "path" "self" "terraform"))
((operation (unary_operation (variable_expr (identifier) @name @_first) @reference.read .)) . (get_attr (identifier) @name)
  (#not-any-of? @_first "count" "data" "each" "path" "self" "terraform"))
((operation (binary_operation (operation (unary_operation (variable_expr (identifier) @name @_first) @reference.read .)) .)) . (get_attr (identifier) @name)
  (#not-any-of? @_first "count" "data" "each" "path" "self" "terraform"))
((variable_expr (identifier) @name @_first) @reference.read . (get_attr (identifier) @name) . (get_attr (identifier) @name)
  (#eq? @_first "data"))
((operation (binary_operation (variable_expr (identifier) @name @_first) @reference.read .)) . (get_attr (identifier) @name) . (get_attr (identifier) @name)
  (#eq? @_first "data"))
((operation (unary_operation (variable_expr (identifier) @name @_first) @reference.read .)) . (get_attr (identifier) @name) . (get_attr (identifier) @name)
  (#eq? @_first "data"))
((operation (binary_operation (operation (unary_operation (variable_expr (identifier) @name @_first) @reference.read .)) .)) . (get_attr (identifier) @name) . (get_attr (identifier) @name)
  (#eq? @_first "data"))

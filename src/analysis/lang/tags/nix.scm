; Nix. See src/analysis/lang/tags/mod.rs for the captures.

(binding attrpath: (attrpath) @name expression: (function_expression)) @definition.function
(let_expression (binding_set (binding attrpath: (attrpath) @name) @definition.variable))
(source_code (attrset_expression (binding_set (binding attrpath: (attrpath) @name) @definition.variable)))
(source_code (rec_attrset_expression (binding_set (binding attrpath: (attrpath) @name) @definition.variable)))
(source_code (function_expression
  body: (attrset_expression (binding_set (binding attrpath: (attrpath) @name) @definition.variable))))
(source_code (function_expression body: (let_expression
  body: (attrset_expression (binding_set (binding attrpath: (attrpath) @name) @definition.variable)))))

(formal name: (identifier) @local)
(function_expression universal: (identifier) @local)

(apply_expression function: (select_expression
  expression: (_) @receiver
  attrpath: (attrpath (identifier) @name .)) (#not-any-of? @receiver "lib" "builtins" "pkgs")) @reference.call
(apply_expression function: (variable_expression name: (identifier) @name)) @reference.call
(variable_expression name: (identifier) @name) @reference.read
(select_expression expression: (_) @receiver attrpath: (attrpath . (identifier) @name)) @reference.read

; Elm. See src/analysis/lang/tags/mod.rs for the captures.

(module_declaration name: (upper_case_qid) @name (#set! scope "file")) @definition.module
(type_alias_declaration name: (upper_case_identifier) @name) @definition.type
(type_declaration name: (upper_case_identifier) @name) @definition.class
(union_variant name: (upper_case_identifier) @name) @definition.variant
(file (type_annotation name: (lower_case_identifier) @name) @definition.function)
(file (value_declaration
  functionDeclarationLeft: (function_declaration_left . (lower_case_identifier) @name)) @definition.function)
(port_annotation name: (lower_case_identifier) @name) @definition.function

(import_clause moduleName: (upper_case_qid) @name asClause: (as_clause name: (upper_case_identifier) @alias))
(lower_pattern (lower_case_identifier) @local)
(let_in_expr (value_declaration
  functionDeclarationLeft: (function_declaration_left . (lower_case_identifier) @local (#set! scope "function"))))

(function_call_expr target: (value_expr name: (value_qid . (lower_case_identifier) @name))) @reference.call
(function_call_expr target: (value_expr
  name: (value_qid (upper_case_identifier) @receiver (dot) . (lower_case_identifier) @name))) @reference.call
(value_expr name: (value_qid . (lower_case_identifier) @name)) @reference.read
(value_expr name: (value_qid (upper_case_identifier) @receiver (dot) . (lower_case_identifier) @name)) @reference.read
(value_expr name: (upper_case_qid (upper_case_identifier) @name .)) @reference.call
(type_ref (upper_case_qid (upper_case_identifier) @name .)) @reference.type
(union_pattern constructor: (upper_case_qid (upper_case_identifier) @name .)) @reference.read

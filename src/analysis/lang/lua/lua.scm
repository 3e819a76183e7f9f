; Lua. See src/analysis/lang/common/patterns.rs for the notation.

; Definitions

(function_declaration name: (_) @name parameters: (_) @parameters body: (_)? @body) @hook.function
(function_definition parameters: (_) @parameters body: (_)? @body) @lambda
(variable_declaration) @hook.local
(assignment_statement) @hook.assignment

; Statements

[(block) (do_statement) (while_statement) (repeat_statement) (if_statement)] @block
[(for_statement) (for_generic_clause)] @block
(variable_list) @hook.names
(return_statement (expression_list (_) @value)) @hook.return
[(goto_statement) (label_statement) (break_statement) (hash_bang_line)] @skip

; Expressions

((identifier) @name (#set! receiver "self"))
(dot_index_expression table: (_) @object field: (_) @name) @member
(method_index_expression table: (_) @object method: (_) @name) @member
(bracket_index_expression table: (_) @object) @index
(function_call name: (_) @function arguments: (_) @arguments) @hook.call
(field value: (_) @value) @argument
(binary_expression left: (_) @value right: (_) @value) @either
(parenthesized_expression) @group

((string) @literal (#set! type "string"))
((number) @literal (#set! type "number"))

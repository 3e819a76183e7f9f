; C. See src/analysis/lang/common/patterns.rs for the notation.

(preproc_include path: (_) @name) @hook.include
(preproc_def name: (_) @name value: (_)? @value) @hook.macro
(preproc_function_def name: (_) @name parameters: (_) @parameters value: (_)? @value) @hook.macro
[(preproc_call) (attribute_specifier) (attribute_declaration) (ms_declspec_modifier) (ms_call_modifier)
 (gnu_asm_expression) (storage_class_specifier) (type_qualifier)] @skip

; Definitions

(function_definition type: (_)? @type declarator: (_) @declarator body: (_)? @body) @hook.function
(declaration type: (_) @type declarator: (_) @declarator) @hook.declaration
(field_declaration type: (_) @type declarator: (_)* @declarator) @hook.field
(type_definition type: (_) @type declarator: (_) @declarator) @hook.typedef
(struct_specifier name: (_)? @name body: (_)? @body) @hook.record
(union_specifier name: (_)? @name body: (_)? @body) @hook.record
(enum_specifier name: (_)? @name body: (_)? @body) @hook.enum
(enumerator name: (_) @name value: (_)? @value) @definition.variant

; Statements

[(compound_statement) (for_statement)] @block
(return_statement (_)? @value) @return
[(break_statement) (continue_statement) (goto_statement)] @skip

; Expressions

(identifier) @name
(field_expression argument: (_) @object field: (_) @name) @member
(call_expression function: (_) @function arguments: (_) @arguments) @call
(subscript_expression argument: (_) @object) @index
(cast_expression type: (_) @type value: (_) @value) @cast
(compound_literal_expression type: (_) @type value: (_) @value) @hook.compound_literal
(type_descriptor) @hook.type
(initializer_pair value: (_) @value) @hook.pair
(conditional_expression consequence: (_) @value alternative: (_) @value) @either
(assignment_expression left: (_) @left right: (_) @right) @assign
(comma_expression) @sequence
[(parenthesized_expression) (pointer_expression)] @group

([(string_literal) (concatenated_string)] @literal (#set! type "char"))
([(char_literal) (number_literal) (sizeof_expression) (offsetof_expression)] @literal (#set! type "int"))
([(true) (false)] @literal (#set! type "bool"))

; Types

(type_identifier) @type.name
[(primitive_type) (sized_type_specifier)] @type.builtin
[(struct_specifier) (union_specifier) (enum_specifier)] @type.hook.tag
(type_descriptor type: (_) @type) @type.group

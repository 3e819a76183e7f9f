; TypeScript and JavaScript. See src/analysis/lang/common/patterns.rs for the notation.

; Definitions, imports and exports

[(function_declaration) (generator_function_declaration) (function_signature) (class_declaration)
 (abstract_class_declaration) (interface_declaration) (type_alias_declaration) (enum_declaration) (module)
 (internal_module) (lexical_declaration) (variable_declaration)] @hook.declaration
(ambient_declaration) @hook.ambient
(import_statement) @hook.import
(import_alias) @hook.import_alias
(export_statement) @hook.export
(decorator) @hook.decorator

; Statements

(expression_statement) @hook.statement
(statement_block) @hook.block
(if_statement) @hook.if
(for_in_statement) @hook.for
(catch_clause) @hook.catch
(return_statement) @hook.return
(throw_statement) @hook.throw

; Values

(identifier) @hook.name
(member_expression object: (_) @object property: (_) @name) @hook.member
(subscript_expression) @hook.subscript
(call_expression) @hook.call
(new_expression) @hook.new
[(arrow_function) (function_expression) (generator_function)] @hook.lambda
(class) @hook.class
(object) @hook.object
(array) @hook.array
(parenthesized_expression) @group
(non_null_expression) @hook.non_null
(sequence_expression) @hook.sequence
[(as_expression) (satisfies_expression)] @hook.cast
(await_expression (_) @value) @unwrap
(assignment_expression) @hook.assignment
(augmented_assignment_expression) @hook.augmented
(binary_expression) @hook.binary
(ternary_expression) @hook.ternary
(unary_expression) @hook.unary
(update_expression) @hook.update
(instantiation_expression) @hook.instantiation
(this) @hook.this
(super) @parent
(string) @hook.string
(template_string) @hook.template
((number) @literal (#set! type "number"))
([(true) (false)] @literal (#set! type "boolean"))
((regex) @literal (#set! type "RegExp"))
[(null) (undefined)] @skip

; Types

[(type_identifier) (identifier)] @type.name
[(nested_type_identifier) (nested_identifier) (member_expression)] @type.hook.qualified
(generic_type name: (_) @type type_arguments: (_) @type_arguments) @type.apply
(predefined_type) @type.hook.predefined
((array_type (_) @type) @type.array (#set! type "Array"))
(rest_type) @type.hook.rest
[(union_type) (intersection_type)] @type.union
(tuple_type) @type.tuple
[(required_parameter) (optional_parameter)] @type.hook.tuple_part
(object_type) @type.hook.object
(function_type) @type.hook.function
(constructor_type) @type.hook.constructor
[(literal_type) (template_literal_type)] @type.hook.literal
(type_query) @type.hook.query
(lookup_type) @type.hook.lookup
(conditional_type) @type.hook.conditional
[(this_type) (this)] @type.hook.this
(index_type_query) @type.hook.keys
(infer_type) @type.hook.infer
[(type_predicate) (asserts)] @type.hook.predicate
(call_expression) @type.hook.import

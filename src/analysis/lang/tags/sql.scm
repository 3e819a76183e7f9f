; SQL. See src/analysis/lang/tags/mod.rs for the captures.

(create_table (object_reference schema: (identifier)? @name name: (identifier) @name)) @definition.class
(create_view (object_reference schema: (identifier)? @name name: (identifier) @name)) @definition.class
(create_materialized_view (object_reference schema: (identifier)? @name name: (identifier) @name)) @definition.class
(cte . (identifier) @name) @definition.class
(column_definition name: (identifier) @name) @definition.field
(create_type . (keyword_create) . (keyword_type) . (object_reference schema: (identifier)? @name name: (identifier) @name)) @definition.type
(create_function . (keyword_create) (keyword_function) . (object_reference schema: (identifier)? @name name: (identifier) @name)) @definition.function
(create_trigger (keyword_trigger) . (object_reference schema: (identifier)? @name name: (identifier) @name)) @definition.function
(create_index column: (identifier) @name) @definition.variable

(relation (object_reference schema: (identifier)? @name name: (identifier) @name)) @reference.read
(from (object_reference schema: (identifier)? @name name: (identifier) @name)) @reference.read
(insert (object_reference schema: (identifier)? @name name: (identifier) @name)) @reference.read
(column_definition (object_reference schema: (identifier)? @name name: (identifier) @name)) @reference.read
(constraint (object_reference schema: (identifier)? @name name: (identifier) @name)) @reference.read
(alter_table (object_reference schema: (identifier)? @name name: (identifier) @name)) @reference.read
(create_index (object_reference schema: (identifier)? @name name: (identifier) @name)) @reference.read
(create_trigger (keyword_on) . (object_reference schema: (identifier)? @name name: (identifier) @name)) @reference.read
(create_trigger (keyword_execute) (object_reference schema: (identifier)? @name name: (identifier) @name) .) @reference.call
(invocation (object_reference schema: (identifier)? @name name: (identifier) @name)) @reference.call

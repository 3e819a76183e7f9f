; GraphQL. See src/analysis/lang/tags/mod.rs for the captures.

(object_type_definition (description)? @doc (name) @name) @definition.class
(object_type_extension (name) @name) @definition.class
(interface_type_definition (description)? @doc (name) @name) @definition.interface
(interface_type_extension (name) @name) @definition.interface
(input_object_type_definition (description)? @doc (name) @name) @definition.class
(input_object_type_extension (name) @name) @definition.class
(enum_type_definition (description)? @doc (name) @name) @definition.class
(enum_type_extension (name) @name) @definition.class
(enum_value_definition (enum_value (name) @name)) @definition.variant
(union_type_definition (description)? @doc (name) @name) @definition.type
(scalar_type_definition (description)? @doc (name) @name) @definition.type
(directive_definition (description)? @doc (name) @name) @definition.function
(field_definition (description)? @doc (name) @name) @definition.field
(input_fields_definition (input_value_definition (description)? @doc (name) @name) @definition.field)
(operation_definition (name) @name) @definition.function
(fragment_definition (fragment_name (name) @name)) @definition.function

(implements_interfaces (named_type (name) @name)) @reference.implements
(named_type (name) @name) @reference.type
(fragment_spread (fragment_name (name) @name)) @reference.call
(directive (name) @name) @reference.call

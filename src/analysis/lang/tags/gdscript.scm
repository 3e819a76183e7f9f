; GDScript. See src/analysis/lang/tags/mod.rs for the captures.

(class_name_statement name: (name) @name (#set! scope "file")) @definition.class
(class_definition name: (name) @name) @definition.class
(enum_definition name: (name) @name) @definition.class
(enumerator left: (identifier) @name) @definition.variant
(function_definition name: (name) @name) @definition.function
(constructor_definition "_init" @name) @definition.function
(signal_statement name: (name) @name) @definition.field
(const_statement name: (name) @name) @definition.constant
(variable_statement name: (name) @name) @definition.variable
(export_variable_statement name: (name) @name) @definition.variable
(onready_variable_statement name: (name) @name) @definition.variable

(extends_statement (type (identifier) @name)) @reference.extends
(call (identifier) @name) @reference.call
(attribute (_) @receiver . (attribute_call (identifier) @name)) @reference.call
(type (identifier) @name) @reference.type

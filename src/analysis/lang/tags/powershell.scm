; PowerShell. See src/analysis/lang/tags/mod.rs for the captures.

(function_statement (function_name) @name) @definition.function
(class_statement . (simple_name) @name) @definition.class
(class_method_definition (simple_name) @name) @definition.function
(class_property_definition (variable) @name) @definition.field
(enum_statement . (simple_name) @name) @definition.class
(enum_member (simple_name) @name) @definition.variant

(class_statement . (simple_name) . (simple_name) @name @reference.extends)
(command command_name: (command_name) @name) @reference.call
(invokation_expression . (_) @receiver (member_name (simple_name) @name)) @reference.call
(type_identifier) @name @reference.type

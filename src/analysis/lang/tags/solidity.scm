; Solidity. See src/analysis/lang/tags/mod.rs for the captures.

(contract_declaration name: (identifier) @name) @definition.class
(library_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(struct_declaration name: (identifier) @name) @definition.class
(struct_member name: (identifier) @name) @definition.field
(enum_declaration name: (identifier) @name) @definition.class
(enum_value) @name @definition.variant
(event_definition name: (identifier) @name) @definition.type
(error_declaration name: (identifier) @name) @definition.type
(user_defined_type_definition name: (identifier) @name) @definition.type
(function_definition name: (identifier) @name) @definition.function
(modifier_definition name: (identifier) @name) @definition.function
(constructor_definition "constructor" @name) @definition.function
(state_variable_declaration
  type: (type_name (user_defined_type . (identifier) @type .)) name: (identifier) @name) @definition.field
(state_variable_declaration name: (identifier) @name) @definition.field
(constant_variable_declaration name: (identifier) @name) @definition.constant

(parameter type: (type_name (user_defined_type . (identifier) @type .)) name: (identifier) @local)
(parameter name: (identifier) @local)
(variable_declaration type: (type_name (user_defined_type . (identifier) @type .)) name: (identifier) @local)
(variable_declaration name: (identifier) @local)

(inheritance_specifier ancestor: (user_defined_type (identifier) @name)) @reference.extends
(call_expression function: (expression (identifier) @name)) @reference.call
(call_expression function: (expression (member_expression object: (_) @receiver property: (identifier) @name))) @reference.call
(new_expression name: (type_name (user_defined_type (identifier) @name))) @reference.call
(emit_statement name: (expression (identifier) @name)) @reference.call
(revert_statement error: (expression (identifier) @name)) @reference.call
(modifier_invocation (identifier) @name) @reference.call
(user_defined_type (identifier) @name) @reference.type
(using_directive (type_alias (identifier) @name)) @reference.type

; Groovy. See src/analysis/lang/tags/mod.rs for the captures.

(class_declaration name: (identifier) @name) @definition.class
(trait_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.class
(enum_constant name: (identifier) @name) @definition.variant
(method_declaration name: [(identifier) @name (quoted_identifier) @name]) @definition.function
(constructor_declaration name: (identifier) @name) @definition.function
(field_declaration type: (type_identifier) @type (variable_declarator name: (identifier) @name) @definition.field)
(field_declaration (variable_declarator name: (identifier) @name) @definition.field)

(formal_parameter type: (type_identifier) @type name: (identifier) @local)
(formal_parameter name: (identifier) @local)
(closure_parameter type: (type_identifier) @type name: (identifier) @local)
(closure_parameter name: (identifier) @local)
(local_variable_declaration type: (type_identifier) @type name: (identifier) @local)
(local_variable_declaration name: (identifier) @local)
(local_variable_declaration (variable_declarator
  name: (identifier) @local
  value: (object_creation_expression type: (type_identifier) @type)))
(local_variable_declaration (variable_declarator name: (identifier) @local))

(superclass (type_identifier) @name) @reference.extends
(superclass (generic_type base: (type_identifier) @name)) @reference.extends
(super_interfaces (type_identifier) @name) @reference.implements
(super_interfaces (generic_type base: (type_identifier) @name)) @reference.implements
(method_invocation function: (identifier) @name) @reference.call
(method_invocation function: (field_access object: (_) @receiver field: (identifier) @name)) @reference.call
(method_invocation function: (safe_navigation_expression
  object: (_) @receiver property: (identifier) @name)) @reference.call
(object_creation_expression type: (type_identifier) @name) @reference.call
(type_identifier) @name @reference.type

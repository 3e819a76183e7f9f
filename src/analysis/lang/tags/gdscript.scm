; GDScript. See src/analysis/lang/tags/mod.rs for the captures.

(class_name_statement name: (name) @name (#set! scope "file")) @definition.class
(class_definition name: (name) @name) @definition.class
(enum_definition name: (name) @name) @definition.class
(enumerator left: (identifier) @name) @definition.variant
(function_definition name: (name) @name) @definition.function
(constructor_definition "_init" @name) @definition.function
(signal_statement name: (name) @name) @definition.field
(const_statement name: (name) @name) @definition.constant
(const_statement name: (name) @alias value: (call
  (identifier) @_word (arguments (string) @path)) (#any-of? @_word "load" "preload"))
(body (variable_statement name: (name) @local type: (type . (identifier) @type)))
(body (variable_statement
  name: (name) @local
  value: (attribute (identifier) @type (attribute_call (identifier) @_new)) (#eq? @_new "new")))
(body (variable_statement name: (name) @local))
(variable_statement name: (name) @name type: (type . (identifier) @type)) @definition.variable
(variable_statement name: (name) @name) @definition.variable
(typed_parameter . (identifier) @local type: (type . (identifier) @type))
(typed_default_parameter . (identifier) @local type: (type . (identifier) @type))
(typed_default_parameter . (identifier) @local)
(default_parameter . (identifier) @local)
(parameters (identifier) @local)
(for_statement left: (identifier) @local type: (type . (identifier) @type))
(for_statement left: (identifier) @local)
(export_variable_statement name: (name) @name) @definition.variable
(onready_variable_statement name: (name) @name) @definition.variable

(extends_statement (type (identifier) @name)) @reference.extends
(call (identifier) @name) @reference.call
(attribute (_) @receiver . (attribute_call (identifier) @name)) @reference.call
(type (identifier) @name) @reference.type

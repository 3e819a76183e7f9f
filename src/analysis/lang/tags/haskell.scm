; Haskell. See src/analysis/lang/tags/mod.rs for the captures.

(header module: (module) @name (#set! scope "file")) @definition.module
(data_type name: (name) @name) @definition.class
(newtype name: (name) @name) @definition.class
(type_synonym name: (name) @name) @definition.type
(data_constructor (record name: (constructor) @name)) @definition.variant
(data_constructor (prefix name: (constructor) @name)) @definition.variant
(newtype_constructor name: (constructor) @name) @definition.variant
(field name: (field_name (variable) @name)) @definition.field
(class name: (name) @name) @definition.interface
(class_declarations declaration: (signature name: (variable) @name) @definition.function)
(class_declarations declaration: (function name: (variable) @name) @definition.function)
(instance name: (name) @name patterns: (type_patterns . (name) @name)) @definition.module
(instance_declarations declaration: (function name: (variable) @name) @definition.function)
(instance_declarations declaration: (bind name: (variable) @name) @definition.function)
(declarations (signature name: (variable) @name) @definition.function)
(declarations (function name: (variable) @name) @definition.function)
(declarations (bind name: (variable) @name) @definition.function)

(import module: (module) @name alias: (module) @alias)
(patterns (variable) @local)
(patterns (_ (variable) @local))
(patterns (parens (apply argument: (variable) @local)))
(bind pattern: (variable) @local)
(alternative pattern: (variable) @local)
(alternative pattern: (apply argument: (variable) @local))
(local_binds (bind name: (variable) @local (#set! scope "function")))
(local_binds (function name: (variable) @local (#set! scope "function")))

(instance name: (name) @name) @reference.type
(apply function: (variable) @name) @reference.call
(apply function: (qualified module: (module) @receiver id: (variable) @name)) @reference.call
(apply argument: (variable) @name) @reference.read
(apply argument: (qualified module: (module) @receiver id: (variable) @name)) @reference.read
(infix left_operand: (variable) @name) @reference.read
(infix right_operand: (variable) @name) @reference.read
(infix_id (variable) @name) @reference.call
(match expression: (variable) @name) @reference.read
(apply function: (constructor) @name) @reference.call
(constructor) @name @reference.read
(name) @name @reference.type

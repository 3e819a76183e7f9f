; Erlang. See src/analysis/lang/tags/mod.rs for the captures.

(module_attribute name: (atom) @name (#set! scope "file")) @definition.module
(record_decl name: (atom) @name) @definition.class
(record_decl fields: (record_field name: (atom) @name) @definition.field)
(pp_define lhs: (macro_lhs name: [(var) (atom)] @name)) @definition.macro
(type_alias name: (type_name name: (atom) @name)) @definition.type
(opaque name: (type_name name: (atom) @name)) @definition.type
(fun_decl clause: (function_clause name: (atom) @name)) @definition.function

(spec) @types
(callback) @types
(type_alias) @types
(opaque) @types
(field_type) @types

(behaviour_attribute name: (atom) @name) @reference.implements
(remote module: (remote_module module: (atom) @receiver) fun: (call expr: (atom) @name)) @reference.call
(remote module: (remote_module) fun: (call expr: (atom) @name)) @reference.member
(call expr: (atom) @name) @reference.call
(internal_fun fun: (atom) @name) @reference.call
(external_fun module: (module name: (atom) @receiver) fun: (atom) @name) @reference.call
(macro_call_expr name: [(var) (atom)] @name) @reference.call
(record_expr name: (record_name name: (atom) @name)) @reference.type
(record_update_expr name: (record_name name: (atom) @name)) @reference.type
(record_field_expr name: (record_name name: (atom) @name)) @reference.type

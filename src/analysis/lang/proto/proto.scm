; Protocol Buffers. See src/analysis/lang/common/patterns.rs for the notation.

(package (full_ident) @name) @package
(import path: (string) @name) @hook.import

; Types

[(message (message_name) @name (message_body) @body)
 (group (message_name) @name (message_body) @body)] @definition.type
(enum (enum_name) @name (enum_body) @body) @definition.type
(enum_field (identifier) @name) @definition.variant
[(field (type) @type (identifier) @name)
 (map_field (type) @type (identifier) @name)
 (oneof_field (type) @type (identifier) @name)] @definition.variable

(oneof (identifier) @name) @hook.oneof

; Services

(service (service_name) @name) @hook.service
(rpc (rpc_name) @name) @hook.rpc

; Types of fields

(message_or_enum_type) @type.hook.path

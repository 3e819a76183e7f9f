; Operations and schemas of OpenAPI. See src/analysis/lang/tags/mod.rs for the captures.

(pair value: (object (pair key: (string (string_content) @_key) value: (string (string_content) @name)))
  (#eq? @_key "operationId")) @definition.function
(pair
  key: (string (string_content) @_paths)
  value: (object (pair
    key: (string (string_content) @name)
    value: (object (pair key: (string (string_content) @name @_verb)) @definition.function)))
  (#eq? @_paths "paths") (#any-of? @_verb "delete" "get" "head" "options" "patch" "post" "put" "trace") (#set! named "route"))
(pair
  key: (string (string_content) @_paths)
  value: (object (pair
    key: (string (string_content) @name)
    value: (object (pair key: (string (string_content) @operation)))))
  (#eq? @_paths "paths") (#any-of? @operation "delete" "get" "head" "options" "patch" "post" "put" "trace"))
(pair
  key: (string (string_content) @_schemas)
  value: (object (pair key: (string (string_content) @name) value: (object (pair key: (string (string_content) @_type)))) @definition.type)
  (#any-of? @_schemas "definitions" "schemas")
  (#any-of? @_type "type" "properties" "allOf" "oneOf" "anyOf" "enum"))

; Scripts of npm and Composer.
(document (object (pair
  key: (string (string_content) @_scripts)
  value: (object (pair key: (string (string_content) @name)) @definition.function)))
  (#eq? @_scripts "scripts"))
(document (object (pair
  key: (string (string_content) @_scripts)
  value: (object (pair value: [(string (string_content) @runs) (array (string (string_content) @runs))]))))
  (#eq? @_scripts "scripts"))

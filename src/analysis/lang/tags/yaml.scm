; Workflows of GitHub and GitLab, and services of Compose: jobs and services; operations and schemas of OpenAPI. See
; src/analysis/lang/tags/mod.rs for the captures.

(document (block_node (block_mapping (block_mapping_pair
  key: (flow_node) @_jobs
  value: (block_node (block_mapping (block_mapping_pair key: (flow_node) @name value: (block_node)) @definition.function))))
  (#any-of? @_jobs "jobs" "services")))
(document (block_node (block_mapping (block_mapping_pair
  key: (flow_node) @name
  value: (block_node (block_mapping (block_mapping_pair key: (flow_node) @_key)))
  (#eq? @_key "script")) @definition.function)))
(block_mapping_pair
  key: (flow_node) @_verb
  value: (block_node (block_mapping (block_mapping_pair key: (flow_node) @_key value: (flow_node) @name)))
  (#eq? @_key "operationId")) @definition.function
(block_mapping_pair
  key: (flow_node) @_paths
  value: (block_node (block_mapping (block_mapping_pair
    key: (flow_node) @name
    value: (block_node (block_mapping (block_mapping_pair key: (flow_node) @name @_verb) @definition.function)))))
  (#eq? @_paths "paths") (#any-of? @_verb "delete" "get" "head" "options" "patch" "post" "put" "trace") (#set! named "route"))
(block_mapping_pair
  key: (flow_node) @_paths
  value: (block_node (block_mapping (block_mapping_pair
    key: (flow_node) @name
    value: (block_node (block_mapping (block_mapping_pair key: (flow_node) @operation))))))
  (#eq? @_paths "paths") (#any-of? @operation "delete" "get" "head" "options" "patch" "post" "put" "trace"))
(block_mapping_pair
  key: (flow_node) @_schemas
  value: (block_node (block_mapping (block_mapping_pair
    key: (flow_node) @name
    value: (block_node (block_mapping (block_mapping_pair key: (flow_node) @_type)))) @definition.type))
  (#any-of? @_schemas "definitions" "schemas")
  (#any-of? @_type "type" "properties" "allOf" "oneOf" "anyOf" "enum"))

(block_mapping_pair
  key: (flow_node) @_needs
  value: (flow_node (flow_sequence (flow_node) @name))
  (#any-of? @_needs "needs" "depends_on" "extends" "dependencies")) @reference.call
(block_mapping_pair
  key: (flow_node) @_needs
  value: (flow_node (plain_scalar) @name)
  (#any-of? @_needs "needs" "extends")) @reference.call
(block_mapping_pair
  key: (flow_node) @_needs
  value: (block_node (block_sequence (block_sequence_item (flow_node) @name)))
  (#any-of? @_needs "needs" "depends_on")) @reference.call

; Commands of steps, jobs and services, and variables of their environment.
(block_mapping
  (block_mapping_pair key: (flow_node) @_key value: (_) @runs)
  (block_mapping_pair key: (flow_node) @_folder value: (flow_node) @folder)
  (#eq? @_key "run") (#any-of? @_folder "working-directory" "working_dir"))
(block_mapping
  (block_mapping_pair key: (flow_node) @_folder value: (flow_node) @folder)
  (block_mapping_pair key: (flow_node) @_key value: (_) @runs)
  (#eq? @_key "run") (#any-of? @_folder "working-directory" "working_dir"))
(block_mapping_pair
  key: (flow_node) @_key
  value: (_) @runs
  (#any-of? @_key "run" "script" "before_script" "after_script" "command" "entrypoint" "uses"))
(block_mapping_pair
  key: (flow_node) @_key
  value: (block_node (block_mapping (block_mapping_pair key: (flow_node) @env.sets)))
  (#any-of? @_key "env" "environment" "variables"))
(block_mapping_pair
  key: (flow_node) @_key
  value: (block_node (block_sequence (block_sequence_item (flow_node) @env.sets)))
  (#eq? @_key "environment"))

; Dockerfiles: stages, arguments and variables of the environment. See src/analysis/lang/tags/mod.rs for the captures.

((from_instruction as: (image_alias) @name) @definition.module (#set! scope "next"))
((from_instruction !as (image_spec name: (image_name) @name)) @definition.module (#set! scope "next"))
(arg_instruction (arg_pair name: (_) @name) @definition.variable)
(env_instruction (env_pair name: (_) @name) @definition.variable)

(from_instruction (image_spec name: (image_name) @name)) @reference.call

(run_instruction (shell_command) @runs)
(cmd_instruction (_) @runs)
(entrypoint_instruction (_) @runs)
(env_instruction (env_pair name: (_) @env.sets))

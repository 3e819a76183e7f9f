; Bash. See src/analysis/lang/common/patterns.rs for the notation.

(function_definition name: (_) @name body: (_) @body) @definition.function
(declaration_command) @hook.declaration
(expansion) @hook.expansion
(command name: (command_name) @name argument: (_)? @arguments) @hook.command
[(variable_name) (special_variable_name) (word) (number) (raw_string) (regex) (file_descriptor)] @skip

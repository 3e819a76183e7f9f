; Makefiles: targets that are neither patterns nor files of a build, and variables. See src/analysis/lang/tags/mod.rs for the
; captures.

(rule (targets . (word) @_name) (#match? @_name "^[.]|[%/$]|[.](o|obj|a|so|d|lo|la|am|in)$")) @definition.ignored
(rule (targets . (word) @name) (comment) @doc) @definition.function
(rule (targets . (word) @name)) @definition.function
(define_directive name: (word) @name) @definition.function
(variable_assignment name: (word) @_name (#match? @_name "[-$%/]")) @definition.ignored
(variable_assignment operator: "+=") @definition.ignored
(variable_assignment name: (word) @name) @definition.variable

(prerequisites (word) @name (#not-match? @name "[./%$]")) @reference.call
(variable_reference (word) @name) @reference.read

(recipe_line) @runs

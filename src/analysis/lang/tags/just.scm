; Justfiles, of which recipes look like the rules of a Makefile (just.rs). See src/analysis/lang/tags/mod.rs for the captures.

(rule (targets . (word) @name)) @definition.function
(variable_assignment name: (word) @name) @definition.variable

(prerequisites (word) @name (#not-match? @name "[./%$]")) @reference.call
(recipe_line) @runs

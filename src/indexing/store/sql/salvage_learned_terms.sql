SELECT * FROM learned_terms

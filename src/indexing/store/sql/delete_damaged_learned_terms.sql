DELETE FROM learned_terms
WHERE checksum IS NOT NULL AND checksum <> row_checksum(
    'learned_terms', event, term, symbol, qualified_name, observations, package, package_root
)

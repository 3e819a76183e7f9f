DELETE FROM feedback
WHERE checksum IS NOT NULL AND checksum <> row_checksum(
    'feedback', event, symbol, qualified_name, vote, package, package_root
)

SELECT "table" || ' row ' || coalesce(rowid, '?') || ' refers to a missing row of ' || parent
FROM pragma_foreign_key_check
LIMIT 20

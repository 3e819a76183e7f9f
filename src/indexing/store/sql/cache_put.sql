-- `at` is a write counter, since the system clock may go backwards.
INSERT INTO cache (key, kind, value, at)
VALUES (?1, ?2, ?3, (SELECT COALESCE(MAX(at), 0) + 1 FROM cache))
ON CONFLICT (key) DO UPDATE SET kind = excluded.kind, value = excluded.value, at = excluded.at

-- `at` counts writes: a clock may stand still or go back.
INSERT INTO graph_notes (key, kind, value, at)
VALUES (?1, ?2, ?3, (SELECT COALESCE(MAX(at), 0) + 1 FROM graph_notes))
ON CONFLICT (key) DO UPDATE SET kind = excluded.kind, value = excluded.value, at = excluded.at

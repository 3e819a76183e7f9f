INSERT INTO digests (name, row_count, sum) VALUES (?1, ?2, ?3)
ON CONFLICT (name) DO UPDATE SET row_count = excluded.row_count, sum = excluded.sum

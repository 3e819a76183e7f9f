INSERT INTO node_sums (block, data) VALUES (?1, ?2) ON CONFLICT (block) DO UPDATE SET data = excluded.data

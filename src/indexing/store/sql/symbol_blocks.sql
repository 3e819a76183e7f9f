SELECT block, data FROM symbols ORDER BY block

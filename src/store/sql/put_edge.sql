INSERT INTO edges (source, type, target, provenance, confidence, layer) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (source, type, target) DO UPDATE SET
    provenance = excluded.provenance, confidence = excluded.confidence, layer = excluded.layer

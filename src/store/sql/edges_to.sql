SELECT source, type, target, provenance, confidence, layer FROM edges WHERE target = ?1

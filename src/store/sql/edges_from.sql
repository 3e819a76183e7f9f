SELECT source, type, target, provenance, confidence, layer FROM edges WHERE source = ?1

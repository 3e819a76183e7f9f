SELECT source, type, target, provenance, confidence, layer FROM edges ORDER BY source, type, target

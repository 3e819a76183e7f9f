DELETE FROM edges WHERE source = ?1 AND type = ?2 AND target = ?3

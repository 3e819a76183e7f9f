SELECT reason, count(*) FROM skips GROUP BY reason ORDER BY reason

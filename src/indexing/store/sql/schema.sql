SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema ORDER BY type, name

-- No query selects by identity, since ranking has all identities in memory.
DROP INDEX IF EXISTS nodes_by_identity;

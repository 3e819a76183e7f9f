-- Nothing asks for a symbol by its identity: whoever has one has the heads in memory.
DROP INDEX IF EXISTS nodes_by_identity;

DELETE FROM sessions;
DELETE FROM events;
DELETE FROM feedback;
DELETE FROM learned_terms;
DELETE FROM cache;

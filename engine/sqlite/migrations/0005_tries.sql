-- Visible messages by how often they were received, with a group or without:
-- what may still be received is found behind any number of messages that have
-- to move to the dead-letter queue, and those among any number of others.
CREATE INDEX deliveries_tries ON deliveries (queue, state, receives) WHERE due IS NULL;

-- On a standard queue a message with a group is fresh = 0 and has a delivery
-- from its send on, which names the group: the cursor never meets it, and a
-- receive finds it through its group.
ALTER TABLE deliveries ADD COLUMN grp INTEGER;

DROP INDEX deliveries_ready;
CREATE INDEX deliveries_ready ON deliveries (queue, state) WHERE due IS NULL AND grp IS NULL;
CREATE INDEX deliveries_grouped ON deliveries (grp, state) WHERE grp IS NOT NULL;

-- The message groups of standard queues that have messages. The number is the
-- id of the message that founded the group, so it is never used twice. The
-- heads are the first messages in states 3 and 4, NULL for none.
CREATE TABLE fair_groups (
  number    INTEGER PRIMARY KEY,
  queue     INTEGER NOT NULL, -- epoch
  name      TEXT NOT NULL,
  in_flight INTEGER NOT NULL,
  head      INTEGER,
  late_head INTEGER,
  UNIQUE (queue, name)
) STRICT;

CREATE INDEX fair_groups_head ON fair_groups (queue, head) WHERE head IS NOT NULL;
CREATE INDEX fair_groups_late ON fair_groups (queue, late_head) WHERE late_head IS NOT NULL;
-- No group below this is noisy.
CREATE INDEX fair_groups_noisy ON fair_groups (queue, in_flight) WHERE in_flight >= 30;

-- How many rows a queue has in fair_groups: with none, it knows no groups.
ALTER TABLE queue_state ADD COLUMN fair_groups INTEGER NOT NULL DEFAULT 0;

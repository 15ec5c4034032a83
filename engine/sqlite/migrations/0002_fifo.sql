-- On a FIFO queue all messages are fresh = 1, and the columns of its state
-- mean:
--   cursor   the last message whose delay is over
--   fresh    messages up to the cursor that have no delivery
--   delayed  messages behind the cursor that have no delivery
-- and no message is late.

ALTER TABLE queues ADD COLUMN dedup_per_group INTEGER NOT NULL DEFAULT 0;

-- The attempt that the last receive belongs to, as long as nothing has touched
-- the message since.
ALTER TABLE deliveries ADD COLUMN attempt INTEGER;

CREATE INDEX messages_group ON messages (grp) WHERE grp IS NOT NULL;

-- The message groups of FIFO queues that have messages. The number is the id of
-- the message that founded the group, so it is never used twice. state:
-- 0 waiting until the delay of the head is over, 1 in line, 2 locked because
-- the head is in flight. A head up to the cut of its queue has expired and
-- says nothing about the messages behind it.
CREATE TABLE groups (
  number INTEGER PRIMARY KEY,
  queue  INTEGER NOT NULL, -- epoch
  name   TEXT NOT NULL,
  state  INTEGER NOT NULL,
  turn   INTEGER NOT NULL, -- the place in the line
  head   INTEGER NOT NULL, -- the first message
  UNIQUE (queue, name)
) STRICT;

CREATE INDEX groups_line ON groups (queue, turn) WHERE state = 1;
CREATE INDEX groups_waiting ON groups (queue, head) WHERE state = 0;

-- What was sent to FIFO queues a short time ago, and the receives that can be
-- repeated. A generation is as long as the window in which they count, so they
-- are looked for in the present one and the one before, and an older one leaves
-- from one end of the table: rows in the order of their age would leave from
-- all over it.
CREATE TABLE dedup (
  generation INTEGER NOT NULL,
  queue      INTEGER NOT NULL, -- epoch
  grp        TEXT NOT NULL,    -- empty when the id counts for the whole queue
  id         TEXT NOT NULL,
  sequence   INTEGER NOT NULL,
  at         INTEGER NOT NULL,
  message    BLOB NOT NULL,
  PRIMARY KEY (generation, queue, grp, id)
) STRICT, WITHOUT ROWID;

-- The number is never used twice. The members are message ids of eight bytes
-- each.
CREATE TABLE attempts (
  generation INTEGER NOT NULL,
  queue      INTEGER NOT NULL, -- epoch
  id         TEXT NOT NULL,
  number     INTEGER NOT NULL,
  at         INTEGER NOT NULL,
  members    BLOB NOT NULL,
  PRIMARY KEY (generation, queue, id)
) STRICT, WITHOUT ROWID;

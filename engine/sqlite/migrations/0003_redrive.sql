-- What a message brought along that moved here as a dead letter. It is beside
-- the message, because most have none. sent is the time of its first send on a
-- standard queue and NULL on a FIFO queue, where it is sent anew; 0 marks one
-- that is over whatever the retention. prior and first are its receives in
-- earlier queues and the first of them, and the name is the last such queue's.
CREATE TABLE moved (
  id      INTEGER PRIMARY KEY, -- of the message
  queue   INTEGER NOT NULL,    -- epoch
  sent    INTEGER,
  prior   INTEGER NOT NULL,
  first   INTEGER NOT NULL,
  account TEXT NOT NULL,
  region  TEXT NOT NULL,
  name    TEXT NOT NULL
) STRICT;

CREATE INDEX moved_sent ON moved (queue, sent);

-- How many rows a queue has in moved: with none, nothing is looked for.
ALTER TABLE queue_state ADD COLUMN moved INTEGER NOT NULL DEFAULT 0;

-- The queues of a dead-letter target, without a second truth beside the
-- settings.
CREATE INDEX queues_redrive ON queues (
  settings ->> '$.redrive.account', settings ->> '$.redrive.region', settings ->> '$.redrive.name',
  account, region, name
) WHERE settings ->> '$.redrive.name' IS NOT NULL;

-- Move tasks, numbered in the order of their start. The target is NULL when
-- each message goes where it came from; boundary is the last message id at the
-- start. Among the active ones (status 0 and 1) the one with the smallest due,
-- and then turn, is next.
CREATE TABLE moves (
  number         INTEGER PRIMARY KEY,
  id             BLOB NOT NULL UNIQUE,
  source         INTEGER NOT NULL, -- number of the queue
  target_account TEXT,
  target_region  TEXT,
  target_name    TEXT,
  rate           INTEGER NOT NULL,
  status         INTEGER NOT NULL,
  failure        INTEGER NOT NULL,
  moved          INTEGER NOT NULL,
  to_move        INTEGER NOT NULL,
  boundary       INTEGER NOT NULL,
  started        INTEGER NOT NULL,
  paced          INTEGER NOT NULL, -- the rate counts from here
  due            INTEGER NOT NULL,
  turn           INTEGER NOT NULL
) STRICT;

CREATE INDEX moves_source ON moves (source);
CREATE INDEX moves_active ON moves (due, turn) WHERE status < 2;

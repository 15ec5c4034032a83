-- Times are Unix milliseconds. What the numbers of a queue mean:
--   number  the queue for as long as it lives
--   epoch   the queue since its last purge; every message belongs to an epoch
-- Both come from one counter and are never used twice.

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE queues (
  number   INTEGER PRIMARY KEY,
  id       BLOB NOT NULL UNIQUE,
  slug     TEXT NOT NULL UNIQUE,
  account  TEXT NOT NULL,
  region   TEXT NOT NULL,
  name     TEXT NOT NULL,
  kind     INTEGER NOT NULL,
  created  INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  purged   INTEGER,
  settings TEXT NOT NULL,
  tags     TEXT NOT NULL,
  UNIQUE (account, region, name)
) STRICT;

-- What changes with the messages of a queue: one row for each queue, rewritten
-- once in every commit that touches it. Row 0 belongs to the whole store, in
-- the same page so that a commit writes one page less: epoch is the next
-- number, cursor the next message id, cut the latest time.
CREATE TABLE queue_state (
  number    INTEGER PRIMARY KEY,
  epoch     INTEGER NOT NULL,
  cursor    INTEGER NOT NULL, -- every fresh message up to here has been received
  cut       INTEGER NOT NULL, -- every message up to here has expired
  fresh     INTEGER NOT NULL,
  delayed   INTEGER NOT NULL,
  in_flight INTEGER NOT NULL,
  again     INTEGER NOT NULL,
  late      INTEGER NOT NULL
) STRICT;

-- Rows are written once and never changed, because a changed row drags its
-- body along. The id is one sequence over all queues, so that sends append to
-- the table whatever queue they are for.
CREATE TABLE messages (
  id      INTEGER PRIMARY KEY,
  queue   INTEGER NOT NULL, -- epoch
  fresh   INTEGER NOT NULL, -- 1 when it was sent without a delay
  arrived INTEGER NOT NULL,
  grp     INTEGER,
  meta    BLOB NOT NULL,
  body    TEXT NOT NULL
) STRICT;

CREATE INDEX messages_fresh ON messages (queue) WHERE fresh = 1;
CREATE INDEX messages_held ON messages (queue) WHERE fresh = 0;

-- A message has a row here from its first receive on, a delayed one from its
-- send on. state: 1 delayed, 2 in flight, 3 visible again in its place,
-- 4 visible again behind all others. due is set in states 1 and 2 only.
CREATE TABLE deliveries (
  id            INTEGER PRIMARY KEY, -- of the message
  queue         INTEGER NOT NULL,    -- epoch
  state         INTEGER NOT NULL,
  due           INTEGER,
  stamp         INTEGER NOT NULL,    -- random, tells this receive from others
  receives      INTEGER NOT NULL,
  first_receive INTEGER,
  received      INTEGER              -- last receive
) STRICT;

CREATE INDEX deliveries_due ON deliveries (queue, due) WHERE due IS NOT NULL;
CREATE INDEX deliveries_ready ON deliveries (queue, state) WHERE due IS NULL;

-- Epochs whose rows are dead and still have to be removed.
CREATE TABLE garbage (
  epoch INTEGER PRIMARY KEY
) STRICT;

-- Names of deleted queues, for the time in which they are blocked. The number
-- grows with each deletion and bounds the table.
CREATE TABLE dropped_names (
  number  INTEGER PRIMARY KEY,
  account TEXT NOT NULL,
  region  TEXT NOT NULL,
  name    TEXT NOT NULL,
  deleted INTEGER NOT NULL,
  UNIQUE (account, region, name)
) STRICT;

INSERT INTO queue_state VALUES (0, 1, 1, 0, 0, 0, 0, 0, 0);

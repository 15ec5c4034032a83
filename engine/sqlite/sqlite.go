// Package sqlite is the embedded [engine.Store]: one SQLite database in one
// folder, owned by one process.
//
// Principles:
//
//   - One goroutine writes, on one connection. It runs what is waiting in one
//     transaction and answers after the commit, so that one sync serves many
//     calls. It never waits to gather.
//   - Memory is a cache of the database. It changes with the transaction: when
//     a transaction fails, what was cached of the queues it touched is read
//     again before it is used. Nothing is kept in memory for each message.
//   - Messages are written once and removed once. What happens to a message in
//     between is in a small row of its own, and only messages that were
//     received or delayed have one.
//   - Nothing costs more because a queue is deep or because there are many
//     queues. Expiry is a cut in the sequence, a purge is a new epoch, and both
//     take effect at once; rows leave later, a bounded number at a time.
//   - Requests check first and write last. One that fails after it has written
//     fails its whole transaction, and the others run again without it.
//   - Time is the given clock's, read once for each transaction, and never
//     smaller than what was stored.
//
// A FIFO queue is read through its groups. Each has a row: waiting while the
// delay of its first message lasts, in line when that can be received, locked
// while it is in flight. A receive goes along the line and never sees what is
// locked, however much it is. Only the first message of a group says where the
// group stands, so a call to any other costs nothing more. The delay of a FIFO
// queue is not stored with its messages: the cursor stands behind the last one
// whose delay is over, and goes back when the delay grows.
//
// The life of a row in deliveries: delayed (1) when a message is sent with a
// delay; in flight (2) when it is received; again (3) when it became visible
// and keeps its place; late (4) when that happened after its third receive or a
// later one. A message without a row is fresh (0): sent without a delay and
// never received.
//
// A message moves by being written anew under a new id in the other queue and
// removed from its own, body and all inside the database, in one transaction.
// What a dead letter brings along is in a row of moved. A receive judges the
// messages that it comes by, and moves those that were received too often
// instead of taking them; a move task goes through what is visible, in steps.
// All moves of one transaction are bounded together.
package sqlite

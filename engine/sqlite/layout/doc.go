// Package layout is an experiment kept so that it can be run again: it holds
// no code of the product, only tests.
//
// The question: which SQLite layout carries a message through its whole life
// (send, receive, return, receive again, delete) at the lowest cost, with the
// same cost over one busy queue and over a thousand? The primary key, the page
// size and the vacuum mode cannot be changed later without rewriting the
// database, so they are decided by measurement.
//
// Principles:
//
//   - Every candidate is laid out complete: messages, deliveries with their
//     due and again indexes, one counter row per queue, a row for the sequence
//     and the clock, the group column. A candidate that leaves a part out looks
//     cheaper than it would be.
//   - The workload is one writer that commits batches of mixed operations over
//     many queues, as the store does, on a clock that counts batches. The same
//     seed gives every candidate the same operations.
//   - Candidates take turns within one run and the median of several rounds
//     counts, because the disk and the neighbours of a machine change by the
//     minute. Compare figures of one run only.
//   - After each run the tables are counted: a candidate that loses or doubles
//     a message fails. This also happens in the small form, which runs with the
//     ordinary tests.
//
// The candidates for the key:
//
//	a  messages.id is queue<<44 | sequence; fresh messages are walked by key
//	b  messages.id is one sequence for all queues; partial index (queue, id)
//	   over fresh messages, walked from a cursor
//	c  messages.id as in b without an index; a table ready(queue, id) whose row
//	   is deleted by the receive
//	d  b with the bodies in a table of their own and one due index for all queues
//	e  b with one due index for all queues
//	f  c in which what becomes due goes back to ready, so that one walk in
//	   order of sending finds fresh, delayed and returned messages
//	g  c with one due index for all queues
//
// Each part prints its own table:
//
//	go test ./engine/sqlite/layout -run TestLayoutTrial -layout.trial -v
//	go test ./engine/sqlite/layout -run TestLayoutTrial/Keys -layout.trial -v
//
// The parts are Keys, Backlog, Pages, Bodies, Rows and Vacuum. The flags
// -layout.rounds, -layout.cycles, -layout.backlog and -layout.sync change the
// scale, -layout.candidates says who takes part in Keys and Backlog, and
// -layout.winner whom the other parts examine.
package layout

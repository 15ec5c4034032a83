// Package engine is the Queues domain: queues, messages, receipts, visibility
// and waiting receives. It knows neither HTTP nor the words of any wire.
//
// Principles:
//
//   - A rule that needs a transaction lives in the [Store], whole, inside one
//     call. A rule that needs none, and everything that waits, lives in
//     [Engine]: the clock, long polls, the sealing of receipt handles, the
//     sweeper.
//   - Memory is a cache of the store. Nothing that a second node would need
//     lives only here.
//   - Time comes from one [Clock], read once per commit by the store. Nothing
//     in this package or in a store reads the wall clock but [SystemClock].
//   - Whatever waits is woken by what happens; nothing polls. The store tells
//     of every commit which queues may now give something ([Report]), and of
//     every receive when the queue's next message falls due.
//   - Bad input is an [Error] with a code and changes nothing.
//
// The life of a message: sent (delayed or at once visible), in flight while a
// receive holds it, then acknowledged and gone, or visible again when its
// deadline passes or its holder gives it back. It also goes when its retention
// is over, or with a purge or the deletion of its queue, whatever its state.
package engine

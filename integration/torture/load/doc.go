// Package load makes clients of a queue server that the history checker can
// judge.
//
//   - Every message has a key of its own, and a body that follows from the key,
//     so that an altered body shows.
//   - Every receive names its timeout, so that it is known who holds what.
//   - A lane is one queue, or one family of queues, and the clients that use it
//     in one way. Lanes do not touch each other's queues.
//   - Clients do not mind that the server goes away and comes back: what was not
//     answered is written down as such. Only sends to FIFO queues are repeated,
//     with the same deduplication id, until they are answered.
package load

// Package load loads a server that speaks SQS, and counts what it answers.
//
// Principles:
//
//   - The generator must not be the bottleneck. It writes bytes made in advance
//     where it can, reads no more of an answer than its check needs, and its own
//     CPU time stands beside the server's.
//   - Only work that was done counts. An error status, a batch with failed
//     entries, an answer without its results, a receive that finds nothing are
//     failures, and are told apart.
//   - Each connection has one request under way and the next one only after its
//     answer (a closed loop), so latencies are those of that many clients and
//     say nothing about requests that would have come meanwhile.
//   - It speaks both protocols, over plain TCP or TLS, to any server: it knows
//     bodies with a length and chunked ones, and dials anew where a server ends
//     connections.
//
// CPU times and memory of servers are read on Linux only.
package load

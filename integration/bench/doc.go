//go:build linux

// Command bench measures how fast the server is and prints a table of ratios.
//
// Principles:
//
//   - Only ratios taken inside one run mean anything: against a null handler
//     (plain net/http that answers a constant), against the disk, or against
//     another form of the same work. What is compared takes turns, round by
//     round, and the median of the rounds' ratios counts.
//   - What is measured is the built binary as users start it, over TCP, with
//     requests as SDKs send them.
//   - The load generator, cmd/queues/load, must not be the bottleneck. Its own
//     CPU time stands beside the server's, and a phase in which it needs more
//     than the server fails the run.
//   - Only work that was done counts: an error status, an answer without its
//     results, a receive that finds nothing end the run with exit status 1. A
//     target that was missed does not: the table says so.
//   - Nothing is left behind: processes are stopped by their ids, and the data
//     lies in one temporary folder that goes at the end.
//
// "bench regression" compares the binary of another revision with the tree's,
// "bench peers" the tree's with servers of others, which it installs outside the
// tree. There a failure of another server is a result.
//
// The program is also two of the servers it measures: "bench null" is the null
// handler, "bench instant" our own HTTP, protocol and semantics over a store
// that answers at once. It needs Linux for /proc and the CPU clocks of other
// processes.
package main

// Clients makes a round trip through the SQS clients that people use, each as
// it comes from its registry, against the built server: `make clients`.
//
//   - A client is a row of the table in table.go, with a script of ours in the
//     folder of its language, and what it takes to install it. Nothing of a
//     client is kept in this repository.
//   - Every client has a server of its own, with fresh data on a port of the
//     system's choosing, so that none meets what another left.
//   - A script prints a line for each step: `ok send`, `not ok send: why`, or
//     `skip send: why` where the client has no words for it; before them
//     `version 1.2.3`, and `done` at the end. A client that can say the whole
//     API reports every step in steps.go, or it has failed.
//   - What cannot be installed is skipped, with its reason. What was installed
//     passes or fails. So does its server: a line at the level of errors in its
//     log, or an end that is not in order, fails the client.
//   - Installations go to a cache and are used again. Registries are those
//     that the machine's own npm, go and apt-get are set up for.
package main

// Command compatibility runs the tests of what SQS does and writes down what
// they cover: COMPATIBILITY.md for readers, a table for the terminal.
//
// Principles:
//
//   - A number is the number of tests that ran and passed just now. Nothing is
//     counted by being claimed: facts, reports, differences and demands are
//     found by the names of their tests.
//   - Whatever fails, or is skipped, fails the command, and the file stays as
//     it was.
//   - The file has no date and no duration in it: an unchanged server gives an
//     unchanged file.
//   - Real clients need the network to be installed, so they run on their own
//     (make clients) and their results are read from a file. Without that file
//     the command runs only when told to, and COMPATIBILITY.md says so.
package main

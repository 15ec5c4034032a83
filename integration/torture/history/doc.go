// Package history judges what clients of a queue server have seen.
//
// A [History] is what clients asked for, what they were told, and what was
// found in the store when everything was quiet. [History.Check] compares it
// with what may be:
//
//   - A call that was answered has happened, one that was refused has not, and
//     one that got no answer has happened whole or not at all.
//   - Calls take time: two calls whose times overlap may have happened in either
//     order. Only what no order explains is a violation.
//   - What the checker cannot be sure of it lets pass. Loads must be made so that
//     it can be sure of most things: bodies used once, deadlines that are known.
//
// The package knows nothing of HTTP or files. Its tests feed it broken
// histories, one for each rule: a checker that never failed proves nothing.
package history

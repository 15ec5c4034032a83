// Package powercut records what a process does to its files, and builds the
// folder as a power cut could have left it.
//
//   - What was synced is there. A sync covers what was written before it began,
//     and counts once it has ended.
//   - What a failed sync has covered is never made durable by a later one, since
//     the system takes it for written; only writing it again helps.
//   - Of what was not synced anything may be there: nothing, all, the first part
//     of it, or any choice; and one write may be torn at a sector.
//   - Names are as uncertain as contents: a file that was created, renamed or
//     removed is so for certain once its folder was synced. File systems promise
//     more; a store should not need it.
package powercut

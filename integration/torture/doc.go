// Torture tries to make the server break its promises, and says what it found.
//
// It runs the real binary, as it is built for users, in parts:
//
//   - crash: clients of every kind work while the server is killed again and
//     again, at random moments and at chosen ones, and started on the same data.
//   - points: short scripts are cut off at each call to the system that changes a
//     file or answers a client: dead letters, move tasks, purges and deletions,
//     and the removal of what those leave. In short at some calls of each.
//   - power: everything that the server writes is recorded, and the data folder
//     is built as a power cut could have left it, at many moments, with what was
//     not synced there, missing, in part, in another order or torn.
//   - faults: calls to the system fail: a full disk, a broken one, a failing
//     sync, a read that fails or is short.
//   - upgrade: a server is killed, and its power cut, while it migrates the data
//     of every older schema, little of it and much.
//   - backup: the server, or the client, is killed while a copy is made, and
//     every copy that was finished is restored. Then the power of both is cut:
//     the data is as in power, a copy that was answered for is there and whole,
//     and one that was not finished is refused.
//   - overload: more clients, larger messages and slower peers than a server has
//     room for. Honest clients must go on, and memory and log stay bounded.
//   - soak: the clients of crash, and some that come and go, for hours on one
//     server. Nothing may grow. It runs only when asked for.
//
// What clients saw and what is then in the store is judged by package history.
// A violation is an exit status of 1, and its evidence is kept: the data folder
// or its image, and the whole history, one event a line, in history.jsonl.gz.
// The seed that is printed repeats the choices of a run, though not the timing
// of its processes.
package main

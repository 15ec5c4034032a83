// Package bench is "queues bench": it loads any endpoint that speaks SQS and
// tells what came of it.
//
// Principles:
//
//   - What is measured is what was asked for and nothing else. Messages that a
//     receive or a delete needs are made and cleared away between the windows
//     that count.
//   - A failure is counted, told by its code, and makes the run fail, as do
//     answers that have nothing of what was asked for.
//   - It makes one queue with a name that tells where it comes from, touches no
//     other, and deletes it however the run ends.
//   - A number that says more about the generator or the machine than about the
//     server comes with a warning.
package bench

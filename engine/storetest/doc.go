// Package storetest is the conformance suite of [engine.Store]: what a store
// must do, written as tests, with a plain model to compare with.
//
// Principles:
//
//   - Outcomes only. Nothing is lost, nothing is held twice, the order is
//     right, an error has its code. How a store numbers, caches or lays out
//     things is its own affair.
//   - Time is a [ManualClock]. No test sleeps, so the suite runs as fast as the
//     store and finds the same faults on a slow machine.
//   - Spans of time are half open. A message is hidden until just before its
//     deadline and visible from it on; it is kept until just before its
//     retention is over and gone from then on.
//   - Where the contract leaves a choice the suite takes every answer: the
//     order of messages among those that were returned three times and more,
//     of groups that became available at one time, of dead letters that came
//     together; reports that promise too much, lower bounds that are too low.
//   - [Run] closes the store after every test and calls the harness's Check, so
//     that a store can verify its files each time.
//
// A message's rank follows its receive count in its queue: from the third
// receive on it is offered after every message that was received less often. In
// a dead-letter queue messages rank by their arrival. A receive that only moved
// dead letters may be empty and say that there is more; it is made again then.
// A task that moves messages keeps to its rate in any second, and does not make
// up for the time that nobody stepped it. A reference whose
// receive was released says nothing until the message is received again; then
// it is one of the old ones.
//
// The [Model] is the oracle of the random walk, and a store for the tests of
// the layers above that need no files. [Fault] wraps a store to make it fail on
// demand.
package storetest

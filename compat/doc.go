// Package compat says what the SQS API means in terms of the Queues domain.
//
// Principles:
//
//   - One file per action, named after it; the batch form stands beside the
//     single form. [Service.Do] is the one way in.
//   - It sees typed inputs only and cannot tell one protocol from the other, so
//     the two cannot differ in meaning.
//   - Names, limits, defaults and texts are AWS's and stand in tables. The
//     rules themselves are the engine's.
//   - Domain errors become wire errors in one place, errors.go. What has no
//     translation is ours and becomes InternalFailure without its text.
//   - A request is checked whole before it has any effect.
package compat

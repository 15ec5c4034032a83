// Package protocol turns the bytes of an SQS request into one typed input per
// operation, and a typed output or error back into bytes.
//
// Principles:
//
//   - Two protocols, one set of types. AWS JSON 1.0 and AWS Query decode into
//     the same inputs and encode the same outputs and errors, so what comes
//     after this package cannot tell them apart, and cannot differ by protocol.
//   - The types are the description. Member names, list and map names come
//     from struct tags; a plan is built from them once, at start, and every
//     codec walks that plan. A new member is one line in one struct.
//   - Form is judged here, meaning is not. A value of the wrong type, a broken
//     escape or an unknown action is this package's business; whether a value
//     is allowed, or a member required, is not.
//   - Absent and empty are two things. A nil pointer, slice or map was not
//     given; an empty one was given empty.
//   - Bad input is an *Error, never a panic, and costs memory in proportion to
//     its size: nesting, list lengths and parameter counts are bounded, and a
//     list index in a parameter name is only ever compared.
//
// The package knows neither HTTP nor queues. It imports the standard library
// alone, and without net/http.
package protocol

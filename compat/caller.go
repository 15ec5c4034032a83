package compat

import "context"

// Caller is who sends a request and how it reached us, as far as semantics
// need it. The gateway makes it before anything is decoded.
type Caller struct {
	// Account and Region are the namespace that the request speaks of by
	// default. Both are always set.
	Account, Region string
	// Principal names the sender, as the SenderId of messages shows it.
	Principal string
	// BaseURL is what queue URLs begin with, for example
	// "http://localhost:9324", without a slash at the end.
	BaseURL string
	// TraceID is the request's X-Amzn-Trace-Id header; empty for none.
	TraceID string
	// Room is asked for memory for an answer's messages before they are read,
	// with their size in bytes; see [engine.ReceiveParams]. Nil for no bound.
	Room func(bytes int64) bool
}

// Result is a successful operation's output.
type Result struct {
	// Output points to the operation's typed output; nil for an operation
	// without one.
	Output any
	// Undo takes back what the operation did for an answer that never reached
	// its caller: messages claimed by a receive become visible again as if they
	// had not been received. It is nil for operations with nothing to undo.
	Undo func(context.Context)
}

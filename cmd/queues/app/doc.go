// Package app wires the server together: command line and environment, the
// store, the engine, the SQS semantics and the two HTTP doors, and the order in
// which they start and stop.
//
// The store opens before the port, so that whoever can connect is served. On
// the way down it is the other way round: the port, the requests under way, the
// engine, the store.
package app

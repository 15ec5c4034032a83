//go:build linux

package main

import (
	"context"

	"queues/cmd/queues/load"
)

// storage is where a server keeps messages, in the order of what it risks.
type storage string

// The kinds of storage.
const (
	inMemory storage = "memory"
	onDisk   storage = "disk, not synced"
	synced   storage = "disk, synced"
)

// contender is a server that takes part in a comparison.
type contender struct {
	// name is how the report calls it, version the one that is installed.
	name, version, language string
	keeps                   storage
	// promise is what is left of acknowledged messages after a crash, as its
	// documents or its source say.
	promise string
	// wire is the protocol that it is loaded in: JSON unless it has only Query.
	wire load.Protocol
	// host is the only one that it answers to; empty for any.
	host string
	// ours is true for the server of this tree.
	ours bool
	// prepare installs it and gives how to start it.
	prepare func(ctx context.Context, in *installer) (recipe, error)
}

// recipe is how an installed server is started.
type recipe struct {
	// argv is the command that starts it on a free port of the loopback
	// interface, with a folder of its own for data, which need not exist.
	argv func(port, dir string) ([]string, error)
	// version is what was found where none is pinned; else empty.
	version string
}

// What the servers of this tree promise, and others like them.
const (
	losesAll = "nothing is left"
	durable  = "all is left, also after a power cut: it syncs before it answers"
)

// ownName is the server that the others are compared with.
const ownName = "queues serve"

// own are the forms of the server of this tree.
func own(binary string) []contender {
	form := func(name string, wire load.Protocol, keeps storage, promise string, flags ...string) contender {
		return contender{
			name: name, wire: wire, version: "this tree", language: "Go", keeps: keeps, promise: promise, ours: true,
			prepare: func(context.Context, *installer) (recipe, error) {
				return recipe{argv: func(port, dir string) ([]string, error) {
					argv := append([]string{binary}, flags...)
					return append(argv, "--listen=127.0.0.1:"+port, "--admin=off", "--log-level=warn", "--data="+dir), nil
				}}, nil
			},
		}
	}
	const risky = "all is left after a crash of the process; one of the machine may ruin the data"
	return []contender{
		form(ownName, load.JSON, synced, durable, "serve", "--sync=full"),
		form(ownName+", in Query", load.Query, synced, durable, "serve", "--sync=full"),
		form("queues serve --sync=off", load.JSON, onDisk, risky, "serve", "--sync=off"),
		form("queues dev", load.JSON, onDisk, "temporary data, which goes when it stops", "dev"),
	}
}

// others are the servers of others. They are installed in these very versions,
// the packages that they need themselves in those that fit.
func others() []contender {
	return []contender{
		{
			name: "fauxqs, with dataDir", version: fauxqsVersion, language: "JavaScript", keeps: synced,
			// Its source sets only SQLite's journal, which leaves synchronous=FULL.
			promise: durable, prepare: npmServer("fauxqs", fauxqsVersion, fauxqsScript, true),
		},
		{
			name: "fauxqs", version: fauxqsVersion, language: "JavaScript", keeps: inMemory,
			promise: losesAll, prepare: npmServer("fauxqs", fauxqsVersion, fauxqsScript, false),
		},
		{
			name: "local-aws-sqs", version: "2.0.2", language: "JavaScript", keeps: inMemory,
			promise: losesAll, prepare: npmServer("local-aws-sqs", "2.0.2", localAWSSQSScript, false),
		},
		{
			name: "sqslite", version: "2.1.1", language: "JavaScript", keeps: inMemory,
			// It knows its queues only by URLs with this host.
			promise: losesAll, wire: load.Query, host: "localhost", prepare: npmServer("sqslite", "2.1.1", sqsliteScript, false),
		},
		{
			name: "goaws", version: goawsVersion, language: "Go", keeps: inMemory,
			promise: losesAll, wire: load.Query, prepare: goaws,
		},
		{
			name: "moto", language: "Python", keeps: inMemory,
			promise: losesAll, prepare: moto,
		},
	}
}

// remarks say which known servers and packages this program does not start, and
// what explains a failure.
var remarks = []string{
	"ElasticMQ, for Java, and LocalStack, in Python and containers, are not among them: they come neither from npm nor as Go modules.",
	"SmoothMQ is not among them: the module proxy gave no version of it to pin when this list was made.",
	"DeleteMessageBatch of sqslite keeps the messages that it names and drops all others, after which nothing is left to receive.",
	"The npm package `sqs-mock` is not among them: it stands in for the SDK's client and serves nothing; `serverless-offline-sqs` needs another server.",
}

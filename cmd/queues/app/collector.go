package app

import (
	"os"
	"runtime/debug"
)

// Tune sets Go up as "queues serve" does, for a server that may hold so many
// bytes of requests and answers.
func Tune(budget Size) {
	tuneCollector(budget)
	addProcessor()
}

// garbagePercent is how much garbage there may be, in percent of what is live,
// before it is collected. Little is live in this server, some megabytes: at
// Go's 100 the collector runs dozens of times a second under load.
const garbagePercent = 400

// tuneCollector gives the collector less to do while there is memory, and all
// it can do near the limit: twice the budget of requests and answers, and 256
// MiB for everything else. GOGC and GOMEMLIMIT have the last word.
func tuneCollector(budget Size) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(2*int64(budget) + 256<<20)
	}
}

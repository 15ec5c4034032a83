//go:build linux

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

// comparePeers is the program's part "peers": the tree's server beside those of
// others that can be had, under the same load.
func comparePeers(ctx context.Context, args []string, out, progress io.Writer) error {
	r, file, err := parsePeers(args, progress)
	if err != nil {
		return err
	}
	report, err := r.whole(ctx, asMade("bench-peers", args), others()...)
	if len(report) == 0 {
		return err
	}
	if _, e := out.Write(report); e != nil {
		return e
	}
	if file != "" {
		err = errors.Join(err, os.WriteFile(file, report, 0o644))
	}
	return err
}

// maxPeerMessages is well under what every contender lets stand in a queue.
const maxPeerMessages = 50_000

func parsePeers(args []string, progress io.Writer) (r *peersRun, file string, err error) {
	r = &peersRun{bench: &bench{progress: progress}}
	f := flag.NewFlagSet("bench peers", flag.ContinueOnError)
	f.SetOutput(progress)
	pattern := f.String("run", "", "beside our own only servers whose name matches this `regexp`")
	f.StringVar(&file, "o", "", "write the report to this `file` as well")
	f.StringVar(&r.server, "server", "", "measure this `binary` instead of building ./cmd/queues")
	f.StringVar(&r.cache, "cache", "", "`folder` in which the servers of others are installed (the user's cache)")
	f.DurationVar(&r.duration, "duration", 2*time.Second, "length of one turn")
	f.IntVar(&r.rounds, "rounds", 5, "turns of each server at each case")
	f.IntVar(&r.conns, "conns", 64, "connections under load")
	f.IntVar(&r.messages, "messages", 10_000, "messages that stand in the queue from which is received")
	if r.run, err = parseRows(f, args, pattern); err != nil {
		return nil, "", err
	}
	if min(r.rounds, r.conns) < 1 || r.duration <= 0 || r.messages < 10*batchSize || r.messages > maxPeerMessages {
		return nil, "", fmt.Errorf("a size is out of its range: at least a round, a connection and some time, %d to %d messages", 10*batchSize, maxPeerMessages)
	}
	if r.cache == "" {
		r.cache, err = cacheDir()
	}
	return r, file, err
}

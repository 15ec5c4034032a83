// Queues is a message-queue server that speaks Amazon SQS.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"queues/cmd/queues/app"
)

func main() {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	// The first signal stops the server gracefully, a later one at once. Signals
	// come in pairs, to a process and to its group, so the next moment's are
	// taken for the same.
	context.AfterFunc(ctx, func() { time.AfterFunc(time.Second, stop) })
	os.Exit(app.Execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

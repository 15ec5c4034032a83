// Queues is a message-queue server that speaks Amazon SQS.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"queues/cmd/queues/app"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal stops the server gracefully, a second one at once.
	context.AfterFunc(ctx, stop)
	os.Exit(app.Execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

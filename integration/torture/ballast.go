//go:build linux

package main

import (
	"context"
	"fmt"

	"queues/integration/torture/contents"
	"queues/integration/torture/history"
	"queues/integration/torture/load"
	"queues/integration/torture/wire"
)

// ballast is a queue with large messages that makes a copy take its time. Nobody
// touches it.
const ballast = load.Ballast

// fillBallast makes the queue.
func fillBallast(ctx context.Context, client *wire.Client, count int) error {
	call := func(action string, in wire.Args) error {
		if a := client.Call(ctx, action, in); a.Outcome != history.Done {
			return fmt.Errorf("%s: status %d %s %s", action, a.Status, a.Code, a.Message)
		}
		return nil
	}
	err := call("CreateQueue", wire.Args{"QueueName": ballast})
	for n := 0; n < count && err == nil; n++ {
		err = call("SendMessage", wire.Args{"QueueUrl": wire.QueueURL(ballast), "MessageBody": load.Body(fmt.Sprint(ballast, "-", n))})
	}
	return err
}

// takeBallast takes the ballast out of what was found, and says what it lacks.
func takeBallast(found contents.Found, count int) string {
	whole := make(map[string]bool)
	for _, m := range found.Messages[ballast] {
		whole[m.Key] = !m.Altered
	}
	has := len(found.Messages[ballast])
	delete(found.Messages, ballast)
	for n := range count {
		if key := fmt.Sprint(ballast, "-", n); !whole[key] {
			return fmt.Sprintf("has %d of %d messages of %s, without or with an altered %s", has, count, ballast, key)
		}
	}
	if has != count {
		return fmt.Sprintf("has %d messages of %s, want %d", has, ballast, count)
	}
	return ""
}

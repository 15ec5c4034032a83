package integration

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// abortable polls in the background until the poll is aborted, by which its
// connection is cut. The channel tells the bodies that it got, or closes.
func (e *env) abortable(t *testing.T, url string) (abort func(), got <-chan string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out := make(chan string, 10)
	go func() {
		defer close(out)
		res, err := e.sqs.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: &url, WaitTimeSeconds: 20, MaxNumberOfMessages: 10})
		if err != nil {
			return
		}
		for _, m := range res.Messages {
			out <- aws.ToString(m.Body)
		}
	}()
	return cancel, out
}

// Clients that went away while they waited take no message with them.
func TestAbortedPollsTakeNothing(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		for range 100 {
			abort, got := e.abortable(t, url)
			synctest.Wait()
			abort()
			for b := range got {
				t.Errorf("an aborted poll got %q of an empty queue", b)
			}
		}
		synctest.Wait()
		e.send(t, url, "b")
		e.wantCounts(t, url, counts{"1", "0", "0"})
		if m := e.receiveOne(t, url); receiveCount(m) != "1" {
			t.Errorf("receive count %s, want 1", receiveCount(m))
		}
	})
}

// A hundred clients that hung up, of which the server may not know yet when a
// message comes, neither take it nor count.
func TestPollsAbortedAllAtOnceTakeNothing(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		var aborts []func()
		var all []<-chan string
		for range 100 {
			abort, got := e.abortable(t, url)
			aborts, all = append(aborts, abort), append(all, got)
		}
		synctest.Wait()
		for _, abort := range aborts {
			abort()
		}
		for _, got := range all {
			for b := range got {
				t.Errorf("an aborted poll got %q of an empty queue", b)
			}
		}
		e.send(t, url, "b")
		if m := e.receiveOne(t, url, waitFor(1)); receiveCount(m) != "1" {
			t.Errorf("receive count %s, want 1", receiveCount(m))
		}
	})
}

// Whether the send or the end of the poll came first cannot be told, but the
// message is in one place: with the client, or in the queue. It may be hidden
// for its timeout, when the answer was out before the client hung up.
func TestAbortRacingWithASendLosesNothing(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, attrs{"VisibilityTimeout": "1"})
		for range 30 {
			abort, got := e.abortable(t, url)
			if e.bubble {
				synctest.Wait() // the poll is parked
			}
			sent := make(chan error, 1)
			go func() {
				_, err := e.sqs.SendMessage(t.Context(), &sqs.SendMessageInput{QueueUrl: &url, MessageBody: aws.String("b")})
				sent <- err
			}()
			abort()
			if err := <-sent; err != nil {
				t.Fatal(err)
			}
			arrived := 0
			for range got {
				arrived++
			}
			// A timeout later it is there, whoever had it.
			m := e.receiveOne(t, url, waitFor(5), hideFor(60))
			if n := receiveCount(m); arrived == 1 && n != "2" || n != "1" && n != "2" {
				t.Errorf("receive count %s after %d arrived", n, arrived)
			}
			e.delete(t, url, m)
		}
	})
}

// A poller in front whose client is gone passes a wake-up on to the next.
func TestAnAbortedPollPassesItsTurnOn(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		start := time.Now()
		abort, gone := e.abortable(t, url)
		time.Sleep(time.Second)
		alive := e.poll(t, url, waitFor(20))
		time.Sleep(time.Second)
		abort()
		for b := range gone {
			t.Errorf("the aborted poll got %q", b)
		}
		e.send(t, url, "b")
		got := <-alive
		e.took(t, start, 2*time.Second)
		wantBodies(t, got.messages, "b")
	})
}

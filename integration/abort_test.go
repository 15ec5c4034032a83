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
			m := e.receiveOne(t, url, waitFor(20), hideFor(60))
			if n := receiveCount(m); arrived == 1 && n != "2" || n != "1" && n != "2" {
				t.Errorf("receive count %s after %d arrived", n, arrived)
			}
			e.delete(t, url, m)
		}
	})
}

// A message that was claimed for a client that cannot be reached any more goes
// back as if it had not been received, however often that happens.
func TestUnreachableClientsTakeNothing(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		name := freshName()
		url := e.createNamed(t, name, attrs{"VisibilityTimeout": "600"})
		e.send(t, url, "b")
		held := e.receiveOne(t, url)
		request := e.lines(name, `{"QueueUrl":"%QUEUE","WaitTimeSeconds":20}`, "POST / HTTP/1.1", "Host: %HOST",
			"Content-Type: application/x-amz-json-1.0", "X-Amz-Target: AmazonSQS.ReceiveMessage", scope)
		if e.wire.query {
			request = e.lines(name, "Action=ReceiveMessage&QueueUrl=%QUEUE&WaitTimeSeconds=20", "POST / HTTP/1.1", "Host: %HOST",
				"Content-Type: application/x-www-form-urlencoded", scope)
		}
		for range 100 {
			c, vanish := e.vanishing()
			if _, err := c.Write([]byte(request)); err != nil {
				t.Fatal(err)
			}
			synctest.Wait() // the poll is parked
			vanish()
			e.changeVisibility(t, url, held, 0)
			synctest.Wait() // its answer has failed
			held = e.receiveOne(t, url)
			c.Close()
			if n := receiveCount(held); n != "2" {
				t.Fatalf("receive count %s, want 2", n)
			}
			e.delete(t, url, held)
			e.send(t, url, "b")
			held = e.receiveOne(t, url)
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

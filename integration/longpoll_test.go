package integration

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// A poll that finds nothing lasts as long as it was told to: by the request,
// else by the queue; zero in the request is a value.
func TestEmptyPollsLastTheirTime(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, attrs{"ReceiveMessageWaitTimeSeconds": "3"})
		for wait, want := range map[any]time.Duration{nil: 3 * time.Second, 0: 0, 1: time.Second, 20: 20 * time.Second} {
			in := args{"QueueUrl": url}
			if wait != nil {
				in["WaitTimeSeconds"] = wait
			}
			start := time.Now()
			r := e.call(t, "ReceiveMessage", in)
			e.took(t, start, want)
			if len(r.messages(t)) != 0 {
				t.Errorf("messages in %s", r.Body)
			}
		}
	})
}

// wakes are the ways in which a message can become receivable one second after
// a poll began.
var wakes = map[string]func(t *testing.T, e *env, url string) func(){
	"Send": func(t *testing.T, e *env, url string) func() {
		return func() { e.send(t, url, "b") }
	},
	"Batch": func(t *testing.T, e *env, url string) func() {
		return func() { e.sendBatch(t, url, "b") }
	},
	"EndOfDelay": func(t *testing.T, e *env, url string) func() {
		e.send(t, url, "b", delayed(1))
		return nil
	},
	"EndOfTimeout": func(t *testing.T, e *env, url string) func() {
		e.send(t, url, "b")
		e.receiveOne(t, url, hideFor(1))
		return nil
	},
	"VisibilityZero": func(t *testing.T, e *env, url string) func() {
		e.send(t, url, "b")
		m := e.receiveOne(t, url)
		return func() { e.changeVisibility(t, url, m, 0) }
	},
	"VisibilityZeroInBatch": func(t *testing.T, e *env, url string) func() {
		e.send(t, url, "b")
		m := e.receiveOne(t, url)
		return func() {
			id := "a"
			if _, err := e.sqs.ChangeMessageVisibilityBatch(t.Context(), &sqs.ChangeMessageVisibilityBatchInput{
				QueueUrl: &url,
				Entries:  []types.ChangeMessageVisibilityBatchRequestEntry{{Id: &id, ReceiptHandle: m.ReceiptHandle}},
			}); err != nil {
				t.Error(err)
			}
		}
	},
	"ShorterTimeout": func(t *testing.T, e *env, url string) func() {
		e.send(t, url, "b")
		m := e.receiveOne(t, url, hideFor(600))
		e.changeVisibility(t, url, m, 1)
		return nil
	},
}

func TestAPollIsWokenByWhatHappens(t *testing.T) {
	t.Parallel()
	for name, prepare := range wakes {
		t.Run(name, func(t *testing.T) {
			forEachInBubble(t, func(t *testing.T, e *env) {
				url := e.create(t, nil)
				act := prepare(t, e, url)
				start := time.Now()
				poll := e.poll(t, url, waitFor(20))
				if act != nil {
					time.Sleep(time.Second)
					act()
				}
				got := <-poll
				e.took(t, start, time.Second)
				wantBodies(t, got.messages, "b")
			})
		})
	}
}

// polled is how a poll in the background ended.
type polled struct {
	messages []types.Message
	err      error
}

// poll receives in the background.
func (e *env) poll(t *testing.T, url string, opts ...func(*sqs.ReceiveMessageInput)) <-chan polled {
	t.Helper()
	in := &sqs.ReceiveMessageInput{
		QueueUrl: &url, MaxNumberOfMessages: 10,
		MessageSystemAttributeNames: []types.MessageSystemAttributeName{types.MessageSystemAttributeNameAll},
	}
	for _, o := range opts {
		o(in)
	}
	done := make(chan polled, 1)
	go func() {
		out, err := e.sqs.ReceiveMessage(t.Context(), in)
		if err != nil {
			done <- polled{err: err}
			return
		}
		done <- polled{messages: out.Messages}
	}()
	return done
}

// The same wakes through real sockets, as far as they need no knowledge of who
// is waiting already.
func TestAPollGetsWhatComes(t *testing.T) {
	t.Parallel()
	for name, prepare := range wakes {
		t.Run(name, func(t *testing.T) {
			forEach(t, func(t *testing.T, e *env) {
				url := e.create(t, nil)
				act := prepare(t, e, url)
				start := time.Now()
				poll := e.poll(t, url, waitFor(20))
				if act != nil {
					act()
				}
				got := <-poll
				if got.err != nil {
					t.Fatal(got.err)
				}
				wantBodies(t, got.messages, "b")
				if d := time.Since(start); d > 15*time.Second {
					t.Errorf("it took %v", d)
				}
			})
		})
	}
}

// A poll parked before a delayed send is woken when the delay ends.
func TestAPollWaitsForALaterDelay(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		for _, url := range []string{e.create(t, nil), e.create(t, attrs{"DelaySeconds": "2"})} {
			start := time.Now()
			poll := e.poll(t, url, waitFor(10))
			time.Sleep(500 * time.Millisecond)
			e.send(t, url, "b", delayed(2))
			got := <-poll
			e.took(t, start, 2500*time.Millisecond)
			wantBodies(t, got.messages, "b")
		}
	})
}

// One message goes to one of two polls; the other goes on waiting.
func TestTwoPollsAndOneMessage(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		start := time.Now()
		first := e.poll(t, url, waitFor(10))
		time.Sleep(time.Millisecond) // so that the first is the longest waiting
		second := e.poll(t, url, waitFor(10))
		time.Sleep(time.Second)
		e.send(t, url, "1")
		got := <-first
		e.took(t, start, 1001*time.Millisecond)
		wantBodies(t, got.messages, "1")
		time.Sleep(time.Second)
		e.send(t, url, "2")
		got = <-second
		wantBodies(t, got.messages, "2")
		e.took(t, start, 2001*time.Millisecond)
	})
}

// A batch feeds every poll that waits.
func TestABatchWakesSeveralPolls(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		start := time.Now()
		var polls []<-chan polled
		for range 5 {
			polls = append(polls, e.poll(t, url, waitFor(20), upTo(2)))
		}
		time.Sleep(time.Second)
		e.sendBatch(t, url, "0", "1", "2", "3", "4", "5", "6", "7", "8", "9")
		seen := map[string]bool{}
		for _, p := range polls {
			got := <-p
			for _, b := range bodies(got.messages) {
				seen[b] = true
			}
		}
		e.took(t, start, time.Second)
		if len(seen) != 10 {
			t.Errorf("the polls got %v, want all ten", names(seen))
		}
	})
}

// What is there comes at once, and only what is returned is claimed.
func TestAPollWithABacklogReturnsAtOnce(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.sendBatch(t, url, "1", "2", "3", "4")
		start := time.Now()
		for _, want := range []string{"1", "2", "3", "4"} {
			m := e.receiveOne(t, url, waitFor(20), upTo(1))
			wantBodies(t, []types.Message{m}, want)
			e.delete(t, url, m)
		}
		e.took(t, start, 0)
		e.wantCounts(t, url, counts{"0", "0", "0"})
	})
}

// A poll belongs to its queue, not to the name: it ends with the queue.
func TestAPollEndsWithItsQueue(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		name := freshName()
		url := e.createNamed(t, name, nil)
		start := time.Now()
		poll := e.poll(t, url, waitFor(15))
		time.Sleep(time.Second)
		if _, err := e.sqs.DeleteQueue(t.Context(), &sqs.DeleteQueueInput{QueueUrl: &url}); err != nil {
			t.Fatal(err)
		}
		got := <-poll
		e.took(t, start, time.Second)
		if got.err != nil {
			e.wantError(t, got.err, "AWS.SimpleQueueService.NonExistentQueue", 400)
		}
		time.Sleep(61 * time.Second)
		e.createNamed(t, name, nil)
		e.send(t, url, "fresh")
		if m := e.receiveOne(t, url); receiveCount(m) != "1" || *m.Body != "fresh" {
			t.Errorf("received %q for the %s. time", *m.Body, receiveCount(m))
		}
	})
}

// A purge leaves polls waiting.
func TestAPollOutlivesAPurge(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		start := time.Now()
		poll := e.poll(t, url, waitFor(20))
		time.Sleep(time.Second)
		if _, err := e.sqs.PurgeQueue(t.Context(), &sqs.PurgeQueueInput{QueueUrl: &url}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		e.send(t, url, "after")
		got := <-poll
		e.took(t, start, 2*time.Second)
		wantBodies(t, got.messages, "after")
	})
}

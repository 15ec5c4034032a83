package integration

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

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
	"MoveTask": func(t *testing.T, e *env, url string) func() {
		source := e.create(t, nil)
		e.withDeadLetters(t, source, 1)
		e.send(t, source, "b")
		from, to := e.arn(t, source), e.arn(t, url)
		return func() { e.startMove(t, &sqs.StartMessageMoveTaskInput{SourceArn: &from, DestinationArn: &to}) }
	},
	"DeadLetter": func(t *testing.T, e *env, url string) func() {
		source := e.withDeadLetters(t, url, 1)
		e.send(t, source, "b")
		e.receiveOne(t, source)
		return func() { e.wantNothing(t, source) }
	},
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

// lasts makes a fact of how long a poll lasts that finds nothing, at a queue
// whose own wait is 3 seconds.
func lasts(name string, in args, want time.Duration) fact {
	return fact{"ReceiveMessage", name, "", func(t *testing.T, e *env) {
		url := e.create(t, attrs{"ReceiveMessageWaitTimeSeconds": "3"})
		start := time.Now()
		wantTaken(t, e.pull(t, url, in), "")
		e.took(t, start, want)
	}}
}

func TestFactsOfPolls(t *testing.T) {
	facts := []fact{
		lasts("WaitOfTheQueue", nil, 3*time.Second),
		lasts("NoWaitOfTheRequest", args{"WaitTimeSeconds": 0}, 0),
		lasts("WaitOfTheRequest", args{"WaitTimeSeconds": 1}, time.Second),
		lasts("LongestWait", args{"WaitTimeSeconds": 20}, 20*time.Second),
		{"ReceiveMessage", "DoesNotWaitToFillUp", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.sendBatch(t, url, "1", "2")
			start := time.Now()
			wantTaken(t, e.pull(t, url, args{"WaitTimeSeconds": 20, "MaxNumberOfMessages": 10}), "1 2")
			e.took(t, start, 0)
		}},
		{"ReceiveMessage", "AShortPollFindsWhateverIsThere", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			for range 20 {
				e.send(t, url, "b")
				wantTaken(t, e.pull(t, url, args{"WaitTimeSeconds": 0}), "b")
			}
		}},
		{"ReceiveMessage", "WokenByADeleteThatUnlocksTheGroup", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			e.put(t, url, "g-1", "g-2")
			m := e.receiveOne(t, url, upTo(1))
			start := time.Now()
			poll := e.poll(t, url, waitFor(20))
			time.Sleep(time.Second)
			e.delete(t, url, m)
			wantBodies(t, (<-poll).messages, "g-2")
			e.took(t, start, time.Second)
		}},
		{"ReceiveMessage", "OneMessageForOneOfTheWaiting", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			start := time.Now()
			results := make(chan []types.Message)
			for range 3 {
				poll := e.poll(t, url, waitFor(10))
				go func() { results <- (<-poll).messages }()
			}
			time.Sleep(time.Second)
			e.put(t, url, "g-1")
			first := <-results
			wantBodies(t, first, "g-1")
			e.took(t, start, time.Second)
			time.Sleep(time.Second)
			e.put(t, url, "g-2")
			time.Sleep(2 * time.Second)
			e.delete(t, url, first[0])
			wantBodies(t, <-results, "g-2")
			e.took(t, start, 4*time.Second)
			wantBodies(t, <-results)
			e.took(t, start, 10*time.Second)
		}},
		{"ReceiveMessage", "TheLongestWaitingIsServedFirst", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			start := time.Now()
			first := e.poll(t, url, waitFor(10))
			time.Sleep(time.Millisecond) // so that the first is the longest waiting
			second := e.poll(t, url, waitFor(10))
			time.Sleep(time.Second)
			e.send(t, url, "1")
			wantBodies(t, (<-first).messages, "1")
			e.took(t, start, 1001*time.Millisecond)
			time.Sleep(time.Second)
			e.send(t, url, "2")
			wantBodies(t, (<-second).messages, "2")
			e.took(t, start, 2001*time.Millisecond)
		}},
		{"ReceiveMessage", "ABatchWakesSeveralPolls", "", func(t *testing.T, e *env) {
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
				for _, b := range bodies((<-p).messages) {
					seen[b] = true
				}
			}
			e.took(t, start, time.Second)
			if len(seen) != 10 {
				t.Errorf("the polls got %v, want all ten", names(seen))
			}
		}},
		{"ReceiveMessage", "APollEndsWithItsQueue", "", func(t *testing.T, e *env) {
			name := freshName()
			url := e.createNamed(t, name, nil)
			start := time.Now()
			poll := e.poll(t, url, waitFor(15))
			time.Sleep(time.Second)
			e.deleteQueue(t, url)
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
		}},
		{"ReceiveMessage", "APollOutlivesAPurge", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			start := time.Now()
			poll := e.poll(t, url, waitFor(20))
			time.Sleep(time.Second)
			e.purge(t, url)
			time.Sleep(time.Second)
			e.send(t, url, "after")
			wantBodies(t, (<-poll).messages, "after")
			e.took(t, start, 2*time.Second)
		}},
		{"ReceiveMessage", "WhoHangsUpReceivesNothing", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			abort, got := e.abortable(t, url)
			time.Sleep(time.Second)
			abort()
			<-got
			time.Sleep(time.Second)
			e.send(t, url, "b")
			if m := e.pullOne(t, url, all); m.Attributes["ApproximateReceiveCount"] != "1" {
				t.Errorf("it came with %v", m.Attributes)
			}
		}},
	}
	for name, prepare := range wakes {
		facts = append(facts, fact{"ReceiveMessage", "WokenBy" + name, "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			act := prepare(t, e, url)
			start := time.Now()
			poll := e.poll(t, url, waitFor(20))
			if act != nil {
				time.Sleep(time.Second)
				act()
			}
			wantBodies(t, (<-poll).messages, "b")
			e.took(t, start, time.Second)
		}})
	}
	runFacts(t, facts)
}

package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// The order of groups, their locks and the memory of what was sent hold over a
// kill.
func TestKilledServerKeepsOrder(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := startBinary(t, serveArgs(data)...)
	e := newEnv(t, p.server(), wireJSON)
	url := e.createNamed(t, "order.fifo", attrs{"FifoQueue": "true", "VisibilityTimeout": "3600", "DeduplicationScope": "messageGroup"})
	e.put(t, url, "g-1", "g-2", "g-3", "g-4", "h-1", "h-2", "i-1")
	first := e.send(t, url, "j-1", inGroup("j"), as("j-1"))
	attempt := func(in *sqs.ReceiveMessageInput) {
		in.ReceiveRequestAttemptId, in.MaxNumberOfMessages = aws.String("again"), 3
	}
	held := e.receive(t, url, attempt)
	wantBodies(t, held, "g-1", "g-2", "g-3")
	e.changeVisibility(t, url, held[0], 3600) // ends the attempt
	e.delete(t, url, held[1])
	repeatable := func(in *sqs.ReceiveMessageInput) {
		in.ReceiveRequestAttemptId, in.MaxNumberOfMessages = aws.String("kept"), 2
	}
	others := e.receive(t, url, repeatable)
	wantBodies(t, others, "h-1", "h-2")

	for round := range restartRounds {
		p.kill()
		p = startBinary(t, serveArgs(data)...)
		e = p.server().client(t, wires[round%2], e.account, e.region)
		url = e.url + "/" + e.account + "/order.fifo"
		again := e.receive(t, url, repeatable)
		wantBodies(t, again, "h-1", "h-2")
		if len(again) != 2 || *again[0].ReceiptHandle != *others[0].ReceiptHandle {
			t.Errorf("the receive was not repeated: %q", bodies(again))
		}
		duplicate := e.send(t, url, "other", inGroup("j"), as("j-1"))
		if *duplicate.MessageId != *first.MessageId || *duplicate.SequenceNumber != *first.SequenceNumber {
			t.Errorf("a duplicate is %s %s, want %s %s", *duplicate.MessageId, *duplicate.SequenceNumber, *first.MessageId, *first.SequenceNumber)
		}
		e.wantCounts(t, url, counts{"3", "4", "0"})
	}
	e.changeVisibility(t, url, held[2], 0)
	wantBodies(t, e.receive(t, url, upTo(1)), "i-1")
	wantBodies(t, e.receive(t, url), "j-1")
	e.changeVisibility(t, url, held[0], 0)
	wantBodies(t, e.receive(t, url), "g-1", "g-3", "g-4")
	if got := e.send(t, url, "g-5", inGroup("g"), as("g-5")); *got.SequenceNumber <= *first.SequenceNumber {
		t.Errorf("the number %s after %s", *got.SequenceNumber, *first.SequenceNumber)
	}
}

// A move task goes on after a kill: every message is in exactly one of the two
// queues, and all have moved at the end.
func TestKilledServerResumesAMoveTask(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := startBinary(t, serveArgs(data)...)
	e := newEnv(t, p.server(), wireJSON)
	dlq, target := e.createNamed(t, "dlq", nil), e.createNamed(t, "target", nil)
	origin := e.createNamed(t, "origin", attrs{"VisibilityTimeout": "0", "RedrivePolicy": redriveTo(e.arn(t, dlq), 1)})
	const n = 300
	e.flood(t, origin, "m", n)
	for range n/10 + 1 {
		e.receive(t, origin)
	}
	e.wantNothing(t, origin)
	e.wantCounts(t, dlq, counts{fmt.Sprint(n), "0", "0"})
	source, to := e.arn(t, dlq), e.arn(t, target)
	handle := e.startMove(t, &sqs.StartMessageMoveTaskInput{SourceArn: &source, DestinationArn: &to, MaxNumberOfMessagesPerSecond: aws.Int32(100)})
	started := e.moveTasks(t, source)[0].StartedTimestamp
	for round, least := range []int64{1, 100} {
		for deadline := time.Now().Add(patience); ; {
			task := e.moveTasks(t, source)[0]
			if task.ApproximateNumberOfMessagesMoved >= least {
				break
			}
			if *task.Status != "RUNNING" || time.Now().After(deadline) {
				t.Fatalf("the task does not go on: %+v", task)
			}
		}
		p.kill()
		p = startBinary(t, serveArgs(data)...)
		e = p.server().client(t, wires[round%2], e.account, e.region)
		dlq, target = e.url+"/"+e.account+"/dlq", e.url+"/"+e.account+"/target"
		if task := e.moveTasks(t, source)[0]; task.StartedTimestamp != started || *task.Status == "RUNNING" && *task.TaskHandle != handle {
			t.Errorf("after a kill the task is %+v", task)
		}
	}
	if task := e.ended(t, source); *task.Status != "COMPLETED" || task.ApproximateNumberOfMessagesMoved != n {
		t.Errorf("the task is %+v", task)
	}
	e.wantCounts(t, dlq, counts{"0", "0", "0"})
	e.wantCounts(t, target, counts{fmt.Sprint(n), "0", "0"})
	seen := map[string]bool{}
	for deadline := time.Now().Add(patience); len(seen) < n; {
		got := e.receive(t, target)
		if len(got) == 0 || time.Now().After(deadline) {
			t.Fatalf("received %d different messages, want %d", len(seen), n)
		}
		for _, m := range got {
			seen[*m.Body] = true
		}
	}
}

// A message that is being dead-lettered is in exactly one queue whenever the
// server is killed, and one deleted there stays deleted.
func TestKilledServerKeepsDeadLetters(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := startBinary(t, serveArgs(data)...)
	e := newEnv(t, p.server(), wireJSON)
	dlq := e.createNamed(t, "dlq", nil)
	url := e.createNamed(t, "origin", attrs{"VisibilityTimeout": "0", "RedrivePolicy": redriveTo(e.arn(t, dlq), 1)})
	e.send(t, url, "kept")
	e.send(t, url, "deleted")
	e.receive(t, url)
	e.wantNothing(t, url)
	for _, m := range e.receive(t, dlq, hideFor(1)) {
		if *m.Body == "deleted" {
			e.delete(t, dlq, m)
		}
	}
	p.kill()
	p = startBinary(t, serveArgs(data)...)
	e = p.server().client(t, wireQuery, e.account, e.region)
	dlq, url = e.url+"/"+e.account+"/dlq", e.url+"/"+e.account+"/origin"
	got := e.receiveOne(t, dlq, waitFor(20))
	if *got.Body != "kept" || got.Attributes["DeadLetterQueueSourceArn"] != e.arn(t, url) || receiveCount(got) != "3" {
		t.Errorf("it came as %s with %v", *got.Body, got.Attributes)
	}
	e.wantCounts(t, url, counts{"0", "0", "0"})
	e.wantCounts(t, dlq, counts{"0", "1", "0"})
}

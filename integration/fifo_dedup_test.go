package integration

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// A send is a duplicate for five minutes from the one that was stored, whatever
// became of that and however often it was repeated.
func TestDeduplicationWindow(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.createFIFO(t, nil)
		first := e.send(t, url, "1", inGroup("g"), as("d"))
		e.delete(t, url, e.receiveOne(t, url))
		for range 3 {
			time.Sleep(99 * time.Second)
			again := e.send(t, url, "2", inGroup("g"), as("d"))
			if *again.MessageId != *first.MessageId || *again.SequenceNumber != *first.SequenceNumber {
				t.Errorf("a duplicate is %s %s, want the first's %s %s", *again.MessageId, *again.SequenceNumber, *first.MessageId, *first.SequenceNumber)
			}
			e.wantNothing(t, url)
		}
		time.Sleep(3 * time.Second)
		e.send(t, url, "3", inGroup("g"), as("d"))
		wantBodies(t, e.receive(t, url), "3")
	})
}

// Content counts by the body alone, as its SHA-256, which an explicit id may
// equal and which it wins over.
func TestContentBasedDeduplication(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		const hash = "0967115f2813a3541eaef77de9d9d5773f1c0c04314b0bbfe4ff3b3b1c55b5d5"
		url := e.createFIFO(t, attrs{"ContentBasedDeduplication": "true"})
		first := e.send(t, url, "same", inGroup("g"))
		for _, again := range []string{
			*e.send(t, url, "same", inGroup("h")).MessageId,
			*e.send(t, url, "other", inGroup("g"), as(hash)).MessageId,
		} {
			if again != *first.MessageId {
				t.Errorf("a duplicate has the id %s, want %s", again, *first.MessageId)
			}
		}
		e.send(t, url, "same", inGroup("g"), as("own"))
		got := e.receive(t, url)
		wantBodies(t, got, "same", "same")
		if got[0].Attributes["MessageDeduplicationId"] != hash || got[1].Attributes["MessageDeduplicationId"] != "own" {
			t.Errorf("ids %v and %v", got[0].Attributes, got[1].Attributes)
		}
	})
}

// The scope of a queue says where an id is unique: the one it was made with,
// also after a change.
func TestDeduplicationScope(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		for scope, other := range map[string]string{"queue": "messageGroup", "messageGroup": "queue"} {
			url := e.createFIFO(t, attrs{"DeduplicationScope": scope})
			want := counts{"1", "0", "0"}
			if scope == "messageGroup" {
				want.Visible = "2"
			}
			for range 2 {
				e.send(t, url, "A", inGroup("g1"), as("d"))
				e.send(t, url, "B", inGroup("g2"), as("d"))
				e.wantCounts(t, url, want)
				e.setAttributes(t, url, attrs{"DeduplicationScope": other})
			}
			e.send(t, url, "C", inGroup("g1"), as("new"))
			e.send(t, url, "D", inGroup("g2"), as("new"))
			if scope == "queue" {
				want.Visible = "2"
			} else {
				want.Visible = "4"
			}
			e.wantCounts(t, url, want)
		}
	})
}

// A FIFO batch is taken whole or not at all, and remembers nothing of what it
// refused.
func TestFIFOBatch(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.createFIFO(t, nil)
		entry := func(id, body string, more args) args {
			all := args{"Id": id, "MessageBody": body, "MessageGroupId": "g", "MessageDeduplicationId": id}
			for k, v := range more {
				all[k] = v
			}
			return all
		}
		for name, bad := range map[string]args{
			"NoGroup": {"MessageGroupId": nil}, "NoDedup": {"MessageDeduplicationId": nil}, "Delay": {"DelaySeconds": 1}, "BadGroup": {"MessageGroupId": "a b"},
		} {
			r := e.call(t, "SendMessageBatch", args{"QueueUrl": url, "Entries": list{entry("a", "1", nil), entry("b", "2", bad)}})
			if r.Code != "InvalidParameterValue" {
				t.Errorf("%s: %d %s %s", name, r.Status, r.Code, r.Message)
			}
		}
		e.wantCounts(t, url, counts{"0", "0", "0"})
		e.call(t, "SendMessageBatch", args{"QueueUrl": url, "Entries": list{
			entry("a", "1", nil), entry("b", "2", args{"DelaySeconds": 0}), entry("c", "again", args{"MessageDeduplicationId": "a"}), entry("d", "4", nil),
		}}).wantOK(t)
		wantBodies(t, e.receive(t, url), "1", "2", "4")
	})
}

// Of many sends of one id at the same time one is stored, and all get its id.
func TestConcurrentDuplicates(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.createFIFO(t, nil)
		const rounds, senders = 20, 4
		for round := range rounds {
			var ids [senders]string
			var wg sync.WaitGroup
			for i := range senders {
				wg.Go(func() {
					r := e.sendQuietly(t, url, fmt.Sprint(i), fmt.Sprint("d", round))
					ids[i] = aws.ToString(r)
				})
			}
			wg.Wait()
			for _, id := range ids {
				if id == "" || id != ids[0] {
					t.Fatalf("round %d: ids %v", round, ids)
				}
			}
		}
		e.wantCounts(t, url, counts{fmt.Sprint(rounds), "0", "0"})
	})
}

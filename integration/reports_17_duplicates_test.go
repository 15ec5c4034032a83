package integration

import (
	"fmt"
	"sync"
	"testing"
	"time"
)

var reportsOfDuplicates = []report{
	{17, "B152", "DuplicateOfADeleted", func(t *testing.T, e *env) {
		u := e.createFIFO(t, nil)
		first := e.send(t, u, "1", inGroup("g"), as("d1"))
		e.delete(t, u, e.receiveOne(t, u))
		for _, wait := range []time.Duration{time.Second, 289 * time.Second} {
			time.Sleep(wait)
			again := e.send(t, u, "2", inGroup("g"), as("d1"))
			if *again.MessageId != *first.MessageId || *again.SequenceNumber != *first.SequenceNumber {
				t.Errorf("it is %s %s, want the first's %s %s", *again.MessageId, *again.SequenceNumber, *first.MessageId, *first.SequenceNumber)
			}
			e.wantNothing(t, u)
		}
		time.Sleep(15 * time.Second)
		if later := e.send(t, u, "3", inGroup("g"), as("d1")); *later.MessageId == *first.MessageId || *later.SequenceNumber <= *first.SequenceNumber {
			t.Errorf("it is %s %s, as the first", *later.MessageId, *later.SequenceNumber)
		}
		wantBodies(t, e.receive(t, u), "3")
	}, nil},
	{17, "B153", "ScopeOfGroup", func(t *testing.T, e *env) {
		for want, a := range map[string]attrs{
			"[A]": nil, "[A B]": {"DeduplicationScope": "messageGroup", "FifoThroughputLimit": "perMessageGroupId"},
		} {
			u := e.createFIFO(t, a)
			first := e.send(t, u, "A", inGroup("g1"), as("d"))
			e.send(t, u, "B", inGroup("g2"), as("d"))
			if third := e.send(t, u, "C", inGroup("g1"), as("d")); *third.MessageId != *first.MessageId {
				t.Errorf("%v: the third is %s, want the first's %s", a, *third.MessageId, *first.MessageId)
			}
			if got := bodies(e.receive(t, u)); fmt.Sprint(got) != want {
				t.Errorf("%v: received %q, want %s", a, got, want)
			}
		}
	}, nil},
	{17, "B156", "HashOfTheBody", func(t *testing.T, e *env) {
		const hash = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
		u := e.createFIFO(t, attrs{"ContentBasedDeduplication": "true"})
		first := e.send(t, u, "hello", inGroup("g"))
		again := e.send(t, u, "x", inGroup("g"), as(hash))
		if *again.MessageId != *first.MessageId || *again.SequenceNumber != *first.SequenceNumber {
			t.Error("it is no duplicate")
		}
		if m := e.receiveOne(t, u); *m.Body != "hello" || m.Attributes["MessageDeduplicationId"] != hash {
			t.Errorf("%s with %v", *m.Body, m.Attributes)
		}
	}, nil},
	{17, "B157", "PlainDuplicates", func(t *testing.T, e *env) {
		u := e.createFIFO(t, nil)
		ids := map[string]bool{}
		for _, body := range []string{"1", "2", "3"} {
			ids[*e.send(t, u, body, inGroup("g"), as("d1")).MessageId] = true
			time.Sleep(time.Second)
		}
		if len(ids) != 1 {
			t.Errorf("ids %v", ids)
		}
		ok, failed := e.call(t, "SendMessageBatch", args{"QueueUrl": u, "Entries": list{
			args{"Id": "a", "MessageBody": "4", "MessageGroupId": "g", "MessageDeduplicationId": "d2"},
			args{"Id": "b", "MessageBody": "5", "MessageGroupId": "g", "MessageDeduplicationId": "d2"},
		}}).entries(t)
		if len(ok) != 2 || len(failed) != 0 || ok[0].MessageId != ok[1].MessageId || ok[0].SequenceNumber != ok[1].SequenceNumber {
			t.Errorf("%+v %+v", ok, failed)
		}
		wantBodies(t, e.receive(t, u), "1", "4")
		race := e.createFIFO(t, nil)
		const rounds = 200
		for i := range rounds {
			var got [2]*string
			var both sync.WaitGroup
			for j := range got {
				both.Go(func() { got[j] = e.sendQuietly(t, race, fmt.Sprint(i, j), fmt.Sprint(i)) })
			}
			both.Wait()
			if got[0] == nil || got[1] == nil || *got[0] != *got[1] {
				t.Fatalf("round %d: two ids", i)
			}
		}
		e.wantCounts(t, race, counts{fmt.Sprint(rounds), "0", "0"})
	}, nil},
	{17, "B158", "PurgeForgets", func(t *testing.T, e *env) {
		u := e.createFIFO(t, nil)
		first := e.send(t, u, "message-1", inGroup("g"), as("d"))
		e.call(t, "PurgeQueue", args{"QueueUrl": u}).wantOK(t)
		if second := e.send(t, u, "message-2", inGroup("g"), as("d")); *second.MessageId == *first.MessageId {
			t.Error("it is the first's id")
		}
		wantBodies(t, e.receive(t, u), "message-2")
	}, nil},
	{17, "B160", "AttemptAfterADelete", func(t *testing.T, e *env) {
		u := e.createFIFO(t, nil)
		e.put(t, u, "g-1", "g-2")
		attempt := args{"QueueUrl": u, "MaxNumberOfMessages": 10, "ReceiveRequestAttemptId": "r1"}
		first := e.call(t, "ReceiveMessage", attempt).messages(t)
		again := e.call(t, "ReceiveMessage", attempt).messages(t)
		if len(first) != 2 || len(again) != 2 || first[0].ReceiptHandle != again[0].ReceiptHandle {
			t.Fatalf("the receive was not repeated: %v %v", first, again)
		}
		e.call(t, "DeleteMessage", args{"QueueUrl": u, "ReceiptHandle": first[0].ReceiptHandle}).wantOK(t)
		for _, m := range e.call(t, "ReceiveMessage", attempt).messages(t) {
			t.Errorf("received %s", m.Body)
		}
	}, nil},
	{17, "B161", "GroupsOnStandardQueues", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		e.call(t, "SendMessage", args{"QueueUrl": u, "MessageBody": "1", "MessageGroupId": "tenant-1"}).wantOK(t)
		ok, _ := e.call(t, "SendMessageBatch", args{"QueueUrl": u, "Entries": list{
			args{"Id": "a", "MessageBody": "2", "MessageGroupId": "tenant-1"}, args{"Id": "b", "MessageBody": "3", "MessageGroupId": "tenant-1"},
		}}).wantOutcome(t, outcome{OK: []string{"a", "b"}}).entries(t)
		if ok[0].SequenceNumber != "" {
			t.Errorf("a sequence number %s", ok[0].SequenceNumber)
		}
		for i := range 3 {
			m := e.receiveOne(t, u, upTo(1))
			if _, numbered := m.Attributes["SequenceNumber"]; *m.Body != fmt.Sprint(i+1) || m.Attributes["MessageGroupId"] != "tenant-1" || numbered {
				t.Errorf("%s with %v", *m.Body, m.Attributes)
			}
		}
		e.call(t, "SendMessage", args{"QueueUrl": u, "MessageBody": "4", "MessageDeduplicationId": "d"}).wantStatus(t, 400).wantCode(t, "InvalidParameterValue")
		e.call(t, "SendMessageBatch", args{"QueueUrl": u, "Entries": list{args{"Id": "a", "MessageBody": "5", "MessageDeduplicationId": "d"}}}).
			wantOutcome(t, outcome{Failed: []string{"a InvalidParameterValue"}})
		e.wantCounts(t, u, counts{"0", "3", "0"})
	}, nil},
}

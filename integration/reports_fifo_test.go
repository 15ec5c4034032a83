package integration

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// release frees messages at once, in one batch.
func (e *env) release(t *testing.T, url string, ms ...sqsMessage) {
	t.Helper()
	entries := list{}
	for i, m := range ms {
		entries = append(entries, args{"Id": fmt.Sprint(i), "ReceiptHandle": *m.ReceiptHandle, "VisibilityTimeout": 0})
	}
	e.call(t, "ChangeMessageVisibilityBatch", args{"QueueUrl": url, "Entries": entries}).wantOK(t)
}

func TestReportsOfGroupsAndOrder(t *testing.T) {
	runReports(t, []report{
		{"B141", "TwoReceivesAtOnce", func(t *testing.T, e *env) {
			for range 100 {
				u := e.createFIFO(t, nil)
				e.put(t, u, "g-1", "g-2", "g-3", "g-4", "g-5", "g-6", "g-7", "g-8", "g-9", "g-10")
				var got [2][]sqsMessage
				var wg sync.WaitGroup
				for i := range got {
					wg.Go(func() {
						out, err := e.sqs.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: &u, MaxNumberOfMessages: 5})
						if err != nil {
							t.Error(err)
							return
						}
						got[i] = out.Messages
					})
				}
				wg.Wait()
				if len(got[0])+len(got[1]) != 5 || len(got[0]) != 0 && len(got[1]) != 0 {
					t.Fatalf("received %q and %q", bodies(got[0]), bodies(got[1]))
				}
				wantBodies(t, append(got[0], got[1]...), "g-1", "g-2", "g-3", "g-4", "g-5")
			}
		}},
		{"B142", "SendToALockedGroup", func(t *testing.T, e *env) {
			u := e.createFIFO(t, nil)
			e.put(t, u, "g-1", "g-2")
			wantBodies(t, e.receive(t, u, hideFor(30)), "g-1", "g-2")
			e.put(t, u, "g-3")
			e.wantNothing(t, u)
			e.put(t, u, "h-1")
			wantBodies(t, e.receive(t, u), "h-1")
		}},
		{"B144", "ManyOfOneGroup", func(t *testing.T, e *env) {
			u := e.createFIFO(t, nil)
			e.put(t, u, "g-1", "g-2", "g-3", "h-1", "g-4", "g-5", "g-6", "g-7")
			first := e.receive(t, u, upTo(5))
			wantBodies(t, first, "g-1", "g-2", "g-3", "g-4", "g-5")
			for _, m := range first {
				e.delete(t, u, m)
			}
			e.put(t, u, "h-2")
			got := bodies(e.receive(t, u))
			if fmt.Sprint(got) != "[h-1 h-2 g-6 g-7]" && fmt.Sprint(got) != "[g-6 g-7 h-1 h-2]" {
				t.Errorf("received %q", got)
			}
		}},
		{"B146", "DelayedBehindVisible", func(t *testing.T, e *env) {
			u := e.createFIFO(t, attrs{"DelaySeconds": "3"})
			e.put(t, u, "g-A")
			time.Sleep(3500 * time.Millisecond)
			e.put(t, u, "g-B")
			a := e.receiveOne(t, u)
			wantBodies(t, []sqsMessage{a}, "g-A")
			e.delete(t, u, a)
			e.wantNothing(t, u)
			time.Sleep(3 * time.Second)
			wantBodies(t, e.receive(t, u), "g-B")
		}},
		{"B147", "OrderAfterTimeouts", func(t *testing.T, e *env) {
			u := e.createFIFO(t, attrs{"VisibilityTimeout": "1"})
			e.put(t, u, "g-1", "g-2", "g-3", "g-4")
			wantBodies(t, e.receive(t, u), "g-1", "g-2", "g-3", "g-4")
			e.put(t, u, "g-5")
			for range 20 {
				time.Sleep(2 * time.Second)
				wantBodies(t, e.receive(t, u), "g-1", "g-2", "g-3", "g-4", "g-5")
			}
			time.Sleep(2 * time.Second)
			held := e.receive(t, u, hideFor(600))
			for _, i := range []int{2, 0, 3, 1, 4} {
				e.changeVisibility(t, u, held[i], 0)
			}
			wantBodies(t, e.receive(t, u), "g-1", "g-2", "g-3", "g-4", "g-5")
		}},
		{"B149", "OneAfterTheOther", func(t *testing.T, e *env) {
			u := e.createFIFO(t, nil)
			for i := range 50 {
				body := fmt.Sprint("g-", i)
				e.put(t, u, body)
				m := e.receiveOne(t, u, waitFor(1))
				if *m.Body != body {
					t.Fatalf("received %s, want %s", *m.Body, body)
				}
				switch i % 3 {
				case 0:
					e.delete(t, u, m)
				case 1:
					e.call(t, "DeleteMessageBatch", args{"QueueUrl": u, "Entries": list{args{"Id": "a", "ReceiptHandle": *m.ReceiptHandle}}}).wantOK(t)
				case 2:
					time.Sleep(61 * time.Second)
					e.call(t, "PurgeQueue", args{"QueueUrl": u}).wantOK(t)
				}
			}
		}},
		{"B151", "ReleasedInTheMiddle", func(t *testing.T, e *env) {
			five := []string{"g-1", "g-2", "g-3", "g-4", "g-5"}
			u := e.createFIFO(t, nil)
			e.put(t, u, five...)
			held := e.receive(t, u)
			e.delete(t, u, held[0])
			e.release(t, u, held[1:]...)
			wantBodies(t, e.receive(t, u), "g-2", "g-3", "g-4", "g-5")

			u = e.createFIFO(t, nil)
			e.put(t, u, five...)
			held = e.receive(t, u)
			e.delete(t, u, held[0])
			e.wantNothing(t, u)
			for i := 4; i > 1; i-- {
				e.changeVisibility(t, u, held[i], 0)
				e.wantNothing(t, u)
			}
			e.changeVisibility(t, u, held[1], 0)
			wantBodies(t, e.receive(t, u), "g-2", "g-3", "g-4", "g-5")
		}},
		{"B176", "CountsOfALockedGroup", func(t *testing.T, e *env) {
			u := e.createFIFO(t, nil)
			e.put(t, u, "g-1", "g-2", "g-3")
			e.receive(t, u, upTo(1))
			e.wantCounts(t, u, counts{"2", "1", "0"})
		}},
	})
}

func TestReportsOfDuplicatesAndGroups(t *testing.T) {
	runReports(t, []report{
		{"B019", "MissingGroup", func(t *testing.T, e *env) {
			u := e.createFIFO(t, nil)
			r := e.call(t, "SendMessage", args{"QueueUrl": u, "MessageBody": "b"}).wantCode(t, "MissingParameter").wantText(t, "The request must contain the parameter MessageGroupId.")
			if !e.wire.query && r.Shape != "com.amazon.coral.service#MissingRequiredParameterException" {
				t.Errorf("the type is %s", r.Shape)
			}
			r = e.call(t, "SendMessage", args{"QueueUrl": u, "MessageBody": "b", "MessageGroupId": "a b", "MessageDeduplicationId": "d"}).wantCode(t, "InvalidParameterValue")
			if !e.wire.query && r.Shape != "com.amazon.coral.service#InvalidParameterValueException" {
				t.Errorf("the type is %s", r.Shape)
			}
		}},
		{"B100", "KindOfAFIFOQueue", func(t *testing.T, e *env) {
			u := e.createFIFO(t, nil)
			e.call(t, "SetQueueAttributes", args{"QueueUrl": u, "Attributes": attrs{"FifoQueue": "false"}}).
				wantCode(t, "InvalidAttributeValue").wantText(t, "Modifying queue type is not supported.")
			e.setAttributes(t, u, attrs{"FifoQueue": "true", "VisibilityTimeout": "5"})
			if got := e.attributes(t, u, "VisibilityTimeout")["VisibilityTimeout"]; got != "5" {
				t.Errorf("VisibilityTimeout is %s", got)
			}
			e.call(t, "SetQueueAttributes", args{"QueueUrl": u, "Attributes": attrs{"Bogus": "1"}}).wantCode(t, "InvalidAttributeName")
		}},
		{"B118", "LateDelete", func(t *testing.T, e *env) {
			u := e.createFIFO(t, nil)
			e.put(t, u, "g-1")
			m := e.receiveOne(t, u, hideFor(1))
			time.Sleep(2 * time.Second)
			e.call(t, "DeleteMessage", args{"QueueUrl": u, "ReceiptHandle": *m.ReceiptHandle}).wantCode(t, "InvalidParameterValue").
				wantText(t, "Value "+*m.ReceiptHandle+" for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.")
			e.delete(t, u, e.receiveOne(t, u))
		}},
		{"B124", "NoTimeout", func(t *testing.T, e *env) {
			u := e.createFIFO(t, attrs{"VisibilityTimeout": "0"})
			e.put(t, u, "g-1")
			e.call(t, "DeleteMessage", args{"QueueUrl": u, "ReceiptHandle": *e.receiveOne(t, u).ReceiptHandle}).wantCode(t, "InvalidParameterValue")
			e.delete(t, u, e.receiveOne(t, u, hideFor(30)))
			e.wantCounts(t, u, counts{"0", "0", "0"})
		}},
		{"B130", "ZeroDelay", func(t *testing.T, e *env) {
			u := e.createFIFO(t, nil)
			in := func(id string, delay int) args {
				return args{"MessageBody": id, "MessageGroupId": "g", "MessageDeduplicationId": id, "DelaySeconds": delay}
			}
			one, entry := in("1", 0), in("2", 0)
			one["QueueUrl"], entry["Id"] = u, "a"
			e.call(t, "SendMessage", one).wantOK(t)
			e.call(t, "SendMessageBatch", args{"QueueUrl": u, "Entries": list{entry}}).wantOK(t)
			one = in("3", 2)
			one["QueueUrl"] = u
			e.call(t, "SendMessage", one).wantCode(t, "InvalidParameterValue").
				wantText(t, "Value 2 for parameter DelaySeconds is invalid. Reason: The request include parameter that is not valid for this queue type.")
			wantBodies(t, e.receive(t, u), "1", "2")
		}},
		{"B132", "NewDelayForAll", func(t *testing.T, e *env) {
			u := e.createFIFO(t, attrs{"DelaySeconds": "10"})
			e.put(t, u, "g-1")
			e.wantNothing(t, u)
			e.setAttributes(t, u, attrs{"DelaySeconds": "0"})
			wantBodies(t, e.receive(t, u), "g-1")
		}},
		{"B152", "DuplicateOfADeleted", func(t *testing.T, e *env) {
			u := e.createFIFO(t, nil)
			first := e.send(t, u, "1", inGroup("g"), as("d1"))
			e.delete(t, u, e.receiveOne(t, u))
			for _, wait := range []time.Duration{time.Second, 289 * time.Second} {
				time.Sleep(wait)
				if again := e.send(t, u, "2", inGroup("g"), as("d1")); *again.MessageId != *first.MessageId {
					t.Errorf("the id is %s, want the first's %s", *again.MessageId, *first.MessageId)
				}
				e.wantNothing(t, u)
			}
			time.Sleep(15 * time.Second)
			e.send(t, u, "3", inGroup("g"), as("d1"))
			wantBodies(t, e.receive(t, u), "3")
		}},
		{"B153", "ScopeOfGroup", func(t *testing.T, e *env) {
			for want, a := range map[string]attrs{
				"[A]": nil, "[A B]": {"DeduplicationScope": "messageGroup", "FifoThroughputLimit": "perMessageGroupId"},
			} {
				u := e.createFIFO(t, a)
				e.send(t, u, "A", inGroup("g1"), as("d"))
				e.send(t, u, "B", inGroup("g2"), as("d"))
				e.send(t, u, "C", inGroup("g1"), as("d"))
				if got := bodies(e.receive(t, u)); fmt.Sprint(got) != want {
					t.Errorf("%v: received %q, want %s", a, got, want)
				}
			}
		}},
		{"B156", "HashOfTheBody", func(t *testing.T, e *env) {
			u := e.createFIFO(t, attrs{"ContentBasedDeduplication": "true"})
			first := e.send(t, u, "hello", inGroup("g"))
			again := e.send(t, u, "x", inGroup("g"), as("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"))
			if *again.MessageId != *first.MessageId {
				t.Error("it is no duplicate")
			}
			wantBodies(t, e.receive(t, u), "hello")
		}},
		{"B157", "PlainDuplicates", func(t *testing.T, e *env) {
			u := e.createFIFO(t, nil)
			ids := map[string]bool{}
			for _, body := range []string{"1", "2", "3"} {
				ids[*e.send(t, u, body, inGroup("g"), as("d1")).MessageId] = true
				time.Sleep(time.Second)
			}
			if len(ids) != 1 {
				t.Errorf("ids %v", ids)
			}
			e.call(t, "SendMessageBatch", args{"QueueUrl": u, "Entries": list{
				args{"Id": "a", "MessageBody": "4", "MessageGroupId": "g", "MessageDeduplicationId": "d2"},
				args{"Id": "b", "MessageBody": "5", "MessageGroupId": "g", "MessageDeduplicationId": "d2"},
			}}).wantOK(t)
			wantBodies(t, e.receive(t, u), "1", "4")
		}},
		{"B158", "PurgeForgets", func(t *testing.T, e *env) {
			u := e.createFIFO(t, nil)
			e.send(t, u, "1", inGroup("g"), as("d"))
			e.call(t, "PurgeQueue", args{"QueueUrl": u}).wantOK(t)
			e.send(t, u, "2", inGroup("g"), as("d"))
			wantBodies(t, e.receive(t, u), "2")
		}},
		{"B160", "AttemptAfterADelete", func(t *testing.T, e *env) {
			u := e.createFIFO(t, nil)
			e.put(t, u, "g-1", "g-2")
			attempt := args{"QueueUrl": u, "MaxNumberOfMessages": 10, "ReceiveRequestAttemptId": "r1"}
			first := e.call(t, "ReceiveMessage", attempt).messages(t)
			e.call(t, "DeleteMessage", args{"QueueUrl": u, "ReceiptHandle": first[0].ReceiptHandle}).wantOK(t)
			for _, m := range e.call(t, "ReceiveMessage", attempt).messages(t) {
				t.Errorf("received %s", m.Body)
			}
		}},
	})
}

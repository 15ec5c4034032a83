package integration

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

var reportsOfGroups = []report{
	{16, "B141", "TwoReceivesAtOnce", func(t *testing.T, e *env) {
		ten := list{}
		for i := 1; i <= 10; i++ {
			body := fmt.Sprint("g-", i)
			ten = append(ten, args{"Id": body, "MessageBody": body, "MessageGroupId": "g", "MessageDeduplicationId": body})
		}
		for round := range 100 {
			u := e.createFIFO(t, nil)
			e.call(t, "SendMessageBatch", args{"QueueUrl": u, "Entries": ten}).wantOK(t)
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
			first := append(got[0], got[1]...)
			wantBodies(t, first, "g-1", "g-2", "g-3", "g-4", "g-5")
			if round%10 != 0 {
				continue
			}
			e.wantNothing(t, u)
			for _, m := range first[:4] {
				e.delete(t, u, m)
			}
			e.wantNothing(t, u)
			e.changeVisibility(t, u, first[4], 0)
			wantBodies(t, e.receive(t, u), "g-5", "g-6", "g-7", "g-8", "g-9", "g-10")
		}
	}, nil},
	{16, "B142", "SendToALockedGroup", func(t *testing.T, e *env) {
		u := e.createFIFO(t, nil)
		e.put(t, u, "g-1", "g-2")
		held := e.receive(t, u, hideFor(30))
		wantBodies(t, held, "g-1", "g-2")
		e.put(t, u, "g-3")
		e.wantNothing(t, u)
		e.put(t, u, "h-1")
		wantBodies(t, e.receive(t, u), "h-1")
		for _, m := range held {
			e.wantNothing(t, u)
			e.delete(t, u, m)
		}
		wantBodies(t, e.receive(t, u), "g-3")
	}, nil},
	{16, "B144", "ManyOfOneGroup", func(t *testing.T, e *env) {
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
	}, nil},
	{16, "B146", "DelayedBehindVisible", func(t *testing.T, e *env) {
		u := e.createFIFO(t, attrs{"DelaySeconds": "3"})
		e.put(t, u, "g-A")
		time.Sleep(3500 * time.Millisecond)
		start := time.Now()
		e.put(t, u, "g-B")
		a := e.receiveOne(t, u)
		wantBodies(t, []sqsMessage{a}, "g-A")
		e.delete(t, u, a)
		e.wantNothing(t, u)
		wantBodies(t, e.receive(t, u, waitFor(20)), "g-B")
		e.took(t, start, 3*time.Second)
	}, nil},
	{16, "B147", "OrderAfterTimeouts", func(t *testing.T, e *env) {
		five := []string{"g-1", "g-2", "g-3", "g-4", "g-5"}
		u := e.createFIFO(t, attrs{"VisibilityTimeout": "1"})
		e.put(t, u, five[:4]...)
		wantBodies(t, e.receive(t, u), five[:4]...)
		e.put(t, u, "g-5")
		for range 20 {
			time.Sleep(2 * time.Second)
			wantBodies(t, e.receive(t, u), five...)
		}
		time.Sleep(2 * time.Second)
		held := e.receive(t, u, hideFor(600))
		wantBodies(t, held, five...)
		for _, i := range []int{2, 0, 3, 1, 4} {
			e.changeVisibility(t, u, held[i], 0)
		}
		wantBodies(t, e.receive(t, u), five...)
	}, nil},
	{16, "B149", "OneAfterTheOther", func(t *testing.T, e *env) {
		for name, remove := range map[string]func(u string, m sqsMessage){
			"delete": func(u string, m sqsMessage) { e.delete(t, u, m) },
			"batch": func(u string, m sqsMessage) {
				e.call(t, "DeleteMessageBatch", args{"QueueUrl": u, "Entries": list{args{"Id": "a", "ReceiptHandle": *m.ReceiptHandle}}}).wantOutcome(t, outcome{OK: []string{"a"}})
			},
			"purge": func(u string, _ sqsMessage) {
				time.Sleep(61 * time.Second)
				e.call(t, "PurgeQueue", args{"QueueUrl": u}).wantOK(t)
			},
		} {
			u := e.createFIFO(t, attrs{"VisibilityTimeout": "600"})
			for i := range 50 {
				body := fmt.Sprint("g-", i)
				e.put(t, u, body)
				m := e.receiveOne(t, u, waitFor(1))
				if *m.Body != body {
					t.Fatalf("%s: received %s, want %s", name, *m.Body, body)
				}
				remove(u, m)
			}
			e.wantCounts(t, u, counts{"0", "0", "0"})
		}
	}, nil},
	{16, "B151", "ReleasedInTheMiddle", func(t *testing.T, e *env) {
		five := []string{"g-1", "g-2", "g-3", "g-4", "g-5"}
		hold := func() (u string, held []sqsMessage) {
			t.Helper()
			u = e.createFIFO(t, nil)
			e.put(t, u, five...)
			held = e.receive(t, u)
			wantBodies(t, held, five...)
			e.delete(t, u, held[0])
			e.wantNothing(t, u) // the rest is in flight
			return u, held
		}
		u, held := hold()
		e.release(t, u, held[1:]...)
		wantBodies(t, e.receive(t, u), five[1:]...)

		u, held = hold()
		e.release(t, u, held[4], held[2], held[3], held[1])
		wantBodies(t, e.receive(t, u), five[1:]...)

		u, held = hold()
		for i := 4; i > 1; i-- {
			e.changeVisibility(t, u, held[i], 0)
			e.wantNothing(t, u)
		}
		e.changeVisibility(t, u, held[1], 0)
		wantBodies(t, e.receive(t, u), five[1:]...)
	}, nil},
}

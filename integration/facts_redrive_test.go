package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// fifoDeadLetters makes a FIFO queue and its dead-letter queue, to which a
// message moves after so many receives.
func (e *env) fifoDeadLetters(t *testing.T, times int) (url, dlq string) {
	t.Helper()
	dlq = e.createFIFO(t, nil)
	return e.createFIFO(t, attrs{"VisibilityTimeout": "0", "RedrivePolicy": redriveTo(e.arn(t, dlq), times)}), dlq
}

func TestFactsOfRedrive(t *testing.T) {
	const receive = "ReceiveMessage"
	facts := []fact{
		{receive, "MovedWhenReceivedOnceTooOften", "", func(t *testing.T, e *env) {
			dlq := e.create(t, nil)
			url := e.withDeadLetters(t, dlq, 3)
			e.send(t, url, "b")
			for _, count := range []string{"1", "2", "3"} {
				if m := e.pullOne(t, url, all); m.Attributes["ApproximateReceiveCount"] != count {
					t.Errorf("it came with %v", m.Attributes)
				}
				e.wantCounts(t, dlq, counts{"0", "0", "0"})
			}
			wantTaken(t, e.pull(t, url, all), "")
			e.wantCounts(t, url, counts{"0", "0", "0"})
			e.wantCounts(t, dlq, counts{"1", "0", "0"})
		}},
		{receive, "WhatIsKeptOfADeadLetter", "", func(t *testing.T, e *env) {
			dlq := e.create(t, nil)
			url := e.withDeadLetters(t, dlq, 1)
			e.call(t, "SendMessage", args{
				"QueueUrl": url, "MessageBody": "b", "MessageGroupId": "g",
				"MessageAttributes":       map[string]args{"color": {"DataType": "String", "StringValue": "blue"}},
				"MessageSystemAttributes": map[string]args{"AWSTraceHeader": {"DataType": "String", "StringValue": trace}},
			}).wantOK(t)
			last := e.pullOne(t, url, all)
			wantTaken(t, e.pull(t, url, all), "")
			time.Sleep(time.Minute)
			got := e.pullOne(t, dlq, all)
			want := last
			want.ReceiptHandle = got.ReceiptHandle
			want.Attributes["ApproximateReceiveCount"], want.Attributes["DeadLetterQueueSourceArn"] = "2", e.arn(t, url)
			if diff := cmp.Diff(fmt.Sprint(want), fmt.Sprint(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			got.checkDigests(t)
		}},
		{receive, "ByTimeoutsToo", "", func(t *testing.T, e *env) {
			dlq := e.create(t, nil)
			url := e.create(t, attrs{"VisibilityTimeout": "5", "RedrivePolicy": redriveTo(e.arn(t, dlq), 2)})
			e.send(t, url, "b")
			for range 2 {
				wantTaken(t, e.pull(t, url, all), "b")
				time.Sleep(5 * time.Second)
			}
			start := time.Now()
			wantTaken(t, e.pull(t, url, args{"WaitTimeSeconds": 3}), "")
			e.took(t, start, 3*time.Second)
			wantTaken(t, e.pull(t, dlq, all), "b")
		}},
		{receive, "OthersAreReceivedBesideTheMoved", "", func(t *testing.T, e *env) {
			dlq := e.create(t, nil)
			url := e.withDeadLetters(t, dlq, 1)
			e.send(t, url, "1")
			wantTaken(t, e.pull(t, url, all), "1")
			e.send(t, url, "2")
			wantTaken(t, e.pull(t, url, all), "2")
			wantTaken(t, e.pull(t, dlq, all), "1")
		}},
		{receive, "ANewPolicyCountsTheReceivesThatWere", "", func(t *testing.T, e *env) {
			dlq, url := e.create(t, nil), e.create(t, attrs{"VisibilityTimeout": "0"})
			e.send(t, url, "b")
			for range 5 {
				wantTaken(t, e.pull(t, url, all), "b")
			}
			e.setAttributes(t, url, attrs{"RedrivePolicy": redriveTo(e.arn(t, dlq), 3)})
			wantTaken(t, e.pull(t, url, all), "")
			if m := e.pullOne(t, dlq, all); m.Attributes["ApproximateReceiveCount"] != "6" {
				t.Errorf("it came with %v", m.Attributes)
			}
		}},
		{receive, "NoPolicyNoMove", "", func(t *testing.T, e *env) {
			dlq := e.create(t, nil)
			url := e.withDeadLetters(t, dlq, 1)
			e.send(t, url, "b")
			e.setAttributes(t, url, attrs{"RedrivePolicy": ""})
			for range 3 {
				wantTaken(t, e.pull(t, url, all), "b")
			}
			e.wantCounts(t, dlq, counts{"0", "0", "0"})
		}},
		{receive, "DeadLettersHaveTheirSource", "", func(t *testing.T, e *env) {
			dlq := e.create(t, nil)
			a, b := e.deadLettered(t, dlq, "a"), e.deadLettered(t, dlq, "b")
			e.send(t, dlq, "straight")
			got := e.pull(t, dlq, args{"AttributeNames": list{"DeadLetterQueueSourceArn"}, "MaxNumberOfMessages": 10})
			wantTaken(t, got, "a b straight")
			for i, want := range []string{e.arn(t, a), e.arn(t, b), ""} {
				if got[i].Attributes["DeadLetterQueueSourceArn"] != want {
					t.Errorf("%s came with %v", got[i].Body, got[i].Attributes)
				}
			}
		}},
		{receive, "TheDelayOfTheDeadLetterQueueDoesNotCount", "", func(t *testing.T, e *env) {
			dlq := e.create(t, attrs{"DelaySeconds": "900"})
			e.deadLettered(t, dlq, "b")
			wantTaken(t, e.pull(t, dlq, all), "b")
		}},
		{receive, "ADeletedDeadLetterQueueHoldsNothingBack", "", func(t *testing.T, e *env) {
			dlq := e.create(t, nil)
			url := e.withDeadLetters(t, dlq, 1)
			e.send(t, url, "b")
			e.deleteQueue(t, dlq)
			for range 3 {
				wantTaken(t, e.pull(t, url, all), "b")
			}
		}},
		{receive, "DeadLetterQueuesOfDeadLetterQueues", "", func(t *testing.T, e *env) {
			last := e.create(t, nil)
			middle := e.withDeadLetters(t, last, 2)
			url := e.withDeadLetters(t, middle, 1)
			e.send(t, url, "b")
			wantTaken(t, e.pull(t, url, all), "b")
			wantTaken(t, e.pull(t, url, all), "")
			if m := e.pullOne(t, middle, all); m.Attributes["ApproximateReceiveCount"] != "2" || m.Attributes["DeadLetterQueueSourceArn"] != e.arn(t, url) {
				t.Errorf("in the middle it came with %v", m.Attributes)
			}
			for len(e.pull(t, middle, all)) > 0 {
			}
			if m := e.pullOne(t, last, all); m.Attributes["DeadLetterQueueSourceArn"] != e.arn(t, middle) {
				t.Errorf("in the last it came with %v", m.Attributes)
			}
		}},
		{receive, "AQueueCanBeItsOwnDeadLetterQueue", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"VisibilityTimeout": "0"})
			e.call(t, "SetQueueAttributes", args{"QueueUrl": url, "Attributes": attrs{"RedrivePolicy": redriveTo(e.arn(t, url), 1)}}).wantVoid(t, "SetQueueAttributes")
			e.send(t, url, "b")
			wantTaken(t, e.pull(t, url, all), "b")
			wantTaken(t, e.pull(t, url, all), "")
			if m := e.pullOne(t, url, all); m.Attributes["ApproximateReceiveCount"] != "2" || m.Attributes["DeadLetterQueueSourceArn"] != e.arn(t, url) {
				t.Errorf("it came with %v", m.Attributes)
			}
		}},
		{receive, "RetentionOfStandardDeadLettersGoesOn", "", func(t *testing.T, e *env) {
			day := 24 * time.Hour
			dlq := e.create(t, nil)
			url := e.withDeadLetters(t, dlq, 1)
			e.send(t, url, "b")
			time.Sleep(day)
			e.pull(t, url, all)
			e.pull(t, url, all)
			time.Sleep(3*day - time.Second)
			e.wantCounts(t, dlq, counts{"1", "0", "0"})
			time.Sleep(time.Second)
			e.wantCounts(t, dlq, counts{"0", "0", "0"})
		}},
		{receive, "RetentionOfFIFODeadLettersBeginsAnew", "", func(t *testing.T, e *env) {
			day := 24 * time.Hour
			url, dlq := e.fifoDeadLetters(t, 1)
			e.put(t, url, "g-1")
			time.Sleep(day)
			e.pull(t, url, all)
			e.pull(t, url, all)
			time.Sleep(4*day - time.Second)
			e.wantCounts(t, dlq, counts{"1", "0", "0"})
			time.Sleep(time.Second)
			e.wantCounts(t, dlq, counts{"0", "0", "0"})
		}},
		{receive, "FIFODeadLettersAreDeduplicatedByTheirId", "", func(t *testing.T, e *env) {
			dlq := e.createFIFO(t, nil)
			policy := attrs{"VisibilityTimeout": "0", "RedrivePolicy": redriveTo(e.arn(t, dlq), 1)}
			var ids []string
			for range 2 {
				url := e.createFIFO(t, policy)
				ids = append(ids, e.sendTo(t, url, grouped("b", "g", "same")).MessageId)
				e.pull(t, url, all)
				wantTaken(t, e.pull(t, url, all), "")
			}
			got := e.pull(t, dlq, all)
			wantTaken(t, got, "b b")
			for i, m := range got {
				if m.MessageId != ids[i] || m.Attributes["MessageDeduplicationId"] != ids[i] || m.Attributes["MessageGroupId"] != "g" {
					t.Errorf("it came with %v, want the id %s", m.Attributes, ids[i])
				}
			}
		}},
		{receive, "FIFODeadLettersHaveNewSequenceNumbers", "", func(t *testing.T, e *env) {
			url, dlq := e.fifoDeadLetters(t, 1)
			e.put(t, url, "g-1", "g-2")
			was := e.pull(t, url, all)
			e.pull(t, url, all)
			got := e.pull(t, dlq, all)
			wantTaken(t, got, "g-1 g-2")
			a, b := got[0].Attributes["SequenceNumber"], got[1].Attributes["SequenceNumber"]
			if len(a) != 20 || a >= b || a == was[0].Attributes["SequenceNumber"] {
				t.Errorf("numbers %s and %s, were %s and %s", a, b, was[0].Attributes["SequenceNumber"], was[1].Attributes["SequenceNumber"])
			}
		}},
		{receive, "AllOfAFIFODeadLetter", "", func(t *testing.T, e *env) {
			url, dlq := e.fifoDeadLetters(t, 1)
			e.put(t, url, "g-1")
			e.pull(t, url, all)
			e.pull(t, url, all)
			m := e.pullOne(t, dlq, all)
			wantNames(t, m.Attributes, "ApproximateFirstReceiveTimestamp", "ApproximateReceiveCount", "DeadLetterQueueSourceArn", "MessageDeduplicationId",
				"MessageGroupId", "SenderId", "SentTimestamp", "SequenceNumber")
			if m.Attributes["ApproximateReceiveCount"] != "2" || m.Attributes["DeadLetterQueueSourceArn"] != e.arn(t, url) {
				t.Errorf("it came with %v", m.Attributes)
			}
		}},
		{receive, "AGroupKeepsItsOrderInTheDeadLetterQueue", "", func(t *testing.T, e *env) {
			url, dlq := e.fifoDeadLetters(t, 1)
			e.put(t, url, "g-1", "h-1", "g-2", "h-2", "g-3")
			for range 6 {
				e.pull(t, url, all)
			}
			var g, h []string
			for _, m := range e.pull(t, dlq, all) {
				if m.Attributes["MessageGroupId"] == "g" {
					g = append(g, m.Body)
				} else {
					h = append(h, m.Body)
				}
			}
			wantList(t, g, "g-1 g-2 g-3")
			wantList(t, h, "h-1 h-2")
		}},
		{receive, "AGroupGoesOnAfterItsDeadLetter", "", func(t *testing.T, e *env) {
			url, dlq := e.fifoDeadLetters(t, 1)
			e.put(t, url, "g-1", "g-2")
			wantTaken(t, e.pull(t, url, most(1, 0)), "g-1")
			wantTaken(t, e.pull(t, url, most(1, 30)), "g-2")
			wantTaken(t, e.pull(t, dlq, all), "g-1")
		}},
		{"SetQueueAttributes", "CyclesOfDeadLetterQueues", "", func(t *testing.T, e *env) {
			a := e.create(t, attrs{"VisibilityTimeout": "0"})
			b := e.withDeadLetters(t, a, 1)
			e.setAttributes(t, a, attrs{"RedrivePolicy": redriveTo(e.arn(t, b), 1)})
			e.send(t, a, "b")
			// What counts is how often each of them delivered it since it came.
			for range 2 {
				for _, url := range []string{a, b} {
					wantTaken(t, e.pull(t, url, all), "b")
					wantTaken(t, e.pull(t, url, all), "")
				}
			}
		}},
	}
	for _, n := range []int{2, 4, 10} {
		facts = append(facts, fact{receive, fmt.Sprintf("%dMessagesIn%dSingleReceives", n, 2*n), "", func(t *testing.T, e *env) {
			dlq := e.create(t, nil)
			url := e.withDeadLetters(t, dlq, 1)
			for i := range n {
				e.send(t, url, fmt.Sprint(i))
			}
			for range 2 * n {
				e.pull(t, url, most(1, 0))
			}
			e.wantCounts(t, dlq, counts{fmt.Sprint(n), "0", "0"})
		}})
	}
	runFacts(t, facts)
}

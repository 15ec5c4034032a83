package integration

import (
	"testing"
	"time"
)

func TestFactsOfPurgeQueue(t *testing.T) {
	const action = "PurgeQueue"
	runFacts(t, []fact{
		answers(action, "ItsAnswerIsEmpty", args{}, "", ""),
		{action, "MessagesInEveryStateAtOnceAndForGood", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.sendBatch(t, url, "in flight", "visible")
			e.send(t, url, "delayed", delayed(5))
			e.receiveOne(t, url, upTo(1), hideFor(5))
			e.wantCounts(t, url, counts{"1", "1", "1"})
			e.purge(t, url)
			e.wantCounts(t, url, counts{"0", "0", "0"})
			e.wantNothing(t, url)
			time.Sleep(10 * time.Second)
			e.wantCounts(t, url, counts{"0", "0", "0"})
			e.wantNothing(t, url)
		}},
		{action, "WhatIsSentAfterItIsKept", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.send(t, url, "before")
			e.purge(t, url)
			e.send(t, url, "after")
			wantBodies(t, e.receive(t, url, hideFor(600)), "after")
			time.Sleep(10 * time.Second)
			e.wantCounts(t, url, counts{"0", "1", "0"})
		}},
		{action, "FIFOIdsAreForgotten", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			e.put(t, url, "g-1")
			e.purge(t, url)
			e.put(t, url, "g-1")
			wantBodies(t, e.receive(t, url), "g-1")
		}},
		{action, "TwiceWithinAMinute", "", func(t *testing.T, e *env) {
			in := e.world(t, action, args{})
			e.call(t, action, in).wantOK(t)
			e.send(t, "q", "b")
			time.Sleep(59 * time.Second)
			e.call(t, action, in).wantRefusal(t, e, batchPrefix+"PurgeQueueInProgress", "Only one PurgeQueue operation on q is allowed every 60 seconds.")
			e.wantCounts(t, "q", counts{"1", "0", "0"})
			time.Sleep(2 * time.Second)
			e.call(t, action, in).wantOK(t)
			e.wantCounts(t, "q", counts{"0", "0", "0"})
		}},
	})
}

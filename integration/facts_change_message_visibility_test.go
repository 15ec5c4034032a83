package integration

import (
	"testing"
	"time"
)

func TestFactsOfChangeMessageVisibility(t *testing.T) {
	const action = "ChangeMessageVisibility"
	const gone = "Message does not exist or is not available for visibility timeout change."
	const total = "Total VisibilityTimeout for the message is beyond the limit [43200 seconds]"
	change := func(url, handle string, seconds int) args {
		return args{"QueueUrl": url, "ReceiptHandle": handle, "VisibilityTimeout": seconds}
	}
	// held is a message received from a queue that hides for some seconds.
	held := func(t *testing.T, e *env, timeout string) (url, handle string) {
		url = e.create(t, attrs{"VisibilityTimeout": timeout})
		e.send(t, url, "b")
		return url, *e.receiveOne(t, url).ReceiptHandle
	}
	// tooLong is the fact that a timeout is past the twelve hours after a while.
	tooLong := func(name string, after time.Duration, seconds int) fact {
		return fact{action, name, "", func(t *testing.T, e *env) {
			url, handle := held(t, e, "43200")
			time.Sleep(after)
			e.call(t, action, change(url, handle, seconds)).wantRefusal(t, e, badParam, "Value "+decimal(seconds)+" for parameter VisibilityTimeout is invalid. Reason: "+total)
		}}
	}
	runFacts(t, []fact{
		answers(action, "ItsAnswerIsEmpty", args{"ReceiptHandle": "%HANDLE", "VisibilityTimeout": 1}, "", ""),
		refused(action, "WithoutAHandle", args{"VisibilityTimeout": 1}, noParam, "The request must contain the parameter ReceiptHandle."),
		refused(action, "AnEmptyHandle", args{"ReceiptHandle": "", "VisibilityTimeout": 1}, noParam, "The request must contain the parameter ReceiptHandle."),
		refused(action, "WithoutATimeout", args{"ReceiptHandle": "%HANDLE"}, noParam, "The request must contain the parameter VisibilityTimeout."),
		refused(action, "TheTimeoutBeforeTheHandle", args{"ReceiptHandle": "garbage"}, noParam, "The request must contain the parameter VisibilityTimeout."),
		refused(action, "ANegativeTimeout", args{"ReceiptHandle": "%HANDLE", "VisibilityTimeout": -1}, badParam, "Value -1 for parameter VisibilityTimeout is invalid. Reason: Must be between 0 and 43200."),
		refused(action, "ATimeoutOf43201", args{"ReceiptHandle": "%HANDLE", "VisibilityTimeout": 43201}, badParam, "Value 43201 for parameter VisibilityTimeout is invalid. Reason: Must be between 0 and 43200."),
		refused(action, "TheRangeBeforeTheHandle", args{"ReceiptHandle": "garbage", "VisibilityTimeout": 43201}, badParam, "Value 43201 for parameter VisibilityTimeout is invalid. Reason: Must be between 0 and 43200."),
		refused(action, "AMalformedHandle", args{"ReceiptHandle": "garbage", "VisibilityTimeout": 1}, badHandle, `The input receipt handle "garbage" is not a valid receipt handle.`),
		{action, "AHandleOfAnotherQueue", "", func(t *testing.T, e *env) {
			_, handle := held(t, e, "30")
			e.call(t, action, change(e.create(t, nil), handle, 1)).wantRefusal(t, e, badHandle, `The input receipt handle "`+handle+`" is not a valid receipt handle.`)
		}},
		{action, "ADeletedMessage", "", func(t *testing.T, e *env) {
			url, handle := held(t, e, "30")
			e.call(t, "DeleteMessage", args{"QueueUrl": url, "ReceiptHandle": handle}).wantOK(t)
			e.call(t, action, change(url, handle, 1)).wantRefusal(t, e, badParam, "Value "+handle+" for parameter ReceiptHandle is invalid. Reason: "+gone)
		}},
		{action, "AHandleFromBeforeAPurge", "", func(t *testing.T, e *env) {
			url, handle := held(t, e, "30")
			e.purge(t, url)
			e.call(t, action, change(url, handle, 1)).wantRefusal(t, e, badParam, "Value "+handle+" for parameter ReceiptHandle is invalid. Reason: "+gone)
		}},
		tooLong("TwelveHoursAfterASecond", time.Second, 43200),
		tooLong("OneSecondLessAfterTwo", 2*time.Second, 43199),
		tooLong("TenSecondsNearTheEnd", 43191*time.Second, 10),
		{action, "TwelveHoursCountFromTheReceive", "", func(t *testing.T, e *env) {
			url, handle := held(t, e, "43200")
			time.Sleep(43199 * time.Second)
			e.call(t, action, change(url, handle, 1)).wantOK(t)
			time.Sleep(2 * time.Second)
			e.call(t, action, change(url, *e.receiveOne(t, url).ReceiptHandle, 43190)).wantOK(t)
		}},
		{action, "AMessageThatIsVisibleAgain", "", func(t *testing.T, e *env) {
			url, handle := held(t, e, "1")
			time.Sleep(2 * time.Second)
			e.call(t, action, change(url, handle, 30)).wantOK(t)
			e.wantNothing(t, url)
			e.wantCounts(t, url, counts{"0", "1", "0"})
			time.Sleep(30 * time.Second)
			e.receiveOne(t, url)
		}},
		{action, "AnOlderHandleActsOnTheMessageAsItIs", "", func(t *testing.T, e *env) {
			url, first := held(t, e, "1")
			time.Sleep(2 * time.Second)
			e.receiveOne(t, url, hideFor(600))
			e.call(t, action, change(url, first, 0)).wantOK(t)
			if m := e.receiveOne(t, url); receiveCount(m) != "3" {
				t.Errorf("receive count %s, want 3", receiveCount(m))
			}
		}},
		{action, "FIFOAMessageThatIsVisibleAgain", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, attrs{"VisibilityTimeout": "1"})
			e.put(t, url, "g-1")
			handle := *e.receiveOne(t, url).ReceiptHandle
			time.Sleep(2 * time.Second)
			e.call(t, action, change(url, handle, 30)).wantRefusal(t, e, badParam, anyText)
			e.receiveOne(t, url)
		}},
		{action, "ItCountsFromTheCall", "", func(t *testing.T, e *env) {
			url, handle := held(t, e, "2")
			for range 8 {
				time.Sleep(time.Second)
				e.call(t, action, change(url, handle, 2)).wantOK(t)
				e.wantNothing(t, url)
			}
			start := time.Now()
			again := e.receiveOne(t, url, waitFor(20))
			e.took(t, start, 2*time.Second)
			if receiveCount(again) != "2" {
				t.Errorf("receive count %s, want 2: extensions are no receives", receiveCount(again))
			}
		}},
		{action, "ItHoldsForThisReceiveOnly", "", func(t *testing.T, e *env) {
			url, handle := held(t, e, "2")
			e.call(t, action, change(url, handle, 50)).wantOK(t)
			time.Sleep(50 * time.Second)
			e.receiveOne(t, url)
			start := time.Now()
			e.receiveOne(t, url, waitFor(20))
			e.took(t, start, 2*time.Second)
		}},
		{action, "ZeroMakesVisibleAtOnce", "", func(t *testing.T, e *env) {
			url, handle := held(t, e, "30")
			e.call(t, action, change(url, handle, 0)).wantOK(t)
			e.wantCounts(t, url, counts{"1", "0", "0"})
			e.receiveOne(t, url)
		}},
		{action, "ItMayShortenToo", "", func(t *testing.T, e *env) {
			url, handle := held(t, e, "600")
			e.call(t, action, change(url, handle, 5)).wantOK(t)
			start := time.Now()
			e.receiveOne(t, url, waitFor(20))
			e.took(t, start, 5*time.Second)
		}},
	})
}

func TestFactsOfChangeMessageVisibilityBatch(t *testing.T) {
	const action = "ChangeMessageVisibilityBatch"
	runFacts(t, []fact{
		answers(action, "TheFormOfItsAnswer", args{"Entries": list{args{"Id": "a", "ReceiptHandle": "%HANDLE", "VisibilityTimeout": 1}}},
			`{"Successful":[{"Id":"a"}]}`, `<ChangeMessageVisibilityBatchResult><ChangeMessageVisibilityBatchResultEntry><Id>a</Id></ChangeMessageVisibilityBatchResultEntry></ChangeMessageVisibilityBatchResult>`),
		entryFails(action, "AMalformedHandle", args{"ReceiptHandle": "garbage", "VisibilityTimeout": 1}, badHandle, `The input receipt handle "garbage" is not a valid receipt handle.`),
		entryFails(action, "WithoutAHandle", args{"VisibilityTimeout": 1}, noParam, "The request must contain the parameter ReceiptHandle."),
		entryFails(action, "WithoutATimeout", args{"ReceiptHandle": "%HANDLE"}, noParam, "The request must contain the parameter ChangeMessageVisibilityBatchRequestEntry.2.VisibilityTimeout."),
		entryFails(action, "ATimeoutOf43201", args{"ReceiptHandle": "%HANDLE", "VisibilityTimeout": 43201}, badParam, "Value 43201 for parameter VisibilityTimeout is invalid. Reason: VisibilityTimeout must be an integer between 0 and 43200."),
		entryFails(action, "ANegativeTimeout", args{"ReceiptHandle": "%HANDLE", "VisibilityTimeout": -1}, badParam, "Value -1 for parameter VisibilityTimeout is invalid. Reason: VisibilityTimeout must be an integer between 0 and 43200."),
		{action, "DeletedMessagesAndTotalsFailAlone", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.sendBatch(t, url, "1", "2", "3")
			ms := e.receive(t, url)
			e.delete(t, url, ms[2])
			time.Sleep(time.Second)
			change := func(id, handle string, seconds int) args {
				return args{"Id": id, "ReceiptHandle": handle, "VisibilityTimeout": seconds}
			}
			ok, failed := e.call(t, action, args{"QueueUrl": url, "Entries": list{
				change("free", *ms[0].ReceiptHandle, 0), change("total", *ms[1].ReceiptHandle, 43200), change("gone", *ms[2].ReceiptHandle, 10), change("keep", *ms[1].ReceiptHandle, 600),
			}}).batch(t, e, action)
			wantList(t, ok, "free keep")
			wantEntries(t, failed,
				batchEntry{"total", badParam, "Value 43200 for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [43200 seconds]", true},
				batchEntry{"gone", badHandle, "Message does not exist or is not available for visibility timeout change", true})
			wantBodies(t, e.receive(t, url), "1")
		}},
	})
}

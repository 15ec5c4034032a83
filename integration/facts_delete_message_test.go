package integration

import (
	"strings"
	"testing"
	"time"
)

func TestFactsOfDeleteMessage(t *testing.T) {
	const action = "DeleteMessage"
	handled := func(url, handle string) args { return args{"QueueUrl": url, "ReceiptHandle": handle} }
	// forged is the fact that a handle made of a good one is nobody's.
	forged := func(name string, change func(string) string) fact {
		return fact{action, name, "", func(t *testing.T, e *env) {
			in := e.world(t, action, args{"ReceiptHandle": "%HANDLE"})
			e.call(t, action, handled("q", change(in["ReceiptHandle"].(string)))).wantRefusal(t, e, badHandle, anyText)
			e.wantCounts(t, "q", counts{"0", "1", "0"})
		}}
	}
	runFacts(t, []fact{
		answers(action, "ItsAnswerIsEmpty", args{"ReceiptHandle": "%HANDLE"}, "", ""),
		refused(action, "WithoutAHandle", args{}, noParam, "The request must contain the parameter ReceiptHandle."),
		refused(action, "AnEmptyHandle", args{"ReceiptHandle": ""}, noParam, "The request must contain the parameter ReceiptHandle."),
		refused(action, "AMalformedHandle", args{"ReceiptHandle": "garbage"}, badHandle, `The input receipt handle "garbage" is not a valid receipt handle.`),
		refused(action, "FIFOAMalformedHandle", args{"QueueUrl": "q.fifo", "ReceiptHandle": "garbage"}, badHandle, `The input receipt handle "garbage" is not a valid receipt handle.`),
		refused(action, "AHandleLongerThan1024", args{"ReceiptHandle": strings.Repeat("h", 1025)}, badHandle, anyText),
		forged("AHandleWithOneCharacterChanged", tampered),
		forged("AHandleCutOff", func(h string) string { return h[:len(h)-1] }),
		forged("AHandleWithMoreAfterIt", func(h string) string { return h + "AAAA" }),
		{action, "AHandleOfAnotherQueue", "", func(t *testing.T, e *env) {
			e.world(t, action, args{})
			other := e.create(t, nil)
			e.send(t, other, "b")
			handle := *e.receiveOne(t, other).ReceiptHandle
			e.call(t, action, handled("q", handle)).wantRefusal(t, e, badHandle, `The input receipt handle "`+handle+`" is not a valid receipt handle.`)
			e.wantCounts(t, other, counts{"0", "1", "0"})
		}},
		{action, "AMessageMayBeDeletedManyTimes", "", func(t *testing.T, e *env) {
			in := e.world(t, action, args{"ReceiptHandle": "%HANDLE"})
			for range 4 {
				e.call(t, action, in).wantOK(t)
			}
			e.wantCounts(t, "q", counts{"0", "0", "0"})
		}},
		{action, "AMessageThatHasExpired", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"MessageRetentionPeriod": "60"})
			e.send(t, url, "b")
			m := e.receiveOne(t, url)
			time.Sleep(61 * time.Second)
			e.call(t, action, handled(url, *m.ReceiptHandle)).wantOK(t)
		}},
		{action, "AfterTheTimeout", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"VisibilityTimeout": "1"})
			e.send(t, url, "b")
			m := e.receiveOne(t, url)
			time.Sleep(2 * time.Second)
			e.call(t, action, handled(url, *m.ReceiptHandle)).wantOK(t)
			e.wantCounts(t, url, counts{"0", "0", "0"})
		}},
		{action, "AHandleFromBeforeTheLastReceive", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"VisibilityTimeout": "1"})
			e.send(t, url, "b")
			first := e.receiveOne(t, url)
			time.Sleep(2 * time.Second)
			e.receiveOne(t, url, hideFor(30))
			e.call(t, action, handled(url, *first.ReceiptHandle)).wantOK(t)
			e.wantCounts(t, url, counts{"0", "1", "0"})
		}},
		{action, "FIFOAfterTheTimeout", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, attrs{"VisibilityTimeout": "1"})
			e.put(t, url, "g-1")
			handle := *e.receiveOne(t, url).ReceiptHandle
			time.Sleep(2 * time.Second)
			e.call(t, action, handled(url, handle)).wantRefusal(t, e, badParam, "Value "+handle+" for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.")
			e.wantCounts(t, url, counts{"1", "0", "0"})
		}},
		{action, "FIFOWithinAnExtendedTimeout", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, attrs{"VisibilityTimeout": "1"})
			e.put(t, url, "g-1")
			m := e.receiveOne(t, url)
			e.changeVisibility(t, url, m, 30)
			time.Sleep(20 * time.Second)
			e.call(t, action, handled(url, *m.ReceiptHandle)).wantOK(t)
			e.wantCounts(t, url, counts{"0", "0", "0"})
		}},
		{action, "AHandleFromBeforeAPurge", "", func(t *testing.T, e *env) {
			in := e.world(t, action, args{"ReceiptHandle": "%HANDLE"})
			e.purge(t, "q")
			e.call(t, action, in).wantOK(t)
		}},
	})
}

func TestFactsOfDeleteMessageBatch(t *testing.T) {
	const action = "DeleteMessageBatch"
	runFacts(t, []fact{
		answers(action, "TheFormOfItsAnswer", args{"Entries": list{args{"Id": "a", "ReceiptHandle": "%HANDLE"}}},
			`{"Successful":[{"Id":"a"}]}`, `<DeleteMessageBatchResult><DeleteMessageBatchResultEntry><Id>a</Id></DeleteMessageBatchResultEntry></DeleteMessageBatchResult>`),
		answers(action, "NoSuccessesAreNoList", args{"Entries": list{args{"Id": "a", "ReceiptHandle": "x"}}},
			`{"Failed":[{"Code":"ReceiptHandleIsInvalid","Id":"a","Message":"The input receipt handle \"x\" is not a valid receipt handle.","SenderFault":true}]}`,
			`<DeleteMessageBatchResult><BatchResultErrorEntry><Id>a</Id><Code>ReceiptHandleIsInvalid</Code><Message>The input receipt handle &quot;x&quot; is not a valid receipt handle.</Message><SenderFault>true</SenderFault></BatchResultErrorEntry></DeleteMessageBatchResult>`),
		entryFails(action, "AMalformedHandle", args{"ReceiptHandle": "garbage"}, badHandle, `The input receipt handle "garbage" is not a valid receipt handle.`),
		entryFails(action, "WithoutAHandle", args{}, noParam, "The request must contain the parameter ReceiptHandle."),
		entryFails(action, "AnEmptyHandle", args{"ReceiptHandle": ""}, noParam, "The request must contain the parameter ReceiptHandle."),
		{action, "TheSameHandleTwice", "", func(t *testing.T, e *env) {
			in := e.world(t, action, args{"Entries": list{args{"Id": "a", "ReceiptHandle": "%HANDLE"}, args{"Id": "b", "ReceiptHandle": "%HANDLE"}}})
			ok, failed := e.call(t, action, in).batch(t, e, action)
			wantList(t, ok, "a b")
			wantEntries(t, failed)
		}},
		{action, "FIFOAfterTheTimeout", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, attrs{"VisibilityTimeout": "1"})
			e.put(t, url, "g-1")
			handle := *e.receiveOne(t, url).ReceiptHandle
			time.Sleep(2 * time.Second)
			ok, failed := e.call(t, action, args{"QueueUrl": url, "Entries": list{args{"Id": "a", "ReceiptHandle": handle}}}).batch(t, e, action)
			wantList(t, ok, "")
			wantEntries(t, failed, batchEntry{"a", badParam, "Value " + handle + " for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.", true})
			e.wantCounts(t, url, counts{"1", "0", "0"})
		}},
		{action, "HandlesOfAnotherQueueFailAlone", "", func(t *testing.T, e *env) {
			url, elsewhere := e.create(t, nil), e.create(t, nil)
			e.sendBatch(t, url, "1", "2", "3")
			e.send(t, elsewhere, "4")
			ms, foreign := e.receive(t, url), *e.receiveOne(t, elsewhere).ReceiptHandle
			ok, failed := e.call(t, action, args{"QueueUrl": url, "Entries": list{
				args{"Id": "msg-id-1", "ReceiptHandle": *ms[0].ReceiptHandle}, args{"Id": "foreign", "ReceiptHandle": foreign}, args{"Id": "_", "ReceiptHandle": *ms[1].ReceiptHandle},
			}}).batch(t, e, action)
			wantList(t, ok, "msg-id-1 _")
			wantEntries(t, failed, batchEntry{"foreign", badHandle, `The input receipt handle "` + foreign + `" is not a valid receipt handle.`, true})
			e.wantCounts(t, url, counts{"0", "1", "0"})
			e.wantCounts(t, elsewhere, counts{"0", "1", "0"})
		}},
	})
}

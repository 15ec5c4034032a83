package integration

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestFactsOfDeletes(t *testing.T) {
	const del = "DeleteMessage"
	runFacts(t, append(refusals(del, nil,
		refusal{"NoHandle", nil, 400, "MissingParameter", "The request must contain the parameter ReceiptHandle."},
		refusal{"BlankHandle", args{"ReceiptHandle": ""}, 400, "MissingParameter", "The request must contain the parameter ReceiptHandle."},
		refusal{"Garbage", args{"ReceiptHandle": "garbage"}, 404, "ReceiptHandleIsInvalid", `The input receipt handle "garbage" is not a valid receipt handle.`},
	), []fact{
		{del, "HandleTooLong", "", func(t *testing.T, e *env) {
			r := e.call(t, del, args{"QueueUrl": e.create(t, nil), "ReceiptHandle": strings.Repeat("A", 1025)})
			if r.Status != 404 || r.Code != "ReceiptHandleIsInvalid" {
				t.Errorf("%d %s", r.Status, r.Code)
			}
		}},
		{del, "InFlight", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.send(t, url, "b")
			e.remove(t, url, e.hold(t, url, 30)).wantVoid(t, del)
			e.wantCounts(t, url, counts{"0", "0", "0"})
		}},
		{del, "AnyNumberOfTimes", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.send(t, url, "b")
			handle := e.hold(t, url, 30)
			for range 4 {
				e.remove(t, url, handle).wantVoid(t, del)
			}
		}},
		{del, "AfterTheTimeout", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.send(t, url, "b")
			handle := e.hold(t, url, 1)
			time.Sleep(5 * time.Second)
			e.remove(t, url, handle).wantOK(t)
			e.wantCounts(t, url, counts{"0", "0", "0"})
		}},
		{del, "OlderHandleSucceedsAndDeletesNothing", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.send(t, url, "b")
			first := e.hold(t, url, 0)
			second := e.hold(t, url, 30)
			e.remove(t, url, first).wantVoid(t, del)
			e.wantCounts(t, url, counts{"0", "1", "0"})
			e.remove(t, url, second).wantOK(t)
			e.wantCounts(t, url, counts{"0", "0", "0"})
		}},
		{del, "ExpiredByRetention", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"MessageRetentionPeriod": "60"})
			e.send(t, url, "b")
			handle := e.hold(t, url, 90)
			time.Sleep(61 * time.Second)
			e.remove(t, url, handle).wantVoid(t, del)
		}},
		{del, "TimeoutOverOnAFIFOQueue", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			e.put(t, url, "g-1")
			handle := e.hold(t, url, 1)
			time.Sleep(2 * time.Second)
			e.remove(t, url, handle).wantHandleRefused(t, handle, expiredText)
			e.wantCounts(t, url, counts{"1", "0", "0"})
		}},
		{del, "OlderHandleOnAFIFOQueue", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			e.put(t, url, "g-1")
			first := e.hold(t, url, 1)
			time.Sleep(2 * time.Second)
			second := e.hold(t, url, 30)
			e.remove(t, url, first).wantHandleRefused(t, first, expiredText)
			e.wantCounts(t, url, counts{"0", "1", "0"})
			e.remove(t, url, second).wantVoid(t, del)
		}},
		{del, "ExtendedOnAFIFOQueue", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			e.put(t, url, "g-1")
			handle := e.hold(t, url, 2)
			e.change(t, url, handle, 10).wantOK(t)
			time.Sleep(9 * time.Second)
			e.remove(t, url, handle).wantVoid(t, del)
			e.wantCounts(t, url, counts{"0", "0", "0"})
		}},
		{del, "DeletedOnAFIFOQueue", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			e.put(t, url, "g-1")
			handle := e.hold(t, url, 30)
			e.remove(t, url, handle).wantOK(t)
			e.remove(t, url, handle).wantVoid(t, del)
		}},
		{"DeleteMessageBatch", "EntryByEntry", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.send(t, url, "b")
			ok, failed := e.entries(t, "DeleteMessageBatch", url, args{"Id": "good", "ReceiptHandle": e.hold(t, url, 30)},
				args{"Id": "bad", "ReceiptHandle": "garbage"}, args{"Id": "none"})
			wantList(t, ok, "good")
			wantFailed(t, failed, failedEntry{"bad", "ReceiptHandleIsInvalid", `The input receipt handle "garbage" is not a valid receipt handle.`, true},
				failedEntry{"none", "MissingParameter", "The request must contain the parameter ReceiptHandle.", true})
			e.wantCounts(t, url, counts{"0", "0", "0"})
		}},
		{"DeleteMessageBatch", "TimeoutOverOnAFIFOQueue", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			e.put(t, url, "g-1", "h-1")
			late := e.takeOne(t, url, args{"VisibilityTimeout": 1}).ReceiptHandle
			time.Sleep(2 * time.Second)
			kept := e.takeOne(t, url, args{"VisibilityTimeout": 30})
			ok, failed := e.entries(t, "DeleteMessageBatch", url, args{"Id": "late", "ReceiptHandle": late}, args{"Id": "kept", "ReceiptHandle": kept.ReceiptHandle})
			wantList(t, ok, "kept")
			wantFailed(t, failed, failedEntry{"late", "InvalidParameterValue", "Value " + late + " for parameter ReceiptHandle is invalid. Reason: " + expiredText, true})
			e.wantCounts(t, url, counts{"1", "0", "0"})
		}},
		{"ChangeMessageVisibilityBatch", "EntryByEntry", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.sendBatch(t, url, "1", "2", "3")
			var h [3]string
			for i, m := range e.take(t, url, all) {
				h[i] = m.ReceiptHandle
			}
			e.remove(t, url, h[2]).wantOK(t)
			time.Sleep(time.Second)
			ok, failed := e.entries(t, "ChangeMessageVisibilityBatch", url,
				args{"Id": "free", "ReceiptHandle": h[0], "VisibilityTimeout": 0},
				args{"Id": "garbage", "ReceiptHandle": "garbage", "VisibilityTimeout": 0},
				args{"Id": "none", "VisibilityTimeout": 0},
				args{"Id": "long", "ReceiptHandle": h[1], "VisibilityTimeout": 43201},
				args{"Id": "total", "ReceiptHandle": h[1], "VisibilityTimeout": 43200},
				args{"Id": "gone", "ReceiptHandle": h[2], "VisibilityTimeout": 1},
				args{"Id": "absent", "ReceiptHandle": h[1]},
			)
			wantList(t, ok, "free")
			wantFailed(t, failed,
				failedEntry{"garbage", "ReceiptHandleIsInvalid", `The input receipt handle "garbage" is not a valid receipt handle.`, true},
				failedEntry{"none", "MissingParameter", "The request must contain the parameter ReceiptHandle.", true},
				failedEntry{"long", "InvalidParameterValue", "Value 43201 for parameter VisibilityTimeout is invalid. Reason: VisibilityTimeout must be an integer between 0 and 43200.", true},
				failedEntry{"total", "InvalidParameterValue", "Value 43200 for parameter VisibilityTimeout is invalid. Reason: " + totalText, true},
				failedEntry{"gone", "InvalidParameterValue", "Value " + h[2] + " for parameter ReceiptHandle is invalid. Reason: " + goneText, true},
				failedEntry{"absent", "MissingParameter", "The request must contain the parameter ChangeMessageVisibilityBatchRequestEntry.7.VisibilityTimeout.", true},
			)
			e.wantCounts(t, url, counts{"1", "1", "0"})
		}},
		{"ChangeMessageVisibilityBatch", "EntryByEntryOnAFIFOQueue", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			e.put(t, url, "g-1", "h-1")
			ms := e.take(t, url, all)
			e.remove(t, url, ms[0].ReceiptHandle).wantOK(t)
			ok, failed := e.entries(t, "ChangeMessageVisibilityBatch", url,
				args{"Id": "gone", "ReceiptHandle": ms[0].ReceiptHandle, "VisibilityTimeout": 0}, args{"Id": "free", "ReceiptHandle": ms[1].ReceiptHandle, "VisibilityTimeout": 0})
			wantList(t, ok, "free")
			if len(failed) != 1 || failed[0].Id != "gone" || failed[0].Code != "InvalidParameterValue" {
				t.Errorf("failed: %+v", failed)
			}
			wantTaken(t, e.take(t, url, all), "h-1")
		}},
	}...))
}

// failedEntry is an entry of a batch that failed.
type failedEntry struct {
	Id, Code, Message string //nolint:revive // the wire's spelling
	SenderFault       bool
}

// entries sends a batch and gives the ids that succeeded and the entries that
// failed, both in the order of the answer.
func (e *env) entries(t *testing.T, action, url string, in ...args) (ok []string, failed []failedEntry) {
	t.Helper()
	var l list
	for _, x := range in {
		l = append(l, x)
	}
	r := e.call(t, action, args{"QueueUrl": url, "Entries": l}).wantOK(t)
	var got struct {
		Successful []struct{ Id string } //nolint:revive // the wire's spelling
		Failed     []failedEntry
	}
	if e.wire.query {
		got.Failed = readFailedXML(t, r.Body)
		for _, part := range strings.Split(r.Body, "<"+action+"ResultEntry>")[1:] {
			_, rest, _ := strings.Cut(part, "<Id>")
			id, _, _ := strings.Cut(rest, "</Id>")
			ok = append(ok, id)
		}
		return ok, got.Failed
	}
	if err := json.Unmarshal([]byte(r.Body), &got); err != nil {
		t.Fatal(err)
	}
	for _, x := range got.Successful {
		ok = append(ok, x.Id)
	}
	return ok, got.Failed
}

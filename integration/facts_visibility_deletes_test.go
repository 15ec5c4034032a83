package integration

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestFactsOfDeletes(t *testing.T) {
	const del = "DeleteMessage"
	runFacts(t, []fact{
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
		{del, "DeletedOnAFIFOQueue", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			e.put(t, url, "g-1")
			handle := e.hold(t, url, 30)
			e.remove(t, url, handle).wantOK(t)
			e.remove(t, url, handle).wantVoid(t, del)
		}},
		{"ChangeMessageVisibilityBatch", "EntryByEntryOnAFIFOQueue", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			e.put(t, url, "g-1", "h-1")
			ms := e.pull(t, url, all)
			e.remove(t, url, ms[0].ReceiptHandle).wantOK(t)
			ok, failed := e.entries(t, "ChangeMessageVisibilityBatch", url,
				args{"Id": "gone", "ReceiptHandle": ms[0].ReceiptHandle, "VisibilityTimeout": 0}, args{"Id": "free", "ReceiptHandle": ms[1].ReceiptHandle, "VisibilityTimeout": 0})
			wantList(t, ok, "free")
			if len(failed) != 1 || failed[0].Id != "gone" || !failed[0].SenderFault {
				t.Errorf("failed: %+v", failed)
			}
			wantTaken(t, e.pull(t, url, all), "h-1")
		}},
	})
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

package integration

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// A copy that was made under load restores to a whole store, which serves what
// was there when it was made.
func TestBackupUnderLoad(t *testing.T) {
	t.Parallel()
	random := newSeed(t)
	p := startBinary(t, serveArgs(t.TempDir())...)
	e := newEnv(t, p.server(), wireJSON)
	e.createNamed(t, "load", attrs{"VisibilityTimeout": fmt.Sprint(loadTimeout)})
	still := e.createNamed(t, "still", nil)
	e.sendBatch(t, still, "0", "1", "2")
	fifo := e.createNamed(t, "still.fifo", attrs{"FifoQueue": "true"})
	e.put(t, fifo, "g-1", "g-2", "h-1", "g-3")

	l := newLedger()
	done := l.run(t, p.server(), e, "load", 2000, random)
	var copies []string
	for i := range 3 {
		copies = append(copies, filepath.Join(t.TempDir(), fmt.Sprint(i, ".db")))
		queues(t, "backup", "--admin", p.admin, copies[i])
	}
	<-l.reached
	p.kill()
	<-done

	for _, file := range copies {
		queues(t, "check", file)
		data := filepath.Join(t.TempDir(), "data")
		queues(t, "restore", file, "--data", data)
		p := startBinary(t, serveArgs(data)...)
		e := p.server().client(t, wireQuery, e.account, e.region)
		still := e.url + "/" + e.account + "/still"
		wantBodies(t, e.receive(t, still), "0", "1", "2")
		wantList(t, e.peek(t, still+".fifo", 10), "g-1 g-2 g-3 h-1")
		for _, m := range e.drain(t, e.url+"/"+e.account+"/load") {
			if !l.tried[*m.Body] {
				t.Errorf("%q was never sent", *m.Body)
			}
		}
		if err := p.stop(); err != nil {
			t.Error(err)
		}
		queues(t, "check", data)
	}
}

// Handles that were given out before the copy was made work where it is
// restored; those that the original gave out afterwards touch nothing there,
// neither what they were for nor what came since; and no number is given twice.
func TestHandlesFromBeforeARestore(t *testing.T) {
	t.Parallel()
	for _, w := range wires {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			p := startBinary(t, serveArgs(t.TempDir())...)
			e := newEnv(t, p.server(), w)
			url := e.createNamed(t, "jobs", nil)
			fifo := e.createNamed(t, "jobs.fifo", attrs{"FifoQueue": "true"})
			e.sendBatch(t, url, "held", "untouched")
			held := e.receiveOne(t, url, upTo(1), hideFor(3600))
			file := filepath.Join(t.TempDir(), "copy.db")
			queues(t, "backup", "--admin", p.admin, file)

			// The original goes on.
			e.sendBatch(t, url, "since-1", "since-2", "since-3")
			since := e.receive(t, url, hideFor(3600))
			if len(since) != 4 {
				t.Fatalf("received %q, want 4 messages", bodies(since))
			}
			last := e.send(t, fifo, "last", inGroup("g"), as("last"))
			if err := p.stop(); err != nil {
				t.Fatal(err)
			}

			data := filepath.Join(t.TempDir(), "data")
			queues(t, "restore", file, "--data", data)
			p = startBinary(t, serveArgs(data)...)
			e = p.server().client(t, w, e.account, e.region)
			url = e.url + "/" + e.account + "/jobs"
			e.wantCounts(t, url, counts{"1", "1", "0"})
			e.sendBatch(t, url, "new-1", "new-2", "new-3")
			if len(e.receive(t, url, hideFor(3600))) != 4 {
				t.Fatal("not all messages of the restored server came")
			}
			for _, old := range since {
				e.delete(t, url, old) // answered well, as that of any earlier receive
				for _, seconds := range []int{0, 60} {
					in := args{"QueueUrl": url, "ReceiptHandle": *old.ReceiptHandle, "VisibilityTimeout": seconds}
					if r := e.call(t, "ChangeMessageVisibility", in); r.Code == "" || r.Status/100 != 4 {
						t.Errorf("the handle of %q changed a visibility to %d: %d %s", *old.Body, seconds, r.Status, r.Body)
					}
				}
				e.wantCounts(t, url, counts{"0", "5", "0"})
			}
			e.changeVisibility(t, url, held, 3600)
			e.delete(t, url, held)
			e.wantCounts(t, url, counts{"0", "4", "0"})
			if got := e.send(t, url+".fifo", "last", inGroup("g"), as("last")); *got.SequenceNumber <= *last.SequenceNumber || len(*got.SequenceNumber) != len(*last.SequenceNumber) {
				t.Errorf("the sequence number %s after %s", *got.SequenceNumber, *last.SequenceNumber)
			}
			out, err := e.sqs.ListQueues(t.Context(), &sqs.ListQueuesInput{})
			if err != nil || len(out.QueueUrls) != 2 {
				t.Errorf("the queues are %v, %v", out, err)
			}
		})
	}
}

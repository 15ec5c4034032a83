package integration

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3" // the driver of what looks at the data from outside
)

var reportsOfLoad = []report{
	{22, "B185", "IdlePollsCostNothing", nil, func(t *testing.T, w wire) {
		if used := idle(t, w, 12, 12); used > 0.02 {
			t.Errorf("12 polls use %.1f %% of a processor", used*100)
		}
		polls := scaled(1000)
		if used := idle(t, w, 100, polls); used > 0.10 {
			t.Errorf("%d polls use %.1f %% of a processor", polls, used*100)
		}
	}},
	{22, "B187", "MemoryAndFilesStayAsTheyAre", func(t *testing.T, e *env) {
		u := e.createFIFO(t, nil)
		var sizes []int64
		for range 6 {
			for i := range 100 {
				entries := list{}
				for j := range 10 {
					id := fmt.Sprint(i, "-", j)
					entries = append(entries, args{"Id": id, "MessageBody": id, "MessageGroupId": "g", "MessageDeduplicationId": id})
				}
				e.call(t, "SendMessageBatch", args{"QueueUrl": u, "Entries": entries}).wantOK(t)
				e.take(t, u, 1)
			}
			// The same ids are new ones then, and what goes on beside the calls, as
			// the copying of the log, is done.
			time.Sleep(6 * time.Minute)
			// The log has a bound of its own, which it comes near in its own time.
			log := sizeOf(t, e.data, "queues.db-wal")
			if log > 17e6 {
				t.Errorf("the log has %d bytes", log)
			}
			sizes = append(sizes, sizeOf(t, e.data, "queues.db"))
		}
		e.wantCounts(t, u, counts{"0", "0", "0"})
		if sizes[5] > sizes[1]*5/4 {
			t.Errorf("the data grows: %v", sizes)
		}
	}, func(t *testing.T, w wire) {
		p := startBinary(t, "dev", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0")
		e := newEnv(t, p.server(), w)
		e.createNamed(t, "q", nil)
		var held []int64
		for range 6 {
			for range max(50, scaled(150)) {
				e.sendBatch(t, "q", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9")
				e.take(t, "q", 1)
			}
			held = append(held, p.memory(t))
		}
		t.Logf("memory after each round: %v", held)
		if held[5] > held[1]*5/4+16<<20 {
			t.Errorf("the memory grows: %v", held)
		}
	}},
	// What is measured does not know the protocol, so each fills the queues that
	// the other does not.
	{22, "B188", "DepthCostsNothing", nil, func(t *testing.T, w wire) {
		p := startBinary(t, "dev", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0")
		e := newEnv(t, p.server(), w)
		const tens = 100
		deep := scaled(30_000)
		shapes := map[int]int{1: 0, 100: 20} // groups, and the receives that hold some of them
		if w.query {
			shapes = map[int]int{deep: deep / 40}
		}
		cost := func(queue string) time.Duration {
			t.Helper()
			from := p.cpu(t)
			e.take(t, queue, tens)
			return p.cpu(t) - from
		}
		queue := func(kind string, n, groups int) string {
			t.Helper()
			url := e.createNamed(t, fmt.Sprint(kind, groups, ".fifo"), attrs{"FifoQueue": "true", "VisibilityTimeout": "3600"})
			e.fill(t, url, n, groups)
			return url
		}
		base := map[int]time.Duration{}
		for groups := range shapes { // before the server holds much
			base[groups] = cost(queue("small", tens*10, groups))
		}
		for groups, holds := range shapes {
			big := queue("big", deep, groups)
			full := cost(big)
			for range holds {
				if len(e.receive(t, big)) == 0 {
					t.Fatal("nothing came")
				}
			}
			held := cost(big)
			t.Logf("%d groups: %v of %d messages, %v of %d, %v with some in flight", groups, base[groups], tens*10, full, deep, held)
			if limit := 2*base[groups] + 30*time.Millisecond; full > limit || held > limit {
				t.Errorf("%d groups: %v for %d messages of a shallow queue, %v of a deep one, %v with some in flight", groups, base[groups], tens*10, full, held)
			}
		}
	}},
	{22, "B190", "MixedBatchesLoseNothing", func(t *testing.T, e *env) {
		dlq := e.create(t, nil)
		u := e.create(t, attrs{"VisibilityTimeout": "5", "RedrivePolicy": redriveTo(e.arn(t, dlq), 100)})
		var work sync.WaitGroup
		var mu sync.Mutex
		const producers, each = 4, 25
		sent, seen, done := map[string]bool{}, map[string]bool{}, map[string]int{}
		for p := range producers {
			work.Go(func() {
				for i := range each {
					var b []string
					for j := range 10 {
						b = append(b, fmt.Sprint(p, "/", i, "/", j))
					}
					out := e.sendBatch(t, u, b...)
					mu.Lock()
					for _, s := range out.Successful {
						sent[*s.MessageId] = true
					}
					mu.Unlock()
				}
			})
		}
		for c := range 4 {
			work.Go(func() {
				for n := 0; ; n++ {
					ms := e.receive(t, u, waitFor(10))
					if len(ms) == 0 {
						return
					}
					remove, change := list{}, list{}
					var removed, changed outcome
					mu.Lock()
					for i, m := range ms {
						id := fmt.Sprint(i)
						seen[*m.MessageId] = true
						if (i+n+c)%2 == 0 {
							remove, removed.OK = append(remove, args{"Id": id, "ReceiptHandle": *m.ReceiptHandle}), append(removed.OK, id)
							done[*m.MessageId]++
						} else {
							change, changed.OK = append(change, args{"Id": id, "ReceiptHandle": *m.ReceiptHandle, "VisibilityTimeout": i % 3}), append(changed.OK, id)
						}
					}
					mu.Unlock()
					if len(remove) > 0 {
						e.call(t, "DeleteMessageBatch", args{"QueueUrl": u, "Entries": remove}).wantOutcome(t, removed)
					}
					if len(change) > 0 {
						e.call(t, "ChangeMessageVisibilityBatch", args{"QueueUrl": u, "Entries": change}).wantOutcome(t, changed)
					}
				}
			})
		}
		work.Wait()
		for id := range sent {
			if !seen[id] || done[id] != 1 {
				t.Errorf("%s: seen %v, deleted %d times", id, seen[id], done[id])
			}
		}
		if want := producers * each * 10; len(sent) != want || len(seen) != want {
			t.Errorf("%d sent and %d seen, want %d", len(sent), len(seen), want)
		}
		e.wantCounts(t, u, counts{"0", "0", "0"})
		e.wantCounts(t, dlq, counts{"0", "0", "0"})
	}, nil},
	{22, "B191", "OthersLookAtTheData", nil, func(t *testing.T, w wire) {
		k := startKept(t, w)
		k.createNamed(t, "q", nil)
		outside := func() *sql.Conn {
			t.Helper()
			db, err := sql.Open("sqlite3", "file:"+filepath.Join(k.data, "queues.db")+"?mode=rw&_busy_timeout=1000")
			if err != nil {
				t.Fatal(err)
			}
			c, err := db.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { c.Close(); db.Close() })
			return c
		}
		reader, checkpointer := outside(), outside()
		if _, err := reader.ExecContext(t.Context(), "BEGIN"); err != nil {
			t.Fatal(err)
		}
		var n int
		if err := reader.QueryRowContext(t.Context(), "SELECT count(*) FROM sqlite_schema").Scan(&n); err != nil || n == 0 {
			t.Fatalf("%d tables, %v", n, err)
		}
		load := func() {
			t.Helper()
			var work sync.WaitGroup
			for c := range 64 {
				work.Go(func() {
					for i := range 2 {
						answers := []*reply{k.call(t, "SendMessage", args{"QueueUrl": "q", "MessageBody": fmt.Sprint(c, i)})}
						got := k.call(t, "ReceiveMessage", args{"QueueUrl": "q"})
						answers = append(answers, got)
						if got.Status == 200 {
							for _, m := range got.messages(t) {
								answers = append(answers, k.call(t, "DeleteMessage", args{"QueueUrl": "q", "ReceiptHandle": m.ReceiptHandle}))
							}
						}
						for _, r := range answers {
							if r.Status != 200 {
								t.Errorf("%d %s", r.Status, r.Body)
							}
						}
					}
				})
			}
			work.Wait()
		}
		over := make(chan struct{})
		var checkpoints sync.WaitGroup
		checkpoints.Go(func() {
			// The first waits for the reader, and has writers wait so long; then
			// it gives up.
			_, _ = checkpointer.ExecContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)")
			for {
				select {
				case <-over:
					return
				default:
					_, _ = checkpointer.ExecContext(t.Context(), "PRAGMA wal_checkpoint")
				}
			}
		})
		load()
		close(over)
		checkpoints.Wait()
		if _, err := reader.ExecContext(t.Context(), "COMMIT"); err != nil {
			t.Fatal(err)
		}
		load()
		info, err := os.Stat(filepath.Join(k.data, "queues.db-wal"))
		if err != nil || info.Size() > 64<<20 {
			t.Errorf("the log: %v, %v", info, err)
		}
		if err := k.p.stop(); err != nil {
			t.Error(err)
		}
	}},
}

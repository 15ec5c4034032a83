package sqlite

import (
	"context"
	"testing"

	"queues/engine"
)

// TestOutsideCheckpoint has another program read the database and a third one
// checkpoint it, as backups do. The checkpoint keeps writers out for as long as
// it waits for the reader; callers wait with it and nothing fails.
func TestOutsideCheckpoint(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.create("q")
	f.send(q, 1)

	reader, err := openConn(f.path(), "query_only = ON")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := reader.close(); err != nil {
			t.Error(err)
		}
	}()
	if err := reader.exec("BEGIN"); err != nil {
		t.Fatal(err)
	}
	if _, err := reader.int("SELECT count(*) FROM sqlite_schema"); err != nil {
		t.Fatal(err)
	}
	f.send(q, 1) // what the reader does not see, so that the checkpoint waits for it

	// Longer than the writer waits for readers of its own accord.
	outsider, err := openConn(f.path(), "busy_timeout = 1500")
	if err != nil {
		t.Fatal(err)
	}
	type outcome struct {
		busy int64
		err  error
	}
	checkpoint := make(chan outcome, 1)
	go func() {
		var o outcome
		o.err = outsider.query("PRAGMA wal_checkpoint(TRUNCATE)", func(r row) error { o.busy = r.int(0); return nil })
		checkpoint <- o
	}()

	for sent := 0; ; sent++ {
		p := engine.SendParams{Queue: q.ID, Messages: messages(1, "b")}
		if _, err := f.Send(context.Background(), p); err != nil {
			t.Fatalf("send %d: %v", sent, err)
		}
		select {
		case o := <-checkpoint:
			if o.err != nil || o.busy != 1 {
				t.Errorf("the checkpoint did not have to wait for the reader: busy %d, %v", o.busy, o.err)
			}
			if err := outsider.close(); err != nil {
				t.Error(err)
			}
			return
		default:
		}
	}
}

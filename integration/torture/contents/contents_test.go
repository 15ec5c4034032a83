package contents

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"queues/engine"
	"queues/engine/sqlite"
	"queues/integration/torture/load"
)

// TestOf holds that everything is found, whatever its state, in a folder whose
// server has not closed it.
func TestOf(t *testing.T) {
	t.Parallel()
	dir, copied := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	s, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir, Clock: &later{at: time.Now().UTC()}, Sync: sqlite.Off})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	name := engine.QueueName{Namespace: engine.Namespace{Account: "000000000000", Region: "us-east-1"}, Name: "q"}
	r, err := s.CreateQueue(t.Context(), engine.CreateQueueParams{Name: name, Settings: engine.Settings{
		Retention: 4 * 24 * time.Hour, Redrive: &engine.Redrive{Target: name, MaxReceives: 1},
	}})
	if err != nil {
		t.Fatal(err)
	}
	delay := 15 * time.Minute
	var sent []engine.NewMessage
	for _, key := range []string{"held", "visible", "delayed"} {
		m := engine.NewMessage{Message: engine.Message{ID: engine.MessageID(uuid.New()), Body: load.Body(key)}}
		if key == "delayed" {
			m.Delay = &delay
		}
		sent = append(sent, m)
	}
	sent = append(sent, engine.NewMessage{Message: engine.Message{ID: engine.MessageID(uuid.New()), Body: load.Body("altered") + "x"}})
	if _, err := s.Send(t.Context(), engine.SendParams{Queue: r.Queue.ID, Messages: sent}); err != nil {
		t.Fatal(err)
	}
	long := 12 * time.Hour
	if _, err := s.Receive(t.Context(), engine.ReceiveParams{Queue: r.Queue.ID, Max: 1, Visibility: &long}); err != nil {
		t.Fatal(err)
	}
	if err := Copy(dir, copied); err != nil {
		t.Fatal(err)
	}
	found, err := Of(context.Background(), copied)
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]bool)
	for _, m := range found.Messages["q"] {
		got[m.Key] = m.Altered
	}
	if d := cmp.Diff(map[string]bool{"held": false, "visible": false, "delayed": false, "altered": true}, got); d != "" || found.Total != 4 {
		t.Errorf("%d messages (-want +got):\n%s", found.Total, d)
	}
}

// TestOfBroken holds that a folder whose data is damaged is not taken for good.
func TestOfBroken(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "queues.db"), []byte("this is not a database, and longer than a header is"), 0o600); err != nil {
		t.Fatal(err)
	}
	if found, err := Of(context.Background(), dir); err == nil {
		t.Errorf("found %+v in a broken folder", found)
	}
}

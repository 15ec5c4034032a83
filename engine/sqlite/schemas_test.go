package sqlite

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/engine"
)

// makeSchemas writes the files of testdata that are missing. One that is there
// is as a program of its time left it, and never written again.
var makeSchemas = flag.Bool("sqlite.schemas", false, "write the missing database of testdata for each schema version")

// schemaFile is the database of a schema version.
func schemaFile(version int) string {
	return filepath.Join("testdata", fmt.Sprintf("schema-%04d.db", version))
}

// keptForever is the retention of what has to be there years later.
const keptForever = 100 * 365 * 24 * time.Hour

// schemaQueues are what the databases have, from which schema version on, and
// what can be received of it once every deadline has passed.
var schemaQueues = map[string]struct {
	since int
	want  string
}{
	"standard":  {1, "again fresh attributes delayed held late"},
	"purged":    {1, "after"},
	"paused":    {1, "hidden shown"},
	"line.fifo": {2, "a-1 a-2 b-1 c-1 c-2 d-1"},
	"slow.fifo": {2, "a-1 b-1"},
	"source":    {3, "stays"},
	"letters":   {3, "dead-1 dead-2 moving-1 moving-2"},
	"target":    {3, ""},
	"shared":    {4, "a-1 a-2 b-1 plain"},
}

// fill puts everything into a store that a schema version knew.
func fill(f *fixture, version int) {
	create := func(n string, change ...func(*engine.Settings)) *engine.Queue {
		return f.create(n, append([]func(*engine.Settings){func(s *engine.Settings) { s.Retention, s.MaxMessageBytes = keptForever, 1<<20 }}, change...)...)
	}
	send := func(q *engine.Queue, delay time.Duration, list ...string) {
		for _, body := range list {
			m := engine.NewMessage{Message: engine.Message{Body: body, Sender: "000000000000"}, Delay: &delay}
			if _, err := f.Send(f.t.Context(), engine.SendParams{Queue: q.ID, Messages: []engine.NewMessage{m}}); err != nil {
				f.t.Fatal(err)
			}
		}
	}
	standard := create("standard", func(s *engine.Settings) { s.Extra = map[string]string{"x": "é"} })
	send(standard, 0, "late")
	for range 3 {
		f.expect(standard, 1, 0, "late")
	}
	send(standard, 0, "again", "held")
	again := f.expect(standard, 1, time.Hour, "again")
	f.expect(standard, 1, time.Hour, "held")
	f.change(standard, 0, again...)
	zero := time.Duration(0)
	attributes := engine.NewMessage{Message: engine.Message{
		Body: "attributes", Sender: "000000000000", Trace: "Root=1-5759e988-bd862e3fe1be46a994272793",
		Attributes: []engine.Attribute{{Name: "s", Type: "String.x", Value: []byte("\t<é>")}, {Name: "b", Type: "Binary", Value: []byte{0, 255}}, {Name: "n", Type: "Number", Value: []byte("-1e3")}},
	}, Delay: &zero}
	send(standard, 0, "fresh")
	if _, err := f.Send(f.t.Context(), engine.SendParams{Queue: standard.ID, Messages: []engine.NewMessage{attributes}}); err != nil {
		f.t.Fatal(err)
	}
	send(standard, time.Hour, "delayed")

	purged, deleted := create("purged"), create("deleted")
	send(purged, 0, "before")
	send(deleted, 0, "gone")
	if err := errors.Join(
		f.PurgeQueue(f.t.Context(), engine.PurgeQueueParams{Queue: purged.ID}),
		f.DeleteQueue(f.t.Context(), engine.DeleteQueueParams{Queue: deleted.ID}),
	); err != nil {
		f.t.Fatal(err)
	}
	send(purged, 0, "after")
	paused := create("paused", func(s *engine.Settings) { s.Delay = 10 * time.Minute })
	f.sendSlow(paused, "hidden")
	send(paused, 0, "shown")
	if version >= 2 {
		fillFIFO(f)
	}
	if version >= 3 {
		fillDeadLetters(f, create, send)
	}
	if version >= 4 {
		shared := create("shared")
		f.sendGrouped(shared, "a-1 a-2 b-1")
		f.expect(shared, 1, time.Hour, "a-1")
		f.expect(shared, 1, 0, "a-2")
		send(shared, 0, "plain")
	}
}

// sendSlow sends a message with the queue's own delay.
func (f *fixture) sendSlow(q *engine.Queue, body string) {
	f.t.Helper()
	if _, err := f.Send(f.t.Context(), engine.SendParams{Queue: q.ID, Messages: messages(1, body)}); err != nil {
		f.t.Fatal(err)
	}
}

func fillFIFO(f *fixture) {
	keep := func(p *engine.CreateQueueParams) {
		p.Settings.Retention, p.Settings.MaxMessageBytes = keptForever, 1<<20
	}
	line := f.createFIFO("line.fifo", keep)
	for _, word := range strings.Fields("a-1 a-2 b-1 c-1 c-2 d-1") {
		f.sendOnce(line, word, word)
	}
	f.receiveAttempt(line, "attempt", 2)
	f.expect(line, 1, time.Hour, "b-1")
	slow := f.createFIFO("slow.fifo", keep, func(p *engine.CreateQueueParams) { p.Settings.Delay = 10 * time.Minute })
	f.sendOnce(slow, "a-1", "1")
	f.sendOnce(slow, "b-1", "2")
}

func fillDeadLetters(f *fixture, create func(string, ...func(*engine.Settings)) *engine.Queue, send func(*engine.Queue, time.Duration, ...string)) {
	letters := create("letters")
	source := create("source", redriveTo("letters", 1))
	create("target")
	send(source, 0, "dead-1", "dead-2")
	f.expect(source, 2, 0, "dead-1 dead-2")
	f.expect(source, 2, 0, "")
	send(source, 0, "stays")
	f.startMove(letters, "target", 0)
	if _, err := f.CancelMove(f.t.Context(), engine.CancelMoveParams{Source: letters.ID, Task: f.moves(letters)[0].ID}); err != nil {
		f.t.Fatal(err)
	}
	f.step()
	send(letters, 0, "moving-1", "moving-2")
	f.startMove(letters, "target", 1)
}

// makeSchema writes the database of a schema version. One older than the
// program's is made by the program of today, of what that version knew, in the
// tables that it had.
func makeSchema(t *testing.T, version, newest int) {
	t.Helper()
	f := &fixture{t: t, clock: newTestClock()}
	f.o = Options{Dir: t.TempDir(), Clock: f.clock, Sync: Off}
	f.open()
	fill(f, version)
	f.finish()
	if version < newest {
		old := makeOld(t, version)
		c, err := openConn(filepath.Join(old.o.Dir, DataName))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(c.exec("ATTACH '"+filepath.Join(f.o.Dir, DataName)+"' AS new; BEGIN"), transplant(c), c.exec("COMMIT"), c.close()); err != nil {
			t.Fatal(err)
		}
		f = old
	}
	c, err := openConn(filepath.Join(f.o.Dir, DataName))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)"), c.close()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(f.o.Dir, DataName))
	if err != nil {
		t.Fatal(err)
	}
	overwrite(t, schemaFile(version), 0, data)
}

// transplant copies what the tables of both databases have in common.
func transplant(c *conn) error {
	var tables []string
	err := c.query("SELECT name FROM main.sqlite_schema WHERE type = 'table'", func(r row) error { tables = append(tables, r.text(0)); return nil })
	for _, table := range tables {
		columns := ""
		err = errors.Join(err, c.query("SELECT group_concat(name) FROM pragma_table_info('"+table+"')", func(r row) error { columns = r.text(0); return nil }))
		err = errors.Join(err, c.exec("DELETE FROM main."+table+"; INSERT INTO main."+table+" ("+columns+") SELECT "+columns+" FROM new."+table))
	}
	return err
}

// TestOldSchemas opens what older programs left: it is migrated, whole, and
// everything in it can be received and removed.
func TestOldSchemas(t *testing.T) {
	t.Parallel()
	files, err := migrations()
	if err != nil {
		t.Fatal(err)
	}
	for version := 1; version <= len(files); version++ {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(schemaFile(version))
			if *makeSchemas && errors.Is(err, os.ErrNotExist) {
				makeSchema(t, version, len(files))
				data, err = os.ReadFile(schemaFile(version))
			}
			if err != nil {
				t.Fatalf("%v: write it with go test ./engine/sqlite -run TestOldSchemas -sqlite.schemas, once, and keep it", err)
			}
			wantOldSchema(t, version, data)
		})
	}
}

func wantOldSchema(t *testing.T, version int, data []byte) {
	t.Helper()
	f := &fixture{t: t, clock: newTestClock()}
	f.o = Options{Dir: t.TempDir(), Clock: f.clock, Sync: Off}
	overwrite(t, filepath.Join(f.o.Dir, DataName), 0, data)
	if err := Check(t.Context(), f.o.Dir); err != nil {
		t.Errorf("Check of the old data: %v", err)
	}
	secret := make([]byte, 0)
	handles := make(map[string][]engine.Ref) // by queue
	c, err := openConnAs(toReadAlone, filepath.Join(f.o.Dir, DataName))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := c.int("PRAGMA user_version"); err != nil || got != int64(version) {
		t.Fatalf("the data has schema %d, %v, want %d", got, err, version)
	}
	err = errors.Join(c.query("SELECT value FROM meta WHERE key = 'secret'", func(r row) error { secret = slices.Clone(r.blob(0)); return nil }),
		c.query("SELECT q.name, q.number, d.queue, d.id, d.stamp FROM deliveries AS d JOIN queue_state AS s ON s.epoch = d.queue JOIN queues AS q ON q.number = s.number WHERE d.state = 2",
			func(r row) error {
				handles[r.text(0)] = append(handles[r.text(0)], reference{number: r.int(1), epoch: r.int(2), id: r.int(3), stamp: r.int(4)}.encode())
				return nil
			}), c.close())
	if err != nil {
		t.Fatal(err)
	}
	if len(handles["standard"]) != 1 || version >= 2 && len(handles["line.fifo"]) != 3 {
		t.Fatalf("the data has the handles %v", handles)
	}

	f.clock.advance(time.Minute)
	f.open()
	if f.Secret() != [32]byte(secret) {
		t.Error("the secret changed")
	}
	f.reopen() // which checks it
	f.clock.advance(24 * time.Hour)
	for name, want := range schemaQueues {
		if want.since > version {
			continue
		}
		wantQueue(f, name, want.want, handles[name])
	}
	f.sweep()
	f.move()
	f.finish()
}

// wantQueue receives everything of a queue, checks what it is and removes it,
// where there is a handle by that.
func wantQueue(f *fixture, n, want string, handles []engine.Ref) {
	f.t.Helper()
	q, err := f.FindQueue(context.Background(), name(n))
	if err != nil {
		f.t.Fatalf("%s: %v", n, err)
	}
	// Of a FIFO queue only what is locked comes first.
	outcomes, err := f.ChangeVisibility(context.Background(), engine.ChangeVisibilityParams{Queue: q.ID, Changes: changes(handles)})
	if err != nil || slices.ContainsFunc(outcomes, func(err error) bool { return err != nil }) {
		f.t.Errorf("%s: its handles gave %v, %v", n, outcomes, err)
	}
	f.clock.advance(time.Hour)
	var got []string
	for range 100 {
		ds := f.receive(q, 10)
		if len(ds) == 0 {
			break
		}
		for _, d := range ds {
			got = append(got, d.Body)
			if d.Body == "attributes" && (len(d.Attributes) != 3 || string(d.Attributes[1].Value) != "\x00\xff" || !strings.HasPrefix(d.Trace, "Root=")) {
				f.t.Errorf("%s: the message came as %+v", n, d.Message)
			}
			if strings.HasPrefix(d.Body, "dead") && (d.Source.Name != "source" || d.Receives != 2) {
				f.t.Errorf("%s: the dead letter %s is of %q, received %d times", n, d.Body, d.Source.Name, d.Receives)
			}
		}
		f.ack(q, ds...)
	}
	slices.Sort(got)
	sorted := strings.Fields(want)
	slices.Sort(sorted)
	if d := cmp.Diff(sorted, got); d != "" && len(sorted)+len(got) > 0 {
		f.t.Errorf("%s gave (-want +got):\n%s", n, d)
	}
	if c := f.counts(q); c != (engine.Counts{}) {
		f.t.Errorf("%s has %+v left", n, c)
	}
}

// changes hides messages for another minute.
func changes(refs []engine.Ref) (all []engine.Change) {
	for _, ref := range refs {
		all = append(all, engine.Change{Ref: ref, Timeout: time.Minute})
	}
	return all
}

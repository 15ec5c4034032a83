package sqlite

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"queues/engine"
)

// settingsOf changes the settings of a new FIFO queue.
func settingsOf(change func(*engine.Settings)) func(*engine.CreateQueueParams) {
	return func(p *engine.CreateQueueParams) { change(&p.Settings) }
}

// sendTo sends one message for each body to a group.
func (f *fixture) sendTo(q *engine.Queue, group string, bodies ...string) {
	f.t.Helper()
	for _, body := range bodies {
		m := engine.Message{Body: body, Group: group, Dedup: group + body}
		p := engine.SendParams{Queue: q.ID, Messages: []engine.NewMessage{{Message: m}}}
		if _, err := f.Send(f.t.Context(), p); err != nil {
			f.t.Fatalf("Send: %v", err)
		}
	}
}

// TestDeadLetterOfGroup moves the head of a group; the receive goes on with the
// next message of it.
func TestDeadLetterOfGroup(t *testing.T) {
	t.Parallel()
	f := open(t)
	dlq := f.createFIFO("dlq", settingsOf(func(s *engine.Settings) { s.Delay, s.Retention = time.Minute, time.Hour }))
	q := f.createFIFO("q", settingsOf(redriveTo("dlq", 1)))
	f.sendTo(q, "a", "1", "2")
	first := f.touch(q, 1)
	f.clock.advance(time.Minute)
	r := f.receiveAll(q, 1)
	if got := bodies(r.Messages); !slices.Equal(got, []string{"2"}) {
		t.Fatalf("received %v, want the next of the group", got)
	}
	got := f.receive(dlq, 10)
	if len(got) != 1 || got[0].ID != first[0].ID || got[0].Group != "a" || got[0].Dedup != first[0].ID.String() ||
		got[0].Receives != 2 || !got[0].Sent.Equal(f.clock.Now()) || got[0].Source != q.Name {
		t.Fatalf("the dead letter is %+v", got)
	}
	f.clock.advance(time.Hour)
	f.sweep()
	f.remembered()
	if c := f.counts(dlq); c != (engine.Counts{}) {
		t.Errorf("after its time there are %+v", c)
	}
}

// TestMoveOfGroups keeps the order of every group.
func TestMoveOfGroups(t *testing.T) {
	t.Parallel()
	f := open(t)
	from, to := f.createFIFO("from"), f.createFIFO("to")
	var want [2][]string
	for i := range 120 {
		group, body := i%2, fmt.Sprint(i)
		f.sendTo(from, fmt.Sprint(group), body)
		want[group] = append(want[group], body)
	}
	before := f.touch(from, 3)
	task := f.startMove(from, "to", 0)
	f.sendTo(from, "0", "later")
	f.move()
	if got := f.moves(from)[0]; got.Status != engine.MoveCompleted || got.Moved != 120 || task.ToMove != 120 {
		t.Errorf("the task is %+v", got)
	}
	f.reopen()
	var got [2][]string
	for _, d := range f.touch(to, 1000) {
		group := int(d.Group[0] - '0')
		got[group] = append(got[group], d.Body)
		if d.Dedup != d.ID.String() || d.Receives != 1 || d.ID == before[0].ID {
			t.Errorf("message %s is not a new one: %+v", d.Body, d)
		}
	}
	for group := range got {
		if !slices.Equal(got[group], want[group]) {
			t.Errorf("group %d is %v, want %v", group, got[group], want[group])
		}
	}
	if got := bodies(f.receive(from, 10)); !slices.Equal(got, []string{"later"}) {
		t.Errorf("the source has %v, want what was sent later", got)
	}
}

package sqlite

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCycleOverRestart(t *testing.T) {
	t.Parallel()
	f := open(t)
	q := f.create("orders")
	f.send(q, 3)
	first := f.receive(q, 1)
	f.reopen()
	f.ack(q, first...)
	if got, want := bodies(f.receive(q, 10)), []string{"m1", "m2"}; !cmp.Equal(got, want) {
		t.Errorf("received %v after the restart, want %v", got, want)
	}
	if c := f.counts(q); c.Visible != 0 || c.InFlight != 2 {
		t.Errorf("counts are %+v, want 2 in flight", c)
	}
}

package integration

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// choose fills in what to do, and gives the handles that it needs. With lives
// a standard queue is deleted and made again too.
func (s *step) choose(random *rand.Rand, r *recorder, name string, lives bool) (handles []string) {
	fifo, paired := strings.HasSuffix(s.queue, ".fifo"), redriven(s.queue) > 0
	n := random.IntN(100) // sends are few: what nobody receives can stand in any order
	if paired && n >= 26 && random.IntN(3) == 0 {
		s.queue = deadOf(s.queue)
	}
	if n >= 62 && n < 88 {
		for range 1 + random.IntN(4)/3*2 { // some in a batch
			if number, handle := r.recent(random, s.queue); number > 0 && !slices.Contains(s.handles, number) {
				s.handles, handles = append(s.handles, number), append(handles, handle)
			}
		}
		if len(handles) == 0 {
			n = 50
		}
	}
	switch {
	case n < 26:
		s.fill(random, name, fifo)
	case n < 62:
		s.do, s.most, s.hidden = "receive", 1+random.IntN(3), random.IntN(3) > 0
		if paired && s.queue == family(s.queue) {
			s.hidden = random.IntN(3) == 0 // else nothing is received often enough
		}
		if fifo && random.IntN(4) == 0 {
			s.most, s.hidden, s.attempt = 3, true, fmt.Sprint("try-", random.IntN(2))
		}
	case n < 77:
		s.do = "delete"
	case n < 88:
		s.do, s.hidden = "change", random.IntN(2) == 0
	case paired && n < 92:
		s.do, s.queue = "move", deadOf(family(s.queue))
	case paired && n < 95:
		s.do, s.queue = "tasks", deadOf(family(s.queue))
	case n < 95 || (fifo || paired) && n < 98:
		s.do = "count"
	case !lives || fifo || paired || n < 97:
		s.do = "purge"
	case n < 98:
		s.do = "remove"
	default:
		s.do = "create"
	}
	return handles
}

// fill chooses what is sent: one message or a batch, which may have a bad entry.
func (s *step) fill(random *rand.Rand, name string, fifo bool) {
	s.do, s.entries = "send", []parcel{{body: name}}
	if random.IntN(4) == 0 {
		s.entries = []parcel{{body: name + "x"}, {body: name + "y"}, {body: name + "z"}}
		s.entries[1].bad = random.IntN(4) == 0
	}
	s.delayed = !fifo && redriven(s.queue) == 0 && len(s.entries) == 1 && random.IntN(8) == 0
	for i := range s.entries {
		if fifo { // in pairs with fewer groups
			s.entries[i].group = string(rune('a' + random.IntN(3-min(1, redriven(s.queue)))))
			s.entries[i].dedup = fmt.Sprint("d", random.IntN(25))
		}
	}
}

// empty ends a history: it waits until no move task runs, and takes all that can
// be received.
func (r *recorder) empty(t *testing.T, e *env, client int, queue string) {
	t.Helper()
	all := []string{queue}
	if redriven(queue) > 0 {
		all = append(all, deadOf(queue))
		deadline := time.Now().Add(patience)
		for r.take(t, e, client, step{queue: deadOf(queue), do: "tasks"}).task.status == "RUNNING" {
			if time.Now().After(deadline) {
				t.Fatal("the move task has not ended")
			}
		}
	}
	for _, queue := range all {
		r.take(t, e, client, step{queue: queue, do: "count"})
		for len(r.take(t, e, client, step{queue: queue, do: "receive", most: 10, hidden: true}).got) > 0 {
			continue
		}
		r.take(t, e, client, step{queue: queue, do: "count"})
	}
}

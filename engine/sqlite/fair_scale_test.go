package sqlite

import (
	"flag"
	"testing"
	"time"
)

var noisyMessages = flag.Int("sqlite.noisy", 20_000, "messages of the noisy group in a cost test")

// TestNoisyBacklog compares the life of messages of quiet groups alone with
// that behind a noisy group with very many.
func TestNoisyBacklog(t *testing.T) {
	t.Parallel()
	f := open(t)
	alone, behind := f.create("alone"), f.create("behind")
	f.fill(behind, "noisy", *noisyMessages)
	f.hold(behind, 1000, 10*time.Hour)
	all := cycle(f, 200, alone, behind)
	t.Logf("ten messages of quiet groups: alone %v, behind %d noisy ones %v", all[0], *noisyMessages, all[1])
	// Twice is noise on a busy machine; a scan would be a hundred times.
	if c := all[1]; c.receive > 2*all[0].receive || c.ack > 2*all[0].ack || c.send > 2*all[0].send {
		t.Errorf("ten messages cost %v behind a noisy backlog, %v alone", c, all[0])
	}
}

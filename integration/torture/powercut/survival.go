package powercut

import (
	"fmt"
	"math/rand/v2"
)

// sector is what a disk writes whole, in bytes.
const sector = 512

// Survival says what of the unsynced survives a power cut.
type Survival struct {
	// Mode is one of Modes.
	Mode string
	// Tear lets one of the writes that survive be torn.
	Tear   bool
	Random *rand.Rand

	// until is the last record that survives in the mode prefix.
	until int
	share float64
	torn  int
}

// Modes are the ways of surviving.
var Modes = []string{"none", "all", "prefix", "some"}

// NewSurvival chooses one at random.
func NewSurvival(random *rand.Rand) *Survival {
	return &Survival{Mode: Modes[random.IntN(len(Modes))], Tear: random.IntN(2) == 0, Random: random}
}

func (s *Survival) String() string {
	if s.torn > 0 {
		return fmt.Sprintf("%s of the unsynced, write %d torn", s.Mode, s.torn)
	}
	return s.Mode + " of the unsynced"
}

// begin chooses what is chosen once for an image.
func (s *Survival) begin(w *World) {
	s.share = 0.1 + 0.8*s.Random.Float64()
	s.torn = 0
	var all, writes []int
	for i := range w.pending {
		all = append(all, w.pending[i].at)
	}
	for _, f := range w.names {
		for i := range f.pending {
			all = append(all, f.pending[i].at)
			if f.pending[i].kind == Write {
				writes = append(writes, f.pending[i].at)
			}
		}
	}
	if len(all) > 0 {
		s.until = all[s.Random.IntN(len(all))]
	}
	if s.Tear && len(writes) > 0 {
		s.torn = writes[s.Random.IntN(len(writes))]
		if s.Mode == "prefix" {
			s.until = max(s.until, s.torn) // the last one is the likeliest to be torn
		}
	}
}

// survives tells whether a change is there after the cut.
func (s *Survival) survives(c *change) bool {
	switch s.Mode {
	case "none":
		return false
	case "prefix":
		return c.at <= s.until
	case "some":
		return s.Random.Float64() < s.share
	}
	return true
}

// tear makes a write of which only some sectors reached the disk.
func (s *Survival) tear(c *change, b []byte) []byte {
	for at := c.offset; at < c.offset+int64(len(c.data)); {
		end := min((at/sector+1)*sector, c.offset+int64(len(c.data)))
		if s.Random.IntN(2) == 0 {
			part := change{kind: Write, offset: at, data: c.data[at-c.offset : end-c.offset]}
			b = part.bytes(b)
		}
		at = end
	}
	return b
}

package sqlite

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"queues/engine"
)

// stuff puts n requests of a size into an inbox.
func stuff(t *testing.T, b *inbox, n, bytes int) {
	t.Helper()
	for range n {
		if err := b.put(&request{bytes: bytes}, false); err != nil {
			t.Fatal(err)
		}
	}
}

// sizes gives the sizes of the next batch.
func sizes(b *inbox) []int {
	batch := b.take(nil)
	got := make([]int, len(batch))
	for i, r := range batch {
		got[i] = r.bytes
	}
	return got
}

func TestOverload(t *testing.T) {
	t.Parallel()
	const large = 1 << 20
	for name, tc := range map[string]struct {
		waiting, each int
		next          int
		urgent        bool
		want          engine.Code
	}{
		"LargeFits":            {47, large, large, false, 0},
		"LargeTooMany":         {48, large, large, false, engine.Overloaded},
		"LargeIsJustLarge":     {48, large, smallBytes + 1, false, engine.Overloaded},
		"SmallBesideLarge":     {48, large, smallBytes, false, 0},
		"SmallTooMany":         {maxWaitingBytes / smallBytes, smallBytes, 1, false, engine.Overloaded},
		"EmptyBesideAllBytes":  {maxWaitingBytes / smallBytes, smallBytes, 0, false, 0},
		"LargeBesideSmallOnes": {maxWaitingBytes / smallBytes, smallBytes, large, false, engine.Overloaded},
		"RequestTooMany":       {maxWaiting, 0, 0, false, engine.Overloaded},
		"Urgent":               {maxWaiting, 0, 0, true, 0},
		"HugeAlone":            {0, 0, 2 * maxWaitingBytes, false, 0},
		"HugeInCompany":        {1, large, 2 * maxWaitingBytes, false, engine.Overloaded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newInbox()
			stuff(t, b, tc.waiting, tc.each)
			s := &Store{writer: &writer{inbox: b}}
			if got := s.Busy(int64(tc.next)); !tc.urgent && got != (tc.want != 0) {
				t.Errorf("busy: %v, want %v", got, !got)
			}
			err := b.put(&request{bytes: tc.next}, tc.urgent)
			if tc.want == 0 {
				if err != nil {
					t.Errorf("it was refused: %v", err)
				}
				return
			}
			wantCode(t, "one more", err, tc.want)
		})
	}
}

// TestSmallOvertake holds that what is small does not wait behind what is
// large, and that neither keeps the other out.
func TestSmallOvertake(t *testing.T) {
	t.Parallel()
	const large = 1 << 20
	b := newInbox()
	stuff(t, b, 12, large)
	stuff(t, b, 2, 100)
	if d := cmp.Diff([]int{100, 100, large}, sizes(b)); d != "" {
		t.Errorf("small ones after large ones (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]int{large, large, large, large, large, large, large, large}, sizes(b)); d != "" {
		t.Errorf("large ones alone (-want +got):\n%s", d)
	}
	stuff(t, b, 2*maxBatch, 0)
	got := sizes(b)
	if len(got) != maxBatch || got[maxBatch-1] != large {
		t.Errorf("of many small ones and a large one a batch has %d, the last of %d bytes, want %d and the large one", len(got), got[len(got)-1], maxBatch)
	}
	b = newInbox()
	stuff(t, b, 2, 2*maxBatchBytes)
	stuff(t, b, 1, 100)
	if d := cmp.Diff([]int{100, 2 * maxBatchBytes}, sizes(b)); d != "" {
		t.Errorf("one that is larger than a batch (-want +got):\n%s", d)
	}
}

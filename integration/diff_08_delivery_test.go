package integration

import (
	"fmt"
	"testing"
)

// DIFFERENCES 8: a standard queue gives messages in the order they were sent,
// a short poll finds whatever is there, and nothing comes twice without a
// timeout. AWS promises none of that.
func TestDiff08StandardQueuesAreStricterThanPromised(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		var want []string
		for i := range 10 {
			var batch []string
			for j := range 10 {
				batch = append(batch, fmt.Sprint(i*10+j))
			}
			e.sendBatch(t, url, batch...)
			want = append(want, batch...)
		}
		for i := range 10 {
			wantBodies(t, e.receive(t, url), want[i*10:i*10+10]...)
		}
		e.wantNothing(t, url)
	})
}

package sqlite

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"queues/engine"
)

// FuzzDecodeSettings holds that what a database says of a queue is read or
// refused, and that what was read is written and read again as it is.
func FuzzDecodeSettings(f *testing.F) {
	f.Add(`{"max_message_bytes":1048576,"redrive":{"account":"000000000000","region":"us-east-1","name":"d","max_receives":3},"extra":{"Policy":"{}"}}`, `{"a":"b"}`)
	f.Add(`{}`, `null`)
	f.Add(`{"extra":{"\ud800":"\u0000"}}`, `{"":""}`)
	f.Fuzz(func(t *testing.T, settings, tags string) {
		var q, again engine.Queue
		if decodeSettings(settings, tags, &q) != nil {
			return
		}
		s, g, err := encodeSettings(&q)
		if err != nil {
			t.Fatal(err)
		}
		if err := decodeSettings(s, g, &again); err != nil {
			t.Fatalf("%v in our own %s, %s", err, s, g)
		}
		if d := cmp.Diff(q, again, cmpopts.EquateEmpty()); d != "" {
			t.Errorf("(-first +again):\n%s", d)
		}
	})
}

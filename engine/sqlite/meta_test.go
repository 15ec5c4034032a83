package sqlite

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"queues/engine"
)

func TestMetaRoundTrip(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]engine.Message{
		"Empty":           {},
		"EmptyAttributes": {Attributes: []engine.Attribute{}},
		"Full": {
			ID: engine.MessageID{1, 2, 3}, Sender: "AIDA", Trace: "Root=1", Group: "g", Dedup: "d",
			Attributes: []engine.Attribute{
				{Name: "text", Type: "String", Value: []byte("wörd")},
				{Name: "bytes", Type: "Binary.x", Value: []byte{0, 255}},
				{Name: "empty", Type: "String", Value: []byte{}},
				{Name: "none", Type: "String"},
			},
		},
		"Long": {Sender: string(bytes.Repeat([]byte("x"), 70000))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := decodeMeta(encodeMeta(&m))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(m, got); d != "" {
				t.Errorf("the message changed (-want +got):\n%s", d)
			}
		})
	}
}

func FuzzDecodeMeta(f *testing.F) {
	m := engine.Message{Sender: "s", Attributes: []engine.Attribute{{Name: "a", Type: "String", Value: []byte("v")}}}
	f.Add(encodeMeta(&m))
	f.Add(encodeMeta(&engine.Message{}))
	f.Add([]byte{})
	f.Add([]byte{2})
	f.Add(append(encodeMeta(&engine.Message{}), 0))
	f.Add(append(make([]byte, 17), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := decodeMeta(b)
		if err != nil {
			return
		}
		again, err := decodeMeta(encodeMeta(&m))
		if err != nil {
			t.Fatalf("what was decoded cannot be encoded: %v", err)
		}
		if d := cmp.Diff(m, again); d != "" {
			t.Errorf("decoding is not stable:\n%s", d)
		}
	})
}

func FuzzDecodeRef(f *testing.F) {
	f.Add(string(reference{1, 2, 3, -4}.encode()))
	f.Add("")
	f.Fuzz(func(t *testing.T, s string) {
		r, ok := decodeRef(engine.Ref(s))
		if ok != (len(s) == refBytes) {
			t.Errorf("a reference of %d bytes: %v", len(s), ok)
		}
		if ok && string(r.encode()) != s {
			t.Errorf("decoding %q is not stable", s)
		}
	})
}

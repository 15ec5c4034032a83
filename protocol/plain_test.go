package protocol

import (
	"bytes"
	"testing"
)

// TestRuns holds that a run ends before the first byte that needs a look, for
// every byte at every place of a word, and at most seven bytes too early.
func TestRuns(t *testing.T) {
	t.Parallel()
	printable := func(c byte) bool { return c >= ' ' && c < 0x80 }
	for _, tc := range []struct {
		name string
		run  func([]byte) int
		in   func(byte) bool
	}{
		{"Printable", printableRun[[]byte], printable},
		{"PrintableText", func(b []byte) int { return printableRun(string(b)) }, printable},
		{"Plain", plainRun[[]byte], func(c byte) bool { return plainJSON[c] }},
		{"PlainText", func(b []byte) int { return plainRun(string(b)) }, func(c byte) bool { return plainJSON[c] }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			for _, filler := range []byte{' ', '!', 'm', 0x7f} {
				for c := range 256 {
					for at := range 40 {
						text := bytes.Repeat([]byte{filler}, 40)
						text[at] = byte(c)
						end := at
						if tc.in(byte(c)) {
							end = len(text)
						}
						if got := tc.run(text); got > end || got < end-7 {
							t.Fatalf("byte %#x at %d among %#x: the run is %d bytes", c, at, filler, got)
						}
					}
				}
			}
			for n := range 9 {
				if got := tc.run(make([]byte, n)); got != 0 {
					t.Errorf("%d zero bytes: the run is %d", n, got)
				}
			}
		})
	}
}

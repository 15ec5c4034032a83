package engine

import (
	"strings"
	"testing"
)

func TestHandle(t *testing.T) {
	t.Parallel()
	s := newSealer([32]byte{1})
	ref := Ref("queue-epoch-sequence-and-stamp..")
	handle := s.seal(ref)

	t.Run("OpensToItsReference", func(t *testing.T) {
		t.Parallel()
		if got, err := s.open(handle); err != nil || got != ref {
			t.Errorf("got %q, %v", got, err)
		}
		if again := newSealer([32]byte{1}).seal(ref); again != handle {
			t.Errorf("the same reference and secret gave %q, then %q", handle, again)
		}
	})

	t.Run("NeedsNoEscaping", func(t *testing.T) {
		t.Parallel()
		for i := range 256 {
			h := s.seal(Ref(strings.Repeat(string(rune(i)), 8)))
			if strings.Trim(h, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
				t.Fatalf("handle %q", h)
			}
		}
	})

	t.Run("LongestReference", func(t *testing.T) {
		t.Parallel()
		long := Ref(strings.Repeat("x", MaxRefBytes))
		if got, err := s.open(s.seal(long)); err != nil || got != long {
			t.Errorf("got %q, %v", got, err)
		}
	})

	bad := map[string]string{
		"Empty":        "",
		"Garbage":      "garbage",
		"NotBase64":    "!!!! \x00",
		"Truncated":    handle[:len(handle)-1],
		"VersionOnly":  "AQEB",
		"Doubled":      handle + handle,
		"Padded":       handle + "=",
		"NewlineInIt":  handle[:10] + "\n" + handle[10:],
		"OtherSecret":  newSealer([32]byte{2}).seal(ref),
		"VeryLong":     strings.Repeat("A", 1<<20),
		"OtherVersion": "AQEC" + handle[4:],
	}
	for i := range len(handle) {
		c := byte('A')
		if handle[i] == c {
			c = 'B'
		}
		bad["Altered"+string(rune('0'+i%10))+handle[:i]] = handle[:i] + string(c) + handle[i+1:]
	}
	t.Run("RefusesWhatWasNeverIssued", func(t *testing.T) {
		t.Parallel()
		for name, h := range bad {
			ref, err := s.open(h)
			if err == nil {
				t.Errorf("%s: opened to %q", name, ref)
			} else if ErrorCode(err) != InvalidReceipt {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func FuzzHandle(f *testing.F) {
	s := newSealer([32]byte{3})
	f.Add(s.seal("abc"))
	f.Add("AQEB")
	f.Add("")
	f.Fuzz(func(t *testing.T, h string) {
		ref, err := s.open(h)
		if err != nil {
			return
		}
		// Whatever opens is exactly what sealing its content gives.
		if s.seal(ref) != h {
			t.Errorf("%q opened to %q, which seals otherwise", h, ref)
		}
	})
}

package app

import "testing"

// FuzzSize holds that a size that is taken is not negative and is written in a
// form that is the same size.
func FuzzSize(f *testing.F) {
	for _, text := range []string{"", "0", "16MiB", " 1 GiB ", "-1", "4611686018427387904", "9999999999GiB", "1kb", "0x10", "1_000", "+5"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var s, again Size
		if s.UnmarshalText([]byte(text)) != nil {
			return
		}
		if err := again.UnmarshalText([]byte(s.String())); err != nil || again != s || s < 0 {
			t.Errorf("%q is %d, written %q, which is %d, %v", text, s, s.String(), again, err)
		}
	})
}

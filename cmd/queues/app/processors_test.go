package app

import (
	"runtime"
	"testing"
)

// TestAddProcessor is not parallel: it changes the whole process for a moment.
func TestAddProcessor(t *testing.T) {
	was := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(was)
	for name, tc := range map[string]struct {
		setting string
		want    int
	}{
		"Unset": {"", was + 1},
		"Set":   {"7", was}, // the runtime has read it
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GOMAXPROCS", tc.setting)
			runtime.GOMAXPROCS(was)
			addProcessor()
			if got := runtime.GOMAXPROCS(0); got != tc.want {
				t.Errorf("%d processors, want %d", got, tc.want)
			}
		})
	}
}

package app

import (
	"os"
	"runtime"
)

// addProcessor gives Go one processor more than there are cores: the writer
// sits on one while it syncs, and with that the others are enough for the cores.
// 64 senders of 1 KB on two cores got 26,600 sends a second through before, and
// 28,100 after ("queues bench", medians in turns on a quiet machine). GOMAXPROCS
// has the last word. Go no longer follows a limit of the container that changes
// while the server runs.
func addProcessor() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)
	}
}

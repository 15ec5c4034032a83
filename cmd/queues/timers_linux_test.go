package main

import (
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// TestTimerSlack holds that the constructor ran before Go did. A thread has its
// slack from the one that made it.
func TestTimerSlack(t *testing.T) {
	t.Parallel()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	slack, err := unix.PrctlRetInt(unix.PR_GET_TIMERSLACK, 0, 0, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := slack == 500000, os.Getenv("GOMAXPROCS") == ""; got != want {
		t.Errorf("the timer slack is %d ns; 500000 is %v, want %v", slack, got, want)
	}
}

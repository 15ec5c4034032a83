package main

import (
	"os"
	"strings"
	"testing"
)

// TestTimerSlack holds that the constructor ran before Go did. A thread has its
// slack from the one that made it.
func TestTimerSlack(t *testing.T) {
	t.Parallel()
	slack, err := os.ReadFile("/proc/thread-self/timerslack_ns")
	if os.IsNotExist(err) {
		slack, err = os.ReadFile("/proc/self/timerslack_ns")
	}
	if err != nil {
		t.Fatal(err)
	}
	got, want := strings.TrimSpace(string(slack)) == "500000", os.Getenv("GOMAXPROCS") == ""
	if got != want {
		t.Errorf("the timer slack is %s ns; 500000 is %v, want %v", slack, got, want)
	}
}

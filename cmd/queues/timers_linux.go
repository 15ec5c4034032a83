package main

// Go's watcher of its threads, sysmon, wakes up every 20 µs for as long as any
// thread is in a call to the system or to C for longer, and takes its processor
// away. Here one always is: a sync takes hundreds of microseconds. With the
// system's usual slack of 50 µs the watcher ran 14,000 times a second and took
// 6.6 % of the server's time, and the writer came back from a sync without a
// processor to go on with.
//
// The slack is how late the system may end a sleep, so that one interrupt can
// end several. Threads inherit it from the one that makes them, and the watcher
// begins before any Go code runs, so it is set in a constructor. What else
// sleeps for a time in the server, timers above all, counts in milliseconds.
//
// Who gives Go a number of processors gets no further one for the writer (see
// addProcessor), and the watcher must be quick then.
//
// 64 senders of 1 KB: 49.6 µs of CPU a send before, 46.5 after; one sender: p50
// 326 and 289 µs ("queues bench", medians in turns on a quiet machine).

/*
#include <stdlib.h>
#include <sys/prctl.h>

__attribute__((constructor)) static void queues_timer_slack(void) {
	const char *processors = getenv("GOMAXPROCS");
	if (processors == NULL || *processors == '\0')
		prctl(PR_SET_TIMERSLACK, 500000UL, 0, 0, 0); // in nanoseconds
}
*/
import "C"

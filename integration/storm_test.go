package integration

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"queues/cmd/queues/app"
)

// stormTime is how long the storm lasts.
var stormTime = flag.Duration("storm.time", 3*time.Second, "how long the storm of all actions lasts")

// stormWorkers is how many clients make it.
const stormWorkers = 24

// The queues of the storm. The first stay and nothing is purged from them, so
// that their messages can be followed; the others come and go.
var (
	stormLasting = []string{"std", "fair", "line.fifo", "src", "src.fifo"}
	stormLetters = []string{"dead", "dead.fifo", "moved", "moved.fifo"}
	stormPassing = []string{"life-1", "life-2", "life-3.fifo"}
)

// storm is one run, and what its clients know together.
type storm struct {
	t      *testing.T
	base   *env
	worker []*stormWorker

	mu sync.Mutex
	// sent are the bodies that were taken by the lasting queues, removed those
	// of which a delete was answered well.
	sent, removed map[string]bool
	// handles are the newest of each queue, with the bodies that they are of.
	handles map[string][]message
	tasks   map[string][]string
	// answers counts the answers by action and code.
	answers map[string]int
	lives   *lives
}

// All actions at once, by many clients in both protocols, on queues that stay
// and on queues that are deleted and made again: no answer is anything but what
// its action may say at that moment, nothing is lost or doubled, nothing outlives
// its queue, the counts add up, the data is whole, and nothing is left running.
func TestStormOfAllActions(t *testing.T) { //nolint:paralleltest // it looks for goroutines that are left
	random := newSeed(t)
	before := goleak.IgnoreCurrent()
	var log bytes.Buffer
	data := t.TempDir()
	url, stop := stormServer(t, data, &log)
	s := &server{url: url, host: strings.TrimPrefix(url, "http://")}
	w := &storm{
		t: t, base: newEnv(t, s, wireJSON), sent: map[string]bool{}, removed: map[string]bool{},
		handles: map[string][]message{}, tasks: map[string][]string{}, answers: map[string]int{},
		lives: newLives(),
	}
	w.build()
	w.blow(random)
	w.settle()
	w.judgeLives()
	w.base.http.CloseIdleConnections()
	for _, c := range w.worker {
		c.e.http.CloseIdleConnections()
	}
	stop()
	if err := goleak.Find(before); err != nil {
		t.Errorf("goroutines are left: %v", err)
	}
	if text := log.String(); strings.Contains(text, "panic") || strings.Contains(text, "level=ERROR") {
		t.Errorf("the server complains:\n%s", text)
	}
	var out bytes.Buffer
	if code := app.Execute(t.Context(), []string{"check", data}, &out, &out); code != 0 {
		t.Errorf("the data is not whole: %s", out.String())
	}
}

// stormServer runs a server on a real port, where hang-ups are seen as users'
// are.
func stormServer(t *testing.T, data string, log *bytes.Buffer) (url string, stop func()) {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	stop = runApp(t, app.Config{Data: data, Sync: "normal", Cooldowns: "off", Admin: "off", Listener: l, Output: log, LogLevel: "warn"})
	return "http://" + l.Addr().String(), stop
}

// build makes the queues that stay.
func (s *storm) build() {
	s.t.Helper()
	for _, queue := range slices.Concat(stormLetters, stormLasting) {
		s.base.createNamed(s.t, queue, s.attributes(queue))
	}
}

// attributes are what a queue is made with. What is hidden comes back while the
// storm lasts.
func (s *storm) attributes(queue string) attrs {
	a := attrs{"VisibilityTimeout": "1"}
	if strings.HasSuffix(queue, ".fifo") {
		a["FifoQueue"] = "true"
	}
	if strings.HasPrefix(queue, "src") {
		a["RedrivePolicy"] = redriveTo(s.named("dead"+strings.TrimPrefix(queue, "src")), 2)
	}
	return a
}

// named gives the resource name of a queue.
func (s *storm) named(queue string) string {
	return "arn:aws:sqs:us-east-1:" + s.base.account + ":" + queue
}

// blow lets the clients work.
func (s *storm) blow(random *rand.Rand) {
	s.t.Helper()
	end := time.Now().Add(*stormTime)
	late := end.Add(patience) // a busy machine takes longer for all actions
	var work sync.WaitGroup
	for i := range stormWorkers {
		c := &stormWorker{storm: s, e: s.base.speaking(s.t, wires[i%2]), random: rand.New(rand.NewPCG(random.Uint64(), 0)), name: fmt.Sprint(i)}
		s.worker = append(s.worker, c)
		work.Go(func() {
			for n := 0; time.Now().Before(end) || time.Now().Before(late) && !s.everything(); n++ {
				// Each begins elsewhere, so that even a short storm has all.
				do := stormActions[(n+i)%len(stormActions)]
				if n >= len(stormActions) {
					do = stormActions[c.random.IntN(len(stormActions))]
					// Most of it is about messages.
					for range 2 {
						if !strings.Contains(do.name, "Message") {
							do = stormActions[c.random.IntN(len(stormActions))]
						}
					}
				}
				do.run(c, do.name)
			}
		})
	}
	work.Wait()
	calls := 0
	for _, key := range slices.Sorted(maps.Keys(s.answers)) {
		calls += s.answers[key]
		s.t.Logf("%6d %s", s.answers[key], key)
	}
	s.t.Logf("%d calls by %d clients in %v", calls, stormWorkers, *stormTime)
	for _, name := range s.missing() {
		s.t.Errorf("no %s was answered well", name)
	}
}

// everything tells whether nothing is missing yet.
func (s *storm) everything() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.missing()) == 0
}

// missing gives the actions of which none was answered well. s.mu must be held
// while clients work.
func (s *storm) missing() (list []string) {
	for _, a := range stormActions {
		// Whether a task still runs when it is to be cancelled is chance.
		if s.answers[a.name] == 0 && a.name != "CancelMessageMoveTask" {
			list = append(list, a.name)
		}
	}
	return list
}

// settle waits until nothing goes on any more, compares the counts with what
// then comes, and that with what was sent.
func (s *storm) settle() {
	s.t.Helper()
	deadline := time.Now().Add(patience)
	for _, task := range s.tasks["all"] {
		s.base.call(s.t, "CancelMessageMoveTask", args{"TaskHandle": task}) // some take their time
	}
	for _, queue := range []string{"dead", "dead.fifo"} {
		for strings.Contains(s.base.call(s.t, "ListMessageMoveTasks", args{"SourceArn": s.named(queue)}).wantOK(s.t).Body, "ING") {
			if time.Now().After(deadline) {
				s.t.Fatalf("the move task of %s has not ended", queue)
			}
		}
	}
	total := s.total()
	came := map[string]int{}
	for len(came) < total || s.total() > 0 {
		if time.Now().After(deadline) {
			s.t.Fatalf("%d of %d messages came, and %d are still counted", len(came), total, s.total())
		}
		for _, queue := range slices.Concat(stormLasting, stormLetters) {
			for _, m := range s.base.receive(s.t, queue, hideFor(60)) {
				came[*m.Body]++
				s.base.delete(s.t, queue, m)
			}
		}
	}
	all := 0
	for body, n := range came {
		if all += n; n > 1 || !s.sent[body] {
			s.t.Errorf("%s came %d times at the end; sent: %v", body, n, s.sent[body])
		}
	}
	for body := range s.sent {
		if came[body] == 0 && !s.removed[body] {
			s.t.Errorf("%s is lost", body)
		}
	}
	if all != total {
		s.t.Errorf("%d messages were counted and %d came", total, all)
	}
	s.t.Logf("%d messages were sent to the queues that stay, %d were there at the end", len(s.sent), all)
}

// total is how many messages the queues that stay count.
func (s *storm) total() (n int) {
	for _, queue := range slices.Concat(stormLasting, stormLetters) {
		for _, c := range s.base.call(s.t, "GetQueueAttributes", args{"QueueUrl": queue, "AttributeNames": list{"All"}}).wantOK(s.t).sizes(s.t) {
			n += c
		}
	}
	return n
}

package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// program is one run.
type program struct {
	// server is the built server, scripts this program's folder, cache where
	// installations are kept, work where what must not outlive the run is.
	server, scripts, cache, work string
	debian                       *debian
	// lock is the cache's.
	lock *os.File
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code, err := execute(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
	}
	os.Exit(code)
}

// execute runs the clients that the arguments choose and gives the exit
// status: 0 if none failed, 1 if one did, 2 if the run could not be made.
func execute(ctx context.Context, args []string, w io.Writer) (int, error) {
	flags := flag.NewFlagSet("clients", flag.ContinueOnError)
	p := &program{}
	var only, out string
	var list bool
	var jobs int
	flags.StringVar(&p.server, "server", "bin/queues", "the built server")
	flags.StringVar(&p.scripts, "scripts", "integration/clients", "the folder of the scripts")
	flags.StringVar(&p.cache, "cache", "", "the folder of installations (queues-clients in the user's cache)")
	flags.StringVar(&only, "only", "", "run these clients alone, by name, with commas between")
	flags.StringVar(&out, "out", "", "a file for the results, as JSON")
	flags.BoolVar(&list, "list", false, "show the clients and stop")
	flags.IntVar(&jobs, "jobs", runtime.NumCPU(), "how many clients run at once")
	if err := flags.Parse(args); err != nil {
		return 2, err
	}
	chosen, err := choose(only)
	if err != nil {
		return 2, err
	}
	if list {
		for _, c := range chosen {
			say(w, fmt.Sprintf("%-22s %s\n", c.name, c.protocol))
		}
		return 0, nil
	}
	if err := p.prepare(chosen); err != nil {
		return 2, err
	}
	defer func() {
		_ = os.RemoveAll(p.work) // what is left is in the system's temporary folder
		_ = p.lock.Close()       // nothing was written
	}()
	results := p.all(ctx, chosen, max(jobs, 1), w)
	if ctx.Err() != nil {
		return 2, ctx.Err()
	}
	if out != "" {
		if err := writeResults(out, results); err != nil {
			return 2, err
		}
	}
	text, ok := summary(results)
	say(w, text)
	if !ok {
		return 1, nil
	}
	return 0, nil
}

// say writes to whoever started the program. Where that fails there is nobody
// to tell.
func say(w io.Writer, text string) { _, _ = io.WriteString(w, text) }

// choose gives the clients of these names, or all if there are none.
func choose(names string) ([]client, error) {
	if names == "" {
		return clients, nil
	}
	var chosen []client
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(clients, func(c client) bool { return c.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no client %q; -list shows them", name)
		}
		chosen = append(chosen, clients[i])
	}
	return chosen, nil
}

// prepare makes paths absolute and the folders that the run needs.
func (p *program) prepare(chosen []client) error {
	if p.cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		p.cache = filepath.Join(dir, "queues-clients")
	}
	for _, path := range []*string{&p.server, &p.scripts, &p.cache} {
		abs, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		*path = abs
	}
	if _, err := os.Stat(p.server); err != nil {
		return fmt.Errorf("build the server first: %w", err)
	}
	var err error
	if p.lock, err = lock(p.cache); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "queues-clients-")
	p.work = work
	p.debian = &debian{cache: p.cache, lists: map[string]bool{}}
	for _, c := range chosen {
		p.debian.first = append(p.debian.first, c.apt...)
	}
	return err
}

// all tries the clients, some at once, and tells of each as it ends. The
// results are in the order of the clients.
func (p *program) all(ctx context.Context, chosen []client, jobs int, w io.Writer) []result {
	results := make([]result, len(chosen))
	next := make(chan int)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range jobs {
		wg.Go(func() {
			for i := range next {
				results[i] = p.try(ctx, chosen[i])
				mu.Lock()
				say(w, progress(results[i]))
				mu.Unlock()
			}
		})
	}
	for i := range chosen {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	return results
}

// progress tells how one client ended.
func progress(r result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-7s %-22s %-26s %-10s", r.Outcome, r.Name, r.Version, r.Protocol)
	if len(r.Steps) > 0 {
		counts := map[outcome]int{}
		for _, s := range r.Steps {
			counts[s.Outcome]++
		}
		fmt.Fprintf(&b, " %2d steps passed, %d skipped", counts[passed], counts[skipped])
	}
	fmt.Fprintf(&b, " (%.1f s to install, %.1f s to run)\n", r.Install, r.Run)
	if r.Outcome == skipped {
		fmt.Fprintf(&b, "        %s\n", r.Reason)
	}
	for _, line := range r.details {
		fmt.Fprintf(&b, "        %s\n", line)
	}
	return b.String()
}

// writeResults writes the results as JSON.
func writeResults(path string, results []result) error {
	text, err := json.MarshalIndent(struct {
		Clients []result `json:"clients"`
	}{results}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// summary tells what each client has no words for, what was skipped or failed,
// and the counts last; and whether none failed.
func summary(results []result) (string, bool) {
	var b strings.Builder
	counts := map[outcome]int{}
	for _, r := range results {
		counts[r.Outcome]++
		for _, s := range r.Steps {
			if s.Outcome == skipped {
				fmt.Fprintf(&b, "%s: skipped %s: %s\n", r.Name, s.Name, s.Reason)
			}
		}
	}
	for _, r := range results {
		if r.Outcome != passed {
			fmt.Fprintf(&b, "%s: %s: %s\n", r.Name, r.Outcome, r.Reason)
		}
	}
	fmt.Fprintf(&b, "%d passed, %d failed, %d skipped\n", counts[passed], counts[failed], counts[skipped])
	return b.String(), counts[failed] == 0
}

//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"queues/integration/torture/contents"
	"queues/integration/torture/history"
	"queues/integration/torture/load"
	"queues/integration/torture/powercut"
)

const (
	// cutBallast is how many large messages a copy has that is recorded.
	cutBallast = 20
	// copyName is the file that a recorded backup makes, temporaryCopy the one
	// that its server makes in the data folder.
	copyName      = "copy.db"
	temporaryCopy = "backup.tmp"
)

// recordedCopy is one backup whose client was recorded.
type recordedCopy struct {
	// dir is where the client worked, log what it did there.
	dir, log string
	// data is what it made, nil when it failed.
	data []byte
	// before and after are when it was made, from and to the lengths of the
	// server's recording then.
	before, after time.Duration
	from, to      int64
}

// copyCutter cuts the power of a server and of its backups' clients.
type copyCutter struct {
	*recording
	recorded []recordedCopy
	// images counts states of the folders of copies, by what was there.
	images map[string]int
}

// cutBackups cuts the power while copies are made: under the server, whose data
// and unfinished copy are judged, and under the client, whose copy must be there
// and whole from its answer on.
func cutBackups(ctx context.Context, t *torture) error {
	library, err := powercut.Build(ctx, t.dir)
	if err != nil {
		return err
	}
	r, err := newRecording(t, "backup-power", library)
	if err != nil {
		return err
	}
	defer func() { _ = r.faults.Close() }() // the program is about to end
	r.name, r.sync, r.args, r.ballast = "backup: power cut", "full", []string{"--admin=127.0.0.1:0"}, cutBallast
	c := &copyCutter{recording: r, images: make(map[string]int)}
	r.unfinished = c.judgeUnfinished
	if err := c.make(ctx); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(r.Seed, uint64(len(r.name))))
	for i := range c.recorded {
		records, err := powercut.Read(c.recorded[i].log)
		if err != nil {
			return err
		}
		if err := c.cutClient(ctx, random, &c.recorded[i], records); err != nil || t.broken() {
			return err
		}
	}
	records, err := powercut.Read(r.log)
	if err != nil {
		return err
	}
	cuts := r.Cuts / 2
	if r.Short {
		cuts = r.Cuts / 4
	}
	at, kinds := c.choose(random, records, cuts)
	if err := r.cutAll(ctx, random, records, at, kinds); err != nil {
		return err
	}
	var words []string
	for what, n := range c.images {
		words = append(words, fmt.Sprintf("%d %s", n, what))
	}
	slices.Sort(words)
	r.say("%s: %d copies; in the images there were: %s", r.name, len(c.recorded), strings.Join(words, ", "))
	return ctx.Err()
}

// make lets clients work while backups are made, and records everything.
func (c *copyCutter) make(ctx context.Context) error {
	if err := c.start(); err != nil {
		return err
	}
	defer func() { c.server.kill() }()
	if err := errors.Join(load.Create(ctx, c.load.Client), fillBallast(ctx, c.load.Client, c.ballast)); err != nil {
		return err
	}
	c.ready = c.length()
	c.load.Mark = c.mark
	working, stop := context.WithCancel(ctx)
	defer c.load.Wait()
	defer stop()
	c.load.Start(working)
	copies := 16
	if c.Short {
		copies = 4
	}
	for n := range copies {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		c.load.Open()
		time.Sleep(time.Duration(c.random.Int64N(int64(200 * time.Millisecond))))
		if err := c.copyOnce(ctx, n, n == copies/2); err != nil {
			return err
		}
	}
	c.load.Shut()
	c.load.Settle()
	return nil
}

// copyOnce makes one copy, in which the server may be killed.
func (c *copyCutter) copyOnce(ctx context.Context, n int, kill bool) error {
	one := recordedCopy{dir: filepath.Join(c.dir, "copy-"+strconv.Itoa(n)), log: filepath.Join(c.dir, fmt.Sprintf("copy-%d.log", n))}
	if err := os.Mkdir(one.dir, 0o700); err != nil {
		return err
	}
	file := filepath.Join(one.dir, copyName)
	admin, err := adminOf(c.server)
	if err != nil {
		return err
	}
	client := exec.CommandContext(ctx, c.torture.server, "backup", "--admin="+admin, file)
	var said bytes.Buffer
	client.Stdout, client.Stderr = &said, &said
	client.Env = append(withoutSettings(os.Environ()),
		"LD_PRELOAD="+c.library, "TORTURE_DATA="+one.dir, "TORTURE_LOG="+one.log, "TORTURE_FAULTS="+filepath.Join(c.dir, "faults"))
	if n%4 == 1 { // as on a file system without links
		if err := c.faults.Arm(powercut.Fault{Kind: powercut.Link, Error: syscall.EPERM, Times: powercut.Always}); err != nil {
			return err
		}
		defer c.faults.Disarm()
	}
	client.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	one.before, one.from = c.load.History.Now(), c.length()
	if err := client.Start(); err != nil {
		return err
	}
	if kill {
		for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
			if _, err := os.Stat(filepath.Join(c.data, temporaryCopy)); err == nil {
				break
			}
		}
		c.server.kill()
	}
	failure := client.Wait()
	one.after, one.to = c.load.History.Now(), c.length()
	if kill {
		c.load.Shut()
		c.load.Settle()
		if err := c.start(); err != nil {
			return err
		}
	}
	one.data, err = os.ReadFile(file)
	switch {
	case failure == nil && err != nil:
		return err
	case failure != nil && !errors.Is(err, fs.ErrNotExist):
		c.violated("%s: a backup failed and its copy is there: %v: %s", c.name, failure, said.String())
	case failure != nil && !kill:
		c.violated("%s: a backup failed: %v: %s", c.name, failure, said.String())
	}
	c.recorded = append(c.recorded, one)
	return nil
}

// choose chooses the records after which the power is cut: most while a copy is
// made, some of them when it is nearly whole, and some at any time.
func (c *copyCutter) choose(random *rand.Rand, records []powercut.Record, cuts int) (at []int, kinds string) {
	var during, late []int
	temporary := make(map[uint64]bool)
	for i := range records {
		r := &records[i]
		if r.Kind == powercut.Create {
			temporary[r.File] = r.Path == temporaryCopy
		}
		if slices.ContainsFunc(c.recorded, func(one recordedCopy) bool { return one.from < r.End && r.End <= one.to }) {
			during = append(during, i)
		}
		if r.Kind == powercut.Unlink && r.Path == temporaryCopy {
			late = append(late, i-1) // until here it has its name
			for j := i - 1; j > max(0, i-10); j-- {
				if temporary[records[j].File] {
					late = append(late, j)
				}
			}
		}
	}
	middle, end := 0, 0
	for range cuts {
		switch n := random.IntN(10); {
		case n < 5 && len(during) > 0:
			at = append(at, during[random.IntN(len(during))])
			middle++
		case n < 8 && len(late) > 0:
			at = append(at, late[random.IntN(len(late))])
			end++
		default:
			at = append(at, random.IntN(len(records)))
		}
	}
	slices.Sort(at)
	return at, fmt.Sprintf("%d while a copy was made, %d when one was nearly whole", middle, end)
}

// judgeUnfinished judges the copy that a cut at this length of the log has left
// in a data folder: it is refused, or whole.
func (c *copyCutter) judgeUnfinished(ctx context.Context, length int64, dir string) error {
	file := filepath.Join(dir, temporaryCopy)
	if _, err := os.Stat(file); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return err
	}
	restored := filepath.Join(c.dir, "restored")
	if c.refused(ctx, file, restored) {
		c.images["refused copies in the data folder"]++
		return nil
	}
	c.images["whole copies in the data folder"]++
	found, err := contents.Of(ctx, restored)
	if err != nil {
		return fmt.Errorf("%s is taken for whole: %w", file, err)
	}
	if text := takeBallast(found, c.ballast); text != "" {
		return fmt.Errorf("%s is taken for whole and %s", file, text)
	}
	// It may be an earlier one: that its name was removed is not durable at once.
	var all []history.Violation
	for _, one := range c.recorded {
		if one.from <= length {
			h := c.load.History.Until(one.before, one.after)
			h.AddState(history.State{At: one.after, Contents: found.Messages})
			if all = h.Check(); len(all) == 0 {
				return nil
			}
		}
	}
	return fmt.Errorf("%s is taken for whole: %v", file, all)
}

// refused reports whether check and restore refuse a file; both must, or
// neither.
func (c *copyCutter) refused(ctx context.Context, file, restored string) bool {
	_ = os.RemoveAll(restored) // what cannot be removed lets the restore fail, which shows
	var failures []error
	for _, args := range [][]string{{"check", file}, {"restore", file, "--data=" + restored}} {
		cmd := exec.CommandContext(ctx, c.torture.server, args...)
		cmd.Env = withoutSettings(os.Environ())
		if out, err := cmd.CombinedOutput(); err != nil {
			failures = append(failures, fmt.Errorf("%v: %w: %s", args, err, out))
		}
	}
	if len(failures) == 1 && ctx.Err() == nil {
		c.violated("%s: of check and restore only one refuses %s: %v", c.name, file, failures)
	}
	return len(failures) > 0
}

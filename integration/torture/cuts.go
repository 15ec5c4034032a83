//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"queues/integration/torture/contents"
	"queues/integration/torture/history"
	"queues/integration/torture/powercut"
)

// cutAll cuts the power after chosen records of a recording.
func (r *recording) cutAll(ctx context.Context, random *rand.Rand, records []powercut.Record, at []int, kinds string) error {
	w := powercut.NewWorld()
	next, opened, whole, lossy, broken := 0, 0, 0, 0, 0
	firstLoss := ""
	for i := range records {
		if err := w.Apply(&records[i]); err != nil {
			return err
		}
		for ; next < len(at) && at[next] == i; next++ {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			s := powercut.NewSurvival(random)
			dir := filepath.Join(r.dir, fmt.Sprintf("image-%d", next))
			image := w.Image(s)
			if err := image.Write(dir); err != nil {
				return err
			}
			found, err := r.judge(ctx, records[i].End, dir)
			where := fmt.Sprintf("%s: cut %d after record %d of %d, %v", r.name, next, i, len(records), s)
			switch {
			case err != nil:
				broken++
				if r.sync != "off" {
					r.keep(image)
					r.violated("%s: %v", where, err)
				}
			case len(found) > 0:
				opened++
				lossy++
				firstLoss = found[0].String()
				if r.sync == "full" {
					r.keep(image)
					r.violated("%s: %v (%d violations)", where, found[0], len(found))
				}
			default:
				opened++
				whole++
			}
			if r.broken() && r.sync == "full" {
				return keepHistory(r.load.History, r.dir)
			}
			if err := os.RemoveAll(dir); err != nil {
				return err
			}
		}
	}
	r.say("%s: %d records, %.1f MB, %d events; %d cuts (%s)", r.name, len(records), float64(r.length())/1e6, r.load.History.Len(), len(at), kinds)
	r.say("%s: of %d images %d opened and passed the check, %d kept all that was answered, %d lost some, %d were broken",
		r.name, len(at), opened, whole, lossy, broken)
	if r.sync != "full" {
		if lossy+broken == 0 && len(at) >= 40 {
			r.violated("power: sync=%s loses nothing: the cuts prove nothing", r.sync)
		} else if firstLoss != "" {
			r.say("power: sync=%s: such as %s", r.sync, firstLoss)
		}
	}
	return os.Remove(r.log)
}

// choose chooses the records after which the power is cut: a part anywhere, a
// part in the first creation of everything, a part around the syncs of the
// database itself, which are in checkpoints, and a part after failed syncs.
func choose(random *rand.Rand, records []powercut.Record, ready int64, cuts int) (at []int, kinds string) {
	db := make(map[uint64]bool)
	var checkpoints []int
	// risky are the records from a failed sync on.
	var risky []int
	failed := -1
	first := 0
	for i := range records {
		r := &records[i]
		if r.Kind == powercut.Create || r.Kind == powercut.Open {
			db[r.File] = strings.HasSuffix(r.Path, ".db")
		}
		if r.End <= ready {
			first = i + 1
		}
		if r.Kind == powercut.SyncEnd && r.Result != 0 {
			failed = i
		}
		if failed >= 0 && i-failed < 300 {
			risky = append(risky, i)
		}
		if r.Kind == powercut.SyncBegin && db[r.File] || r.Kind == powercut.Write && db[r.File] {
			checkpoints = append(checkpoints, i)
		}
	}
	early, middle, after := 0, 0, 0
	for range cuts {
		switch n := random.IntN(10); {
		case n < 2 && first > 0:
			at = append(at, random.IntN(first))
			early++
		case n < 5 && len(checkpoints) > 0:
			i := checkpoints[random.IntN(len(checkpoints))] + random.IntN(3)
			at = append(at, min(i, len(records)-1))
			middle++
		case n < 7 && len(risky) > 0:
			at = append(at, risky[random.IntN(len(risky))])
			after++
		default:
			at = append(at, random.IntN(len(records)))
		}
	}
	slices.Sort(at)
	return at, fmt.Sprintf("%d in the first creation, %d in checkpoints, %d soon after a failed sync", early, middle, after)
}

// judge looks into an image of a cut at this length of the log: an error when
// it cannot be used, and else what was violated.
func (r *recording) judge(ctx context.Context, length int64, dir string) ([]history.Violation, error) {
	if r.unfinished != nil {
		if err := r.unfinished(ctx, length, dir); err != nil {
			return nil, err
		}
	}
	found, err := contents.Of(ctx, dir)
	if err != nil {
		return nil, err
	}
	if length < r.ready {
		return nil, nil // nobody was told anything yet
	}
	if text := takeBallast(found, r.ballast); text != "" {
		return nil, errors.New(text)
	}
	answered, begun := r.moment(length)
	h := r.load.History.Until(answered, begun)
	h.AddState(history.State{At: begun, Contents: found.Messages})
	return h.Check(), nil
}

// moment gives when the log had this length: all that was answered by the first
// is in it, and nothing that began after the second.
func (r *recording) moment(length int64) (answered, begun time.Duration) {
	begun = r.load.History.Now()
	for _, s := range r.samples {
		if s.length <= length {
			answered = max(answered, s.before)
		}
		if s.length >= length {
			begun = min(begun, s.after)
		}
	}
	return min(answered, begun), begun
}

// keep keeps an image for the evidence; looking into it has changed the first.
func (r *recording) keep(image powercut.Image) {
	if err := image.Write(filepath.Join(r.dir, "evidence")); err != nil {
		r.say("power: the evidence cannot be kept: %v", err)
	}
}

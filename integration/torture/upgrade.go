//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"queues/integration/torture/contents"
	"queues/integration/torture/powercut"
)

// upgrader starts servers on the data of older schemas.
type upgrader struct {
	*torture
	dir, library string
	// killed counts the starts that were killed before they served, images the
	// states that were looked into, at so many records.
	killed, images, records int
}

// upgrade is the part of that name.
func upgrade(ctx context.Context, t *torture) error {
	library, err := powercut.Build(ctx, t.dir)
	if err != nil {
		return err
	}
	files, err := schemas(ctx)
	if err != nil {
		return err
	}
	u := &upgrader{torture: t, dir: filepath.Join(t.dir, "upgrade"), library: library}
	for i, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.Base(file), ".db")
		// What the tests keep is small, and each call to the system is tried; much
		// data takes many, of which some are.
		rounds, moments := 25, beyond
		if u.Short {
			rounds, moments = 5, 40
		}
		if err := u.upgradeOne(ctx, name, data, rounds, moments); err != nil || t.broken() {
			return err // of what is broken the folder is the evidence
		}
		if i == len(files)-1 {
			break // of the newest nothing is migrated
		}
		if data, err = u.grow(ctx, data); err != nil {
			return err
		}
		if rounds, moments = 5, 150; u.Short {
			rounds, moments = 1, 3
		}
		if err := u.upgradeOne(ctx, name+" grown", data, rounds, moments); err != nil || t.broken() {
			return err
		}
	}
	t.say("upgrade: %d schemas, the older ones small and large; %d starts killed before they served; %d states that a kill or a power cut may leave, at %d moments",
		len(files), u.killed, u.images, u.records)
	return ctx.Err()
}

// upgradeOne kills and cuts the first starts on one database.
func (u *upgrader) upgradeOne(ctx context.Context, name string, data []byte, rounds, moments int) error {
	want, err := u.whole(ctx, data)
	if err != nil {
		return fmt.Errorf("%s as it is: %w", name, err)
	}
	if err := u.killStarts(ctx, name, data, want, rounds); err != nil || u.broken() {
		return err
	}
	before := u.images
	length, err := u.cutMigration(ctx, name, data, want, moments)
	u.say("upgrade: %s: %d messages, %d records of its migration, %d states of it", name, len(want), length, u.images-before)
	return err
}

// schemas are the databases of all schema versions, which the store's own tests
// keep.
func schemas(ctx context.Context) ([]string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-f", "{{.Dir}}", "queues/engine/sqlite").Output()
	if err != nil {
		return nil, fmt.Errorf("cannot find the sources: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "testdata", "schema-*.db"))
	if err == nil && len(files) == 0 {
		err = errors.New("there is no data of older schemas")
	}
	return files, err
}

// place makes a data folder of a database.
func (u *upgrader) place(name string, data []byte) (string, error) {
	dir := filepath.Join(u.dir, name)
	err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700))
	return dir, errors.Join(err, os.WriteFile(filepath.Join(dir, "queues.db"), data, 0o600))
}

// whole gives what a database holds.
func (u *upgrader) whole(ctx context.Context, data []byte) (map[string]int, error) {
	dir, err := u.place("whole", data)
	if err != nil {
		return nil, err
	}
	found, err := contents.Of(ctx, dir)
	if err == nil && found.Total == 0 {
		err = errors.New("it holds nothing")
	}
	return tally(found), err
}

// tally counts the messages by their queue, group and body. Two queues that a
// move task is between count as one.
func tally(found contents.Found) map[string]int {
	count := make(map[string]int)
	for queue, stored := range found.Messages {
		if queue == "target" {
			queue = "letters"
		}
		for _, one := range stored {
			count[fmt.Sprintf("%s of %q in %s", one.Key, one.Group, queue)]++
		}
	}
	return count
}

// difference says what is in one of two tallies and not in the other.
func difference(want, got map[string]int) string {
	var words []string
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if got[key] != want[key] {
			words = append(words, fmt.Sprintf("%s: %d, want %d", key, got[key], want[key]))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(got)) {
		if want[key] == 0 {
			words = append(words, fmt.Sprintf("%s: %d, want none", key, got[key]))
		}
	}
	return strings.Join(words, "; ")
}

// judge looks into a folder, which it uses up.
func (u *upgrader) judge(ctx context.Context, where, dir string, want map[string]int) {
	found, err := contents.Of(ctx, dir)
	if err != nil {
		u.violated("upgrade: %s: %v", where, err)
	} else if d := difference(want, tally(found)); d != "" {
		u.violated("upgrade: %s: %s", where, d)
	}
}

// killStarts kills the real server in its first starts on old data, several
// times in a row, and then lets it serve.
func (u *upgrader) killStarts(ctx context.Context, name string, data []byte, want map[string]int, rounds int) error {
	usual := 30 * time.Millisecond
	for round := range rounds {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		dir, err := u.place("killed", data)
		if err != nil {
			return err
		}
		for range 1 + u.random.IntN(4) {
			s, err := startServer(u.torture.server, dir, nil)
			if err != nil {
				return err
			}
			time.Sleep(time.Duration(u.random.Int64N(int64(usual) + 1)))
			s.kill()
			select {
			case <-s.ready:
			default:
				u.killed++
			}
		}
		s, err := startServer(u.torture.server, dir, nil)
		if err != nil {
			return err
		}
		if err := s.await(); err != nil {
			u.violated("upgrade: %s, round %d: %v", name, round, err)
			return nil
		}
		usual = time.Since(s.begun)
		if err := s.stop(); err != nil {
			u.violated("upgrade: %s, round %d: %v", name, round, err)
			return nil
		}
		copied := filepath.Join(u.dir, "copy")
		if err := errors.Join(os.RemoveAll(copied), contents.Copy(dir, copied)); err != nil {
			return err
		}
		u.judge(ctx, fmt.Sprintf("%s killed in its first starts, round %d", name, round), copied, want)
	}
	return nil
}

// cutMigration records the first start on old data, and looks into every state
// that a kill may have left, or some with the same distance, and into as many
// that a cut of the power may have. It tells how many records there are.
func (u *upgrader) cutMigration(ctx context.Context, name string, data []byte, want map[string]int, moments int) (length int, err error) {
	dir, err := u.place("recorded", data)
	if err != nil {
		return 0, err
	}
	log := filepath.Join(u.dir, "log")
	if err := os.RemoveAll(log); err != nil {
		return 0, err
	}
	info, err := os.Stat(filepath.Join(dir, "queues.db"))
	if err != nil {
		return 0, err
	}
	s, err := startServer(u.torture.server, dir, []string{"LD_PRELOAD=" + u.library, "TORTURE_DATA=" + dir, "TORTURE_LOG=" + log})
	if err != nil {
		return 0, err
	}
	err = s.await()
	s.kill()
	if err != nil {
		return 0, err
	}
	records, err := powercut.Read(log)
	if err != nil {
		return 0, err
	}
	w := powercut.NewWorld()
	w.Place("queues.db", info.Sys().(*syscall.Stat_t).Ino, data)
	length = len(records)
	every := 1 + len(records)/moments
	for i := range records {
		if err := w.Apply(&records[i]); err != nil {
			return 0, err
		}
		if i%every != 0 && i != len(records)-1 {
			continue
		}
		u.records++
		// A kill leaves all that was written; a power cut may leave less.
		kill := &powercut.Survival{Mode: "all", Random: u.random}
		for _, survival := range []*powercut.Survival{kill, powercut.NewSurvival(u.random)} {
			if ctx.Err() != nil {
				return length, ctx.Err()
			}
			image := filepath.Join(u.dir, "image")
			if err := errors.Join(os.RemoveAll(image), w.Image(survival).Write(image)); err != nil {
				return 0, err
			}
			u.images++
			u.judge(ctx, fmt.Sprintf("%s after record %d of %d of its migration, %v", name, i, len(records), survival), image, want)
			if u.broken() {
				return length, nil
			}
		}
	}
	return length, nil
}

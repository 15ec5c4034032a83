//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"queues/integration/torture/powercut"
)

// cutClient kills the client of a backup, and cuts its power, after each record
// of what it did: a copy that has its name is whole and durable, one that was
// answered for has its name, and one that is not whole is refused.
func (c *copyCutter) cutClient(ctx context.Context, random *rand.Rand, one *recordedCopy, records []powercut.Record) error {
	w := powercut.NewWorld()
	look := 1 + len(records)/8
	if c.Short {
		look = 1 + len(records)/3
	}
	for i := range records {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := w.Apply(&records[i]); err != nil {
			return err
		}
		answered := one.data != nil && i == len(records)-1
		kill := &powercut.Survival{Mode: "all", Random: random}
		for _, s := range []*powercut.Survival{kill, powercut.NewSurvival(random)} {
			image := w.Image(s)
			where := fmt.Sprintf("%s: the client, after record %d of %d, %v", c.name, i+1, len(records), s)
			if text := judgeCopy(image, one.data, answered); text != "" {
				c.violated("%s: %s", where, text)
				return image.Write(filepath.Join(c.dir, "evidence"))
			}
			c.images["states of a client's folder"]++
			near := one.data != nil && len(records)-i < 10
			name, taken := image[copyName]
			if i%look == 0 || near && !c.Short || taken && len(name) == 0 {
				if err := c.judgePartial(ctx, where, image, one.data); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// judgeCopy says what is wrong with the copy in an image: it must be there once
// it was answered for, and be what was made.
func judgeCopy(image powercut.Image, made []byte, answered bool) string {
	b, there := image[copyName]
	switch {
	case answered && !there:
		return "a copy that was answered for is gone"
	case there && made == nil:
		return "there is a copy, though the backup failed"
	case there && len(b) == 0 && !answered:
		// Where there are no links, the name is taken before the copy is moved onto
		// it. An empty file is no copy to anybody.
	case there && !bytes.Equal(b, made):
		return fmt.Sprintf("the copy is not whole: %d bytes, want %d", len(b), len(made))
	}
	return ""
}

// judgePartial judges what a client has left that is not a copy by its name, and
// the name alone: it must be refused, even if it is whole, since nobody knows.
func (c *copyCutter) judgePartial(ctx context.Context, where string, image powercut.Image, made []byte) error {
	for name, b := range image {
		if made != nil && bytes.Equal(b, made) && name == copyName {
			continue
		}
		dir := filepath.Join(c.dir, "partial")
		if err := errors.Join(os.RemoveAll(dir), powercut.Image{name: b}.Write(dir)); err != nil {
			return err
		}
		if !c.refused(ctx, filepath.Join(dir, name), filepath.Join(c.dir, "restored")) {
			c.violated("%s: %s is not finished (%d bytes of %d) and is taken for a copy", where, name, len(b), len(made))
			return nil
		}
		c.images["refused parts of a copy"]++
	}
	return nil
}

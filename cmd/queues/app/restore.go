package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"queues/engine"
	"queues/engine/sqlite"
)

// checkCommand looks for damage.
type checkCommand struct {
	Path string `arg:"" name:"file-or-folder" help:"A copy, or the data folder of a server that is stopped."`
}

func (c checkCommand) run(ctx context.Context, stdout, _ io.Writer) error {
	info, err := os.Stat(c.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist", c.Path)
	case err != nil:
		return err
	}
	check, path := sqlite.CheckFile, c.Path
	if dir, ok := dataFolderOf(c.Path, info); ok {
		check, path = sqlite.Check, dir
	}
	if err := check(ctx, path); err != nil {
		return fmt.Errorf("%s: %w", c.Path, err)
	}
	_, err = fmt.Fprintf(stdout, "%s: nothing wrong was found\n", c.Path)
	return err
}

// dataFolderOf gives the data folder that a path means: itself, or that of the
// file in it, which a server may have open.
func dataFolderOf(path string, info fs.FileInfo) (dir string, ok bool) {
	if info.IsDir() {
		return path, true
	}
	dir = filepath.Dir(path)
	own, err := os.Stat(filepath.Join(dir, sqlite.DataName))
	if err != nil || !os.SameFile(own, info) {
		return "", false
	}
	_, err = os.Stat(filepath.Join(dir, sqlite.LockName))
	return dir, err == nil
}

// restoreCommand makes a data folder of a copy.
type restoreCommand struct {
	File string `arg:"" name:"file" help:"The copy, as \"queues backup\" made it."`
	Data string `env:"QUEUES_DATA" default:"data" placeholder:"DIR" help:"Data folder to make (./${default}). One that has data is refused."`
}

func (c restoreCommand) run(ctx context.Context, stdout, stderr io.Writer) error {
	log := newLog(Config{LogLevel: "info", LogFormat: "text"}, stderr)
	o := sqlite.Options{Dir: c.Data, Clock: engine.NewSystemClock(), Log: log}
	if err := sqlite.Restore(ctx, c.File, o); err != nil {
		return err
	}
	_, err := fmt.Fprintf(stdout, "%s is restored into %s: start the server with --data %s\n", c.File, c.Data, c.Data)
	return err
}

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

// Help is told below the usage.
func (checkCommand) Help() string {
	return "Exit status: 0, nothing wrong was found; 1, it is damaged or not whole; 2, the command line is wrong; " +
		"3, it could not be looked at: it is in use, is not there, or may not be read."
}

func (c checkCommand) validate() error {
	return require(c.Path != "", "the name of the file or folder is empty: give one")
}

func (c checkCommand) run(ctx context.Context, stdout, _ io.Writer) error {
	info, err := os.Stat(c.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return notLooked(fmt.Errorf("%s does not exist", c.Path))
	case err != nil:
		return notLooked(err)
	}
	check, path := sqlite.CheckFile, c.Path
	dir, folder := dataFolderOf(c.Path, info)
	if folder {
		check, path = sqlite.Check, dir
		if untouched(dir) {
			return notLooked(fmt.Errorf("there is no data in %s", dir))
		}
	}
	if err := check(ctx, path); err != nil {
		return verdict(path, folder, err)
	}
	_, err = fmt.Fprintf(stdout, "%s: nothing wrong was found\n", c.Path)
	return err
}

// untouched reports whether a folder has nothing that a server leaves in it.
func untouched(dir string) bool {
	for _, name := range []string{sqlite.DataName, sqlite.LockName} {
		if _, err := os.Lstat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
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

func (c restoreCommand) validate() error {
	return errors.Join(
		require(c.File != "", "the name of the copy is empty: give one"),
		require(c.Data != "", "--data: the name of the folder is empty: give one, or leave the flag out for ./data"))
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

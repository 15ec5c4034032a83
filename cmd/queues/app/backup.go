package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"queues/engine/sqlite"
	"queues/gateway/admin"
)

// backupStall is how long a transfer may stand still.
const backupStall = time.Minute

// maxRefusal bounds what is read of an answer that is no copy.
const maxRefusal = 64 << 10

// backupCommand copies the data of a running server.
type backupCommand struct {
	Admin string `env:"QUEUES_ADMIN" default:"127.0.0.1:9325" placeholder:"HOST:PORT" help:"Admin port of the server (${default})."`
	To    string `arg:"" name:"file" help:"File to make, or a folder, where it gets a name with the time; a folder that is not there is made if its name ends in a slash. What is there is never overwritten."`
}

func (c backupCommand) validate() error {
	if c.Admin == off {
		return errors.New("--admin: the admin port is off, and a backup comes through it: give the address of one that is on")
	}
	_, _, err := net.SplitHostPort(c.Admin)
	return errors.Join(
		require(err == nil, "--admin: %q is not an address: write HOST:PORT, such as 127.0.0.1:9325", c.Admin),
		require(c.To != "", "the name of the file is empty: give one, or a folder"))
}

func (c backupCommand) run(ctx context.Context, stdout, stderr io.Writer) (err error) {
	if strings.HasSuffix(c.To, string(filepath.Separator)) {
		made, e := makeFolder(c.To)
		if e != nil {
			return e
		}
		defer func() {
			if err != nil && made {
				err = errors.Join(err, os.Remove(c.To)) // it is empty
			}
		}()
	}
	path, err := c.destination(time.Now())
	if err != nil {
		return err
	}
	begun := time.Now()
	size, err := c.fetch(ctx, path, stderr)
	if err != nil {
		return err
	}
	took := time.Since(begun)
	_, err = fmt.Fprintf(stdout, "%s: %s in %s, %s/s\n", path, megabytes(size), took.Round(time.Millisecond), megabytes(rate(size, took)))
	return err
}

// makeFolder makes a folder for this user alone, unless it is there.
func makeFolder(path string) (made bool, err error) {
	err = os.Mkdir(path, 0o700)
	if info, e := os.Stat(path); err != nil && e == nil && info.IsDir() {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("the folder %s cannot be made: check what is above it: %w", path, err)
	}
	return true, nil
}

// destination is the file to make.
func (c backupCommand) destination(now time.Time) (string, error) {
	path := c.To
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		path = filepath.Join(path, "queues-"+now.UTC().Format("20060102T150405.000Z")+".db")
		_, err = os.Lstat(path)
	}
	switch {
	case err == nil:
		return "", fmt.Errorf("%s exists already and is not overwritten: give another name", path)
	case !errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("%s cannot be made: %w", path, err)
	}
	return path, nil
}

// fetch gets a copy from the server into a file. The name appears once the copy
// is whole and on disk.
func (c backupCommand) fetch(ctx context.Context, path string, stderr io.Writer) (size int64, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	file, err := os.CreateTemp(filepath.Dir(path), sqlite.PartialCopy)
	if err != nil {
		return 0, fmt.Errorf("%s cannot be made: check that this user may write there: %w", path, err)
	}
	defer func() { err = errors.Join(err, os.Remove(file.Name())) }()
	defer func() { _ = file.Close() }()

	_, _ = fmt.Fprintf(stderr, "waiting for the copy that the server at %s makes\n", c.Admin)
	resp, err := c.ask(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { _ = resp.Body.Close() }()
	if size, err = strconv.ParseInt(resp.Header.Get(admin.BackupSize), 10, 64); err != nil {
		return 0, fmt.Errorf("%s does not answer like this version's admin port", c.Admin)
	}
	stall := time.AfterFunc(backupStall, func() {
		cancel(fmt.Errorf("nothing came from %s for %s", c.Admin, backupStall))
	})
	defer stall.Stop()
	hash, shown := sha256.New(), newProgress(stderr, size)
	n, err := io.Copy(io.MultiWriter(file, hash, shown, alive(func() { stall.Reset(backupStall) })), resp.Body)
	shown.clear()
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return 0, fmt.Errorf("the backup was cut off after %s of %s, and nothing is kept of it: %w", megabytes(n), megabytes(size), err)
	}
	if want := resp.Trailer.Get(admin.BackupSHA256); n != size || want != hex.EncodeToString(hash.Sum(nil)) {
		return 0, fmt.Errorf("the copy did not arrive as it was sent (%d of %d bytes), and nothing is kept of it: try again", n, size)
	}
	if err := file.Sync(); err != nil {
		return 0, err
	}
	return size, place(file.Name(), path)
}

// ask asks the server for a copy.
func (c backupCommand) ask(ctx context.Context) (*http.Response, error) {
	// No proxy of the environment: the admin port is this machine's.
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DisableCompression: true}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+reachable(c.Admin)+admin.BackupPath, nil)
	if err != nil {
		return nil, fmt.Errorf("--admin: %q: %w", c.Admin, err)
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("no server answers at %s: give its --admin address: %w", c.Admin, err)
	}
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	defer func() { _ = resp.Body.Close() }()
	var refusal struct{ Reason string }
	err = json.NewDecoder(io.LimitReader(resp.Body, maxRefusal)).Decode(&refusal)
	if err != nil || refusal.Reason == "" {
		return nil, fmt.Errorf("what answers at %s is no admin port of this version: it says %s", c.Admin, resp.Status)
	}
	return nil, fmt.Errorf("the server at %s made no backup: %s", c.Admin, refusal.Reason)
}

// place gives a finished file its name, which must be free, and makes the name
// durable.
func place(from, path string) error {
	// A link fails where a rename would overwrite; from goes by itself.
	if err := os.Link(from, path); err != nil {
		if _, there := os.Lstat(path); there == nil {
			return fmt.Errorf("%s exists by now and is not overwritten: give another name", path)
		}
		// Not every file system has links.
		if err := copyName(from, path); err != nil {
			return err
		}
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// copyName takes the name and moves the file onto it.
func copyName(from, path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	if err := os.Rename(from, path); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	// The caller removes what it made, so it must be there.
	return os.WriteFile(from, nil, 0o600)
}

// alive is a writer that only tells that something was written.
type alive func()

func (a alive) Write(b []byte) (int, error) { a(); return len(b), nil }

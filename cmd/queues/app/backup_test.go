package app

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"queues/gateway/admin"
)

// execute runs the program as a command line would, and gives its exit code and
// what it wrote.
func execute(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Execute(t.Context(), args, &out, &errs)
	return code, out.String(), errs.String()
}

// wantExit fails the test unless the program ends so and tells that.
func wantExit(t *testing.T, want int, text string, args ...string) {
	t.Helper()
	if code, stdout, stderr := execute(t, args...); code != want || !strings.Contains(stdout+stderr, text) {
		t.Errorf("%v: exit %d, want %d and %q:\n%s%s", args, code, want, text, stdout, stderr)
	}
}

// A copy is made while the server serves, is whole, and serves where it is
// restored. Nothing is ever overwritten.
func TestBackupCheckRestore(t *testing.T) {
	t.Parallel()
	c := onFreePorts(t)
	r := run(t, c)
	r.want(t, "CreateQueue", `{"QueueName":"jobs"}`, 200, "")
	r.want(t, "SendMessage", `{"QueueUrl":"jobs","MessageBody":"kept"}`, 200, "")
	dir := t.TempDir()
	file := filepath.Join(dir, "copy.db")
	wantExit(t, 0, "copy.db: ", "backup", "--admin", r.AdminAddr(), file)
	wantExit(t, 1, "not overwritten", "backup", "--admin", r.AdminAddr(), file)
	r.want(t, "SendMessage", `{"QueueUrl":"jobs","MessageBody":"too late"}`, 200, "")
	wantExit(t, 0, "queues-2", "backup", "--admin", r.AdminAddr(), dir)
	wantExit(t, 0, "queues-2", "backup", "--admin", r.AdminAddr(), dir) // within the same second
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("the folder has %v, %v, want three copies", entries, err)
	}
	made := filepath.Join(dir, "made")
	wantExit(t, 0, made+"/queues-2", "backup", "--admin", r.AdminAddr(), made+"/")
	if info, err := os.Stat(made); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is %v, %v", info, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy has mode %v, %v", info.Mode(), err)
	}

	wantExit(t, 0, "nothing wrong", "check", file)
	wantExit(t, 3, "in use", "check", c.Data)
	wantExit(t, 3, "in use", "check", filepath.Join(c.Data, "queues.db"))
	wantExit(t, 1, "in use", "restore", file, "--data", c.Data)
	if err := r.end(t); err != nil {
		t.Fatalf("Run: %v", err)
	}
	wantExit(t, 0, "nothing wrong", "check", c.Data)
	wantExit(t, 1, "not overwritten", "restore", file, "--data", c.Data)

	c.Data = filepath.Join(t.TempDir(), "restored")
	wantExit(t, 0, "start the server", "restore", file, "--data", c.Data)
	wantExit(t, 0, "nothing wrong", "check", c.Data)
	second := run(t, c)
	second.want(t, "ReceiveMessage", `{"QueueUrl":"jobs","MaxNumberOfMessages":10}`, 200, `"Body":"kept"`)
	second.want(t, "ReceiveMessage", `{"QueueUrl":"jobs"}`, 200, `{}`)
}

// A backup that fails says why, and leaves nothing.
func TestBackupCutOff(t *testing.T) {
	t.Parallel()
	const nobody = "127.0.0.1:1" // a port that is given away again could be anybody's
	for name, test := range map[string]struct {
		serve http.HandlerFunc
		want  string
	}{
		"NotOurs": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, "no admin port of this version"},
		"NoCopy": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(503)
			w.Write([]byte(`{"status":"unavailable","reason":"the disk has no room"}`))
		}, "the disk has no room"},
		"CutOff": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(admin.BackupSize, "1000")
			w.Write(make([]byte, 100))
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, "cut off after"},
		"TooShort": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(admin.BackupSize, "1000")
			w.Write(make([]byte, 100))
		}, "did not arrive as it was sent"},
		"Altered": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(admin.BackupSize, strconv.Itoa(100))
			w.Header().Set("Trailer", admin.BackupSHA256)
			w.Write(make([]byte, 100))
			w.Header().Set(admin.BackupSHA256, strings.Repeat("0", 64))
		}, "did not arrive as it was sent"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			s := &http.Server{Handler: test.serve}
			done := make(chan error, 1)
			go func() { done <- s.Serve(l) }()
			dir := t.TempDir()
			wantExit(t, 1, test.want, "backup", "--admin", l.Addr().String(), filepath.Join(dir, "copy.db"))
			if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
				t.Errorf("%v, %v are left", entries, err)
			}
			s.Close()
			if err := <-done; !errors.Is(err, http.ErrServerClosed) {
				t.Error(err)
			}
		})
	}
	none := filepath.Join(t.TempDir(), "none")
	wantExit(t, 1, "no server answers", "backup", "--admin", nobody, none+"/")
	if _, err := os.Stat(none); !os.IsNotExist(err) {
		t.Errorf("the folder that was made is left: %v", err)
	}
	wantExit(t, 1, "the folder "+none+"/in/ cannot be made", "backup", "--admin", nobody, none+"/in/")
	wantExit(t, 2, "is empty", "backup", "")
	wantExit(t, 1, "no server answers", "backup", "--admin", nobody, t.TempDir())
	wantExit(t, 2, "admin port is off", "backup", "--admin", "off", t.TempDir())
	wantExit(t, 2, "not an address", "backup", "--admin", "nowhere", t.TempDir())
	wantExit(t, 1, "cannot be made", "backup", "--admin", nobody, filepath.Join(t.TempDir(), "none", "copy.db"))
}

// Whoever interrupts a backup is left with nothing, and the server with no
// traces.
func TestBackupInterrupted(t *testing.T) {
	t.Parallel()
	c := onFreePorts(t)
	r := run(t, c)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	var out bytes.Buffer
	if code := Execute(ctx, []string{"backup", "--admin", r.AdminAddr(), dir}, &out, &out); code != 1 {
		t.Errorf("exit %d: %s", code, out.String())
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v are left", entries, err)
	}
	wantExit(t, 0, "", "backup", "--admin", r.AdminAddr(), dir)
	if left, err := filepath.Glob(filepath.Join(c.Data, "*.tmp*")); err != nil || len(left) > 0 {
		t.Errorf("%v, %v are left", left, err)
	}
}

// Progress is shown where there is somebody, in lines where there is not.
func TestProgress(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := newProgress(&out, 4e6)
	p.pace, p.next = 0, p.begun
	p.Write(make([]byte, 1e6))
	if got := out.String(); !strings.HasPrefix(got, " 25 %, 1.0 MB of 4.0 MB, ") || !strings.HasSuffix(got, "/s\n") {
		t.Errorf("got %q", got)
	}
	out.Reset()
	p.terminal = true
	p.Write(make([]byte, 3e6))
	p.clear()
	if got := out.String(); !strings.Contains(got, "100 %, 4.0 MB of 4.0 MB") || strings.Contains(got, "\n") {
		t.Errorf("got %q", got)
	}
}

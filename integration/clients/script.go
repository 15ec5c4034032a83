package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// body is the text that goes through every client: what each has a way of its
// own to spoil.
const body = "one\r\ntwo\rthree\n\tfour \"five\" 'six' <&> &amp; ]]> %20+\\ / é 漢字 \u2028 🐙 end "

// script runs the script of a client to its end, and gives what it said, what
// else it wrote, and how it ended.
func (p *program) script(ctx context.Context, c client, home, work, url string) (account, []string, error) {
	place := func(s string) string {
		return os.Expand(s, func(name string) string {
			switch name {
			case "scripts":
				return p.scripts
			case "home":
				return home
			}
			return os.Getenv(name)
		})
	}
	argv := make([]string, len(c.run))
	for i, s := range c.run {
		argv[i] = place(s)
	}
	cmd := newCommand(ctx, argv...)
	cmd.Dir = work
	cmd.Env = append(clientEnv(), "QUEUES_ENDPOINT="+url, "QUEUES_BODY="+body, "AWS_ENDPOINT_URL="+url,
		"PYTHONPYCACHEPREFIX="+filepath.Join(home, "pycache"))
	for _, s := range c.env {
		cmd.Env = append(cmd.Env, place(s))
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	said := parse(&out)
	return said, append(lastLines(strings.Join(said.other, "\n"), 20), lastLines(errs.String(), 20)...), err
}

// clientEnv is the environment of a client: this program's, without anything
// that would lead an AWS client elsewhere, or make Python compile every time
// what it runs.
func clientEnv() []string {
	var env []string
	for _, s := range os.Environ() {
		name, _, _ := strings.Cut(s, "=")
		if !strings.HasPrefix(name, "AWS_") && !strings.HasPrefix(name, "QUEUES_") && !strings.EqualFold(name, "http_proxy") && name != "PYTHONDONTWRITEBYTECODE" {
			env = append(env, s)
		}
	}
	return append(env, "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test", "AWS_REGION=us-east-1", "AWS_DEFAULT_REGION=us-east-1",
		"AWS_EC2_METADATA_DISABLED=true", "AWS_CONFIG_FILE="+os.DevNull, "AWS_SHARED_CREDENTIALS_FILE="+os.DevNull, "AWS_PAGER=",
		"LC_ALL=C.UTF-8")
}

// newCommand makes a command that ends, with all that it started, when the
// context does.
func newCommand(ctx context.Context, argv ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// output runs a command in a folder and gives what it wrote. Its error has the
// end of that.
func output(ctx context.Context, dir string, argv ...string) (string, error) {
	cmd := newCommand(ctx, argv...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return string(out), fmt.Errorf("%s %s: %w: %s", filepath.Base(argv[0]), argv[1], err, strings.Join(lastLines(string(out), 3), " | "))
	}
	return string(out), nil
}

// lastLines gives at most n lines of the end of a text.
func lastLines(text string, n int) []string {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	return lines[max(0, len(lines)-n):]
}

// missing tells whether a program is not on this machine.
func missing(program string) bool {
	_, err := exec.LookPath(program)
	return errors.Is(err, exec.ErrNotFound)
}

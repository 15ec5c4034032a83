//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// installer puts servers of others into a folder outside the tree, where a next
// run finds them.
type installer struct {
	cache    string
	progress io.Writer
}

// installTimeout bounds one installation.
const installTimeout = 5 * time.Minute

// installed makes a folder of that name full, unless it is so already, and
// gives its path. What failed halfway is made anew.
func (in *installer) installed(ctx context.Context, name string, fill func(ctx context.Context, dir string) error) (string, error) {
	dir := filepath.Join(in.cache, name)
	mark := filepath.Join(dir, ".installed")
	if _, err := os.Stat(mark); err == nil {
		return dir, nil
	}
	_, _ = fmt.Fprintln(in.progress, "installing", name)
	ctx, cancel := context.WithTimeout(ctx, installTimeout)
	defer cancel()
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	if err := fill(ctx, dir); err != nil {
		return "", fmt.Errorf("cannot be installed: %w", err)
	}
	return dir, os.WriteFile(mark, nil, 0o644)
}

// command runs an installer's command in a folder.
func command(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	// It may start others, which must end with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	if said := lastLine(out); said != "" {
		err = fmt.Errorf("%w: %s", err, said)
	}
	return fmt.Errorf("%s %s: %w", name, args[0], err)
}

// lastLine is the last line of a command's output that says something.
func lastLine(out []byte) string {
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	last := lines[len(lines)-1]
	return string(bytes.TrimSpace(last[:min(len(last), 200)]))
}

// nodeVersion runs all of npm's servers: new enough for each, so that what the
// machine has does not matter.
const nodeVersion = "24.22.3"

// nodeArch are npm's names of machines.
var nodeArch = map[string]string{"amd64": "x64", "arm64": "arm64"}

// node gives the path of a Node.js that npm installs.
func (in *installer) node(ctx context.Context) (string, error) {
	arch := nodeArch[runtime.GOARCH]
	if arch == "" {
		return "", fmt.Errorf("npm has no Node.js for %s", runtime.GOARCH)
	}
	pkg := "node-linux-" + arch
	dir, err := in.npm(ctx, pkg, nodeVersion)
	return filepath.Join(dir, "node_modules", pkg, "bin", "node"), err
}

// npm installs a package of npm's and runs none of its scripts.
func (in *installer) npm(ctx context.Context, pkg, version string) (string, error) {
	return in.installed(ctx, pkg+"-"+version, func(ctx context.Context, dir string) error {
		if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private": true}`), 0o644); err != nil {
			return err
		}
		return command(ctx, dir, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--no-progress", pkg+"@"+version)
	})
}

// npmServer prepares a server that a script starts under Node.js.
func npmServer(pkg, version, script string, keepsData bool) func(context.Context, *installer) (recipe, error) {
	return func(ctx context.Context, in *installer) (recipe, error) {
		node, err := in.node(ctx)
		if err != nil {
			return recipe{}, fmt.Errorf("node: %w", err)
		}
		home, err := in.npm(ctx, pkg, version)
		if err != nil {
			return recipe{}, err
		}
		file := filepath.Join(home, "start.mjs")
		if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
			return recipe{}, err
		}
		return recipe{argv: func(port, dir string) ([]string, error) {
			argv := []string{node, file, port}
			if keepsData {
				argv = append(argv, dir)
			}
			return argv, nil
		}}, nil
	}
}

// goaws prepares a program over the packages of goaws: its own command listens
// on all interfaces and writes a line for each request.
func goaws(ctx context.Context, in *installer) (recipe, error) {
	home, err := in.installed(ctx, "goaws-"+goawsVersion, func(ctx context.Context, dir string) error {
		if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(goawsProgram), 0o644); err != nil {
			return err
		}
		get := []string{"get"}
		for _, pkg := range []string{"conf", "gosqs", "router"} {
			get = append(get, goawsModule+"/app/"+pkg+"@"+goawsVersion)
		}
		for _, args := range [][]string{{"mod", "init", "start"}, get, {"build", "-o", "goaws", "."}} {
			if err := command(ctx, dir, "go", args...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return recipe{}, err
	}
	return recipe{argv: func(port, dir string) ([]string, error) {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
		config := filepath.Join(dir, "goaws.yaml")
		return []string{filepath.Join(home, "goaws"), port, config}, os.WriteFile(config, fmt.Appendf(nil, goawsConfig, port), 0o644)
	}}, nil
}

// moto prepares the server that is on the machine, if there is one: Python's
// packages are not installed.
func moto(ctx context.Context, _ *installer) (recipe, error) {
	path, err := exec.LookPath("moto_server")
	if err != nil {
		return recipe{}, errors.New("moto_server is not on this machine, and Python's packages are not installed")
	}
	version, err := exec.CommandContext(ctx, "python3", "-c", `from importlib.metadata import version; print(version("moto"))`).Output()
	if err != nil {
		version = []byte("unknown")
	}
	return recipe{
		argv:    func(port, _ string) ([]string, error) { return []string{path, "-H", "127.0.0.1", "-p", port}, nil },
		version: lastLine(version),
	}, nil
}

// cacheDir is where servers of others are kept unless another is given.
func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "queues-bench", "peers"), nil
}

// firstLine is the first line of an error.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

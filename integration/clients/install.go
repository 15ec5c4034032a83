package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// install makes a client ready to run. Its error is an unavailableError if it
// cannot be had here, and any other if it can be had and does not work.
func (p *program) install(ctx context.Context, c client, home string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, installDeadline, fmt.Errorf("not installed within %v", installDeadline))
	defer cancel()
	if len(c.probe) > 0 {
		if missing(c.probe[0]) {
			return unavailable("this machine has no %s", c.probe[0])
		}
		if _, err := output(ctx, "", c.probe...); err != nil {
			return unavailable("this machine has no such version: %v", err)
		}
	}
	if err := p.debian.want(ctx, c.apt); err != nil {
		return err
	}
	if err := p.once(home, fmt.Sprint(c.suites), func() error { return p.debian.unpack(ctx, c.suites, filepath.Join(home, "root")) }); err != nil {
		return err
	}
	if len(c.npm) > 0 {
		return p.installNPM(ctx, c, home)
	}
	if c.module != "" {
		return p.buildGo(ctx, c, home)
	}
	return nil
}

// once does the work unless a mark in the folder tells that the same was done
// there before. The folder is emptied first. A spec of nothing is no work.
func (p *program) once(home, spec string, work func() error) error {
	mark := filepath.Join(home, "installed")
	if old, err := os.ReadFile(mark); spec == "[]" || err == nil && string(old) == spec {
		return nil
	}
	if err := os.RemoveAll(home); err != nil {
		return err
	}
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	if err := work(); err != nil {
		return err
	}
	return os.WriteFile(mark, []byte(spec), 0o644)
}

// installNPM installs packages of npm, and copies the scripts to their side,
// which is where Node looks for what they import.
func (p *program) installNPM(ctx context.Context, c client, home string) error {
	if missing("node") || missing("npm") {
		return unavailable("this machine has no Node with npm")
	}
	err := p.once(home, fmt.Sprint(c.npm), func() error {
		if err := os.WriteFile(filepath.Join(home, "package.json"), []byte(`{"private":true}`), 0o644); err != nil {
			return err
		}
		argv := append([]string{"npm", "install", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--loglevel=error"}, c.npm...)
		if _, err := output(ctx, home, argv...); err != nil {
			return unavailable("%v", err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	to := filepath.Join(home, "js")
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	return os.CopyFS(to, os.DirFS(filepath.Join(p.scripts, "js")))
}

// buildGo builds a module of this folder. go's own caches make it quick the
// second time. That a module cannot be fetched makes the client unavailable,
// that it does not compile is a fault.
func (p *program) buildGo(ctx context.Context, c client, home string) error {
	folder, file := filepath.Split(c.module)
	dir := filepath.Join(p.scripts, folder)
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	if out, err := output(ctx, dir, "go", "mod", "download", "-modfile="+file); err != nil {
		return unavailable("%v: %s", err, strings.Join(lastLines(out, 3), " | "))
	}
	argv := []string{"go", "build", "-modfile=" + file, "-o", filepath.Join(home, "client"), "."}
	if c.test {
		argv = []string{"go", "test", "-c", "-modfile=" + file, "-o", filepath.Join(home, "client"), "."}
	}
	_, err := output(ctx, dir, argv...)
	return err
}

// lock makes the cache and takes it for this run alone: two at once would empty
// each other's folders. Closing the file gives it back.
func lock(dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	f, err := os.Create(filepath.Join(dir, "lock"))
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close() // nothing was written
		return nil, fmt.Errorf("%s is in use by another run (-cache takes another folder): %w", dir, err)
	}
	return f, nil
}

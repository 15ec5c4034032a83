package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// debian installs packages of the machine's own release, and unpacks those of
// other releases without installing them.
type debian struct {
	// cache is where the lists of other releases go.
	cache string
	mu    sync.Mutex
	// first holds all packages that any client wants, until they have been
	// installed together: one call takes a fraction of the time of many.
	first []string
	// lists are the releases whose lists are fresh in this run, "" for the
	// machine's own.
	lists map[string]bool
}

// want makes sure that packages are installed.
func (d *debian) want(ctx context.Context, packages []string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	lacking := notInstalled(ctx, packages)
	if len(lacking) == 0 {
		return nil
	}
	if missing("apt-get") {
		return unavailable("it needs Debian's %s, and this machine has no apt-get", strings.Join(lacking, ", "))
	}
	if os.Geteuid() != 0 {
		return unavailable("it needs Debian's %s, and only root may install them", strings.Join(lacking, ", "))
	}
	if !d.lists[""] {
		if _, err := output(ctx, "", "apt-get", "update", "-qq"); err != nil {
			return unavailable("%v", err)
		}
		d.lists[""] = true
	}
	// All that anyone wants, and if that fails, at least this.
	for _, set := range [][]string{notInstalled(ctx, d.first), packages} {
		d.first = nil
		if len(set) == 0 {
			continue
		}
		_, err := output(ctx, "", append([]string{"apt-get", "install", "-y", "-qq", "--no-install-recommends"}, set...)...)
		if len(notInstalled(ctx, packages)) == 0 {
			return nil
		}
		if err != nil && slices.Equal(set, packages) {
			return unavailable("%v", err)
		}
	}
	return unavailable("apt-get did not install %s", strings.Join(notInstalled(ctx, packages), ", "))
}

// notInstalled gives those of the packages that are not installed.
func notInstalled(ctx context.Context, packages []string) []string {
	var lacking []string
	for _, name := range packages {
		status, err := output(ctx, "", "dpkg-query", "-W", "-f=${Status}", name)
		if err != nil || status != "install ok installed" {
			lacking = append(lacking, name)
		}
	}
	return lacking
}

// unpack puts the content of packages of other releases below the folder root,
// and a list of them with their versions into a file named versions there.
func (d *debian) unpack(ctx context.Context, suites []suite, root string) error {
	if missing("apt-get") || missing("dpkg") {
		return unavailable("it needs packages of Debian, and this machine has no apt-get")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	var versions []string
	for _, s := range suites {
		options, err := d.release(ctx, s.name)
		if err != nil {
			return err
		}
		fetched, err := os.MkdirTemp(d.cache, "fetched-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(fetched) }() // rests in a cache harm nobody
		argv := slices.Concat([]string{"apt-get"}, options, []string{"download", "-qq"}, s.packages)
		if _, err := output(ctx, fetched, argv...); err != nil {
			return unavailable("from Debian's %s: %v", s.name, err)
		}
		files, err := filepath.Glob(filepath.Join(fetched, "*.deb"))
		if err != nil {
			return err
		}
		for _, file := range files {
			if _, err := output(ctx, "", "dpkg", "-x", file, root); err != nil {
				return err
			}
			parts := strings.Split(filepath.Base(file), "_")
			versions = append(versions, strings.Join(parts[:2], " "))
		}
	}
	return os.WriteFile(filepath.Join(root, "versions"), []byte(strings.Join(versions, "\n")+"\n"), 0o644)
}

// release gives the options that make apt-get speak of another release of
// Debian and leave the machine's own lists alone.
func (d *debian) release(ctx context.Context, name string) ([]string, error) {
	dir := filepath.Join(d.cache, "suite-"+name)
	list := filepath.Join(dir, "sources.list")
	options := []string{
		"-o", "Dir::Etc::sourcelist=" + list, "-o", "Dir::Etc::sourceparts=-",
		"-o", "Dir::State::lists=" + filepath.Join(dir, "lists"), "-o", "Dir::Cache=" + filepath.Join(dir, "cache"),
		"-o", "Acquire::Languages=none", "-o", "APT::Sandbox::User=root",
	}
	if d.lists[name] {
		return options, nil
	}
	for _, sub := range []string{"lists/partial", "cache/archives/partial"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return nil, err
		}
	}
	archive, err := d.archive(ctx)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(list, fmt.Appendf(nil, "deb %s %s main\n", archive, name), 0o644); err != nil {
		return nil, err
	}
	if _, err := output(ctx, "", slices.Concat([]string{"apt-get"}, options, []string{"update", "-qq"})...); err != nil {
		return nil, unavailable("Debian's %s: %v", name, err)
	}
	d.lists[name] = true
	return options, nil
}

// archive tells where the machine gets its own release from, which has the
// others too.
func (d *debian) archive(ctx context.Context) (string, error) {
	out, err := output(ctx, "", "apt-get", "indextargets", "--format", "$(REPO_URI) $(ORIGIN) $(COMPONENT) $(SUITE)", "Created-By: Packages")
	if err != nil {
		return "", unavailable("%v", err)
	}
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		if len(f) == 4 && f[1] == "Debian" && f[2] == "main" && !strings.Contains(f[3], "-") {
			return f[0], nil
		}
	}
	return "", unavailable("it needs other releases of Debian, and this machine's apt-get knows no archive of Debian")
}

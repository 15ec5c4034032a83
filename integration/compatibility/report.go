package main

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// anyAction is where facts stand that are not about one action.
const anyAction = "AnyAction"

// protocols are the two protocols, as test names say them.
var protocols = []string{"JSON", "Query"}

// cover tells in which protocols something was tested and passed.
type cover map[string]bool

// report is all that is known of a server.
type report struct {
	// facts are the covered facts by action, then by name.
	facts map[string]map[string]cover
	// cases are the covered bug reports by kind, then by id.
	cases map[int]map[string]cover
	// kinds are the kinds' names, as far as their tests say them.
	kinds map[int]string
	// demands are the names of demands that are met.
	demands []string
	// forms counts the requests in the form of clients that were not run, by
	// client.
	forms       map[string]int
	differences []difference
	// clients is nil if they were left out.
	clients []client
}

var (
	// kinds and cases are parts of the names of bug reports' tests.
	kindName   = regexp.MustCompile(`^Kind([0-9]{2})$`)
	caseName   = regexp.MustCompile(`^(B[0-9]+)[A-Z]`)
	diffName   = regexp.MustCompile(`^TestDiff([0-9]{2})`)
	demandName = regexp.MustCompile(`^Demand[0-9]`)
)

// take sorts the tests of a run into the report. What did not pass, and what
// stands twice, is an error. The test of a bug report may say the name of its
// kind as its attribute "kind".
func (r *report) take(ended outcomes, said attributes) error {
	r.facts, r.cases, r.kinds = map[string]map[string]cover{}, map[int]map[string]cover{}, map[int]string{}
	r.demands, r.forms = nil, map[string]int{}
	errs := []error{ended.notPassed()}
	from := map[string]string{} // the test that a fact is in
	for _, name := range slices.Sorted(maps.Keys(ended)) {
		if ended[name] != "pass" {
			continue
		}
		parts := strings.Split(name, "/")
		last := parts[len(parts)-1]
		inProtocol := slices.Contains(protocols, last)
		switch {
		case strings.HasPrefix(name, "TestFacts") && len(parts) == 5 && inProtocol:
			fact := parts[1] + "/" + parts[2]
			if other, ok := from[fact]; ok && other != parts[0] {
				errs = append(errs, fmt.Errorf("the fact %s stands in %s and in %s", fact, other, parts[0]))
			}
			from[fact] = parts[0]
			note(r.facts, parts[1], parts[2], last)
		case strings.HasPrefix(name, "TestReports") && inProtocol:
			if err := r.takeCase(parts, said); err != nil {
				errs = append(errs, err)
			}
		case strings.HasPrefix(name, "TestDemands/") && len(parts) == 2 && demandName.MatchString(last):
			r.demands = append(r.demands, last)
		case strings.HasPrefix(name, "TestWireForms/") && len(parts) == 3:
			r.forms[parts[1]]++
		}
	}
	if len(r.facts) == 0 {
		errs = append(errs, errors.New("no fact was tested"))
	}
	return errors.Join(append(errs, r.matchDifferences(ended))...)
}

// takeCase notes one run of a bug report's test.
func (r *report) takeCase(parts []string, said attributes) error {
	kind := 0
	for i, p := range parts[1:] {
		if m := kindName.FindStringSubmatch(p); m != nil {
			if _, err := fmt.Sscanf(m[1], "%d", &kind); err != nil {
				return err
			}
		} else if m := caseName.FindStringSubmatch(p); m != nil && kind != 0 {
			note(r.cases, kind, m[1], parts[len(parts)-1])
			if name := said[strings.Join(parts[:i+2], "/")]["kind"]; name != "" {
				r.kinds[kind] = name
			}
			return nil
		}
	}
	return fmt.Errorf("the test %s names no report of a kind", strings.Join(parts, "/"))
}

// note notes that something was covered in a protocol.
func note[K comparable](in map[K]map[string]cover, group K, name, protocol string) {
	if in[group] == nil {
		in[group] = map[string]cover{}
	}
	if in[group][name] == nil {
		in[group][name] = cover{}
	}
	in[group][name][protocol] = true
}

// matchDifferences checks that each difference has a test that passed, and each
// such test a difference.
func (r *report) matchDifferences(ended outcomes) error {
	var errs []error
	tested := map[string]bool{}
	for name, outcome := range ended {
		if m := diffName.FindStringSubmatch(name); m != nil && !strings.Contains(name, "/") && outcome == "pass" {
			tested[m[1]] = true
		}
	}
	for _, d := range r.differences {
		if !tested[d.number] {
			errs = append(errs, fmt.Errorf("difference %s has no test that passes", d.number))
		}
		delete(tested, d.number)
	}
	for _, number := range slices.Sorted(maps.Keys(tested)) {
		errs = append(errs, fmt.Errorf("TestDiff%s is about no row of the differences", number))
	}
	return errors.Join(errs...)
}

// failures is an error that names the clients that failed; nil if none did.
func (r *report) failures() error {
	var errs []error
	for _, c := range r.clients {
		if c.Outcome != "passed" && c.Outcome != "skipped" {
			errs = append(errs, fmt.Errorf("client %s: %s: %s", c.Name, c.Outcome, c.Reason))
		}
	}
	return errors.Join(errs...)
}

// figures are how many facts of an action are covered in a protocol, how many
// differ knowingly, and how many are about the other protocol alone.
type figures struct{ covered, different, notApplicable int }

// figures counts an action's facts.
func (r *report) figures(action, protocol string) (f figures) {
	for _, c := range r.facts[action] {
		if c[protocol] {
			f.covered++
		} else {
			f.notApplicable++
		}
	}
	for _, d := range r.differences {
		if d.concerns(action, protocol) {
			f.different++
		}
	}
	return f
}

// actions are all that have a fact or a difference, in the order of their
// names, with AnyAction first.
func (r *report) actions() []string {
	seen := map[string]bool{}
	for a := range r.facts {
		seen[a] = true
	}
	for _, d := range r.differences {
		for _, a := range d.actions {
			seen[a] = true
		}
	}
	delete(seen, anyAction)
	return append([]string{anyAction}, slices.Sorted(maps.Keys(seen))...)
}

// covered counts what is covered in a protocol, or in any if it is empty.
func covered[K comparable](groups map[K]map[string]cover, protocol string) (n int) {
	for _, group := range groups {
		for _, c := range group {
			if c[protocol] || protocol == "" {
				n++
			}
		}
	}
	return n
}

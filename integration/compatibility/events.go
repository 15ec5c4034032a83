package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// outcomes is how each test of a run ended, by its name with slashes: "pass",
// "fail" or "skip".
type outcomes map[string]string

// attributes are what tests say of themselves with T.Attr, by test, then by
// key.
type attributes map[string]map[string]string

// readEvents reads the output of go test -json. A run that did not come to its
// end is an error, and so is one without a test.
func readEvents(r io.Reader) (outcomes, attributes, error) {
	ended, said := outcomes{}, attributes{}
	whole := ""
	var printed []string
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e struct{ Action, Test, Output, Key, Value string }
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, nil, fmt.Errorf("the tests said %q: %w", lines.Text(), err)
		}
		switch e.Action {
		case "pass", "fail", "skip":
			if e.Test == "" {
				whole = e.Action
			} else {
				ended[e.Test] = e.Action
			}
		case "output", "build-output":
			if e.Test == "" {
				printed = append(printed, e.Output)
			}
		case "attr":
			if said[e.Test] == nil {
				said[e.Test] = map[string]string{}
			}
			said[e.Test][e.Key] = e.Value
		}
	}
	switch err := lines.Err(); {
	case err != nil:
		return nil, nil, err
	case whole == "" || len(ended) == 0:
		return nil, nil, fmt.Errorf("the tests did not run: %s", strings.Join(printed, ""))
	case whole == "fail" && !slices.Contains(slices.Collect(maps.Values(ended)), "fail"):
		return nil, nil, fmt.Errorf("the run of the tests failed, though no test did: %s", strings.Join(printed, ""))
	}
	return ended, said, nil
}

// notPassed is an error that names the tests that did not pass; nil if all did.
// A test whose subtest is named is not named itself.
func (o outcomes) notPassed() error {
	var errs []error
	names := slices.Sorted(maps.Keys(o))
	for i, name := range names {
		if o[name] == "pass" {
			continue
		}
		named := false
		for _, sub := range names[i+1:] {
			named = named || strings.HasPrefix(sub, name+"/") && o[sub] == o[name]
		}
		if !named {
			errs = append(errs, fmt.Errorf("%s: %s", o[name], name))
		}
	}
	return errors.Join(errs...)
}

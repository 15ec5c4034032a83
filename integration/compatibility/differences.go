package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

// difference is one row of the known differences.
type difference struct {
	// number is the number in the name of its test, of two digits.
	number string
	// text says the difference, in Markdown.
	text string
	// actions are those it is about: AnyAction alone if it is about all.
	actions []string
	// protocol is the one it is about; empty for both.
	protocol string
}

// concerns reports whether a difference counts for an action in a protocol.
// What is about every action counts once, for AnyAction.
func (d *difference) concerns(action, protocol string) bool {
	return slices.Contains(d.actions, action) && (d.protocol == "" || d.protocol == protocol)
}

var (
	diffFile = regexp.MustCompile("^`diff_([0-9]{2})_[a-z0-9_]+_test\\.go`$")
	only     = regexp.MustCompile(`^(.*) \((JSON|Query)\)$`)
)

// readDifferences reads the table of a file: rows of a difference, of the
// actions it is about, and of its test.
func readDifferences(path string) ([]difference, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []difference
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") || strings.HasPrefix(line, "| Difference |") {
			continue
		}
		d, err := parseDifference(strings.TrimSpace(line))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, d)
	}
	return all, nil
}

// parseDifference reads a row.
func parseDifference(line string) (difference, error) {
	cells := strings.Split(strings.Trim(line, "|"), "|")
	if len(cells) != 3 {
		return difference{}, fmt.Errorf("a row has %d cells and not 3: %s", len(cells), line)
	}
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	file := diffFile.FindStringSubmatch(cells[2])
	if file == nil {
		return difference{}, fmt.Errorf("a row names no test: %s", line)
	}
	d := difference{number: file[1], text: cells[0]}
	actions := cells[1]
	if m := only.FindStringSubmatch(actions); m != nil {
		actions, d.protocol = m[1], m[2]
	}
	if actions == "every action" {
		d.actions = []string{anyAction}
		return d, nil
	}
	d.actions = strings.Split(actions, ", ")
	if slices.Contains(d.actions, "") {
		return difference{}, fmt.Errorf("a row names no actions: %s", line)
	}
	return d, nil
}

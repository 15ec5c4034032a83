package main

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// fullSteps are the steps of a client that is a way to say the whole API.
var fullSteps = []string{
	"create", "find", "tags", "send", "receive", "visibility", "delete", "batch", "long-poll", "cut-off",
	"fifo", "dead-letter", "move-task", "purge", "delete-queue", "missing-queue",
}

// outcome is how a step or a client ended.
type outcome string

const (
	passed  outcome = "passed"
	failed  outcome = "failed"
	skipped outcome = "skipped"
)

// step is one line of a script's report.
type step struct {
	Name    string  `json:"name"`
	Outcome outcome `json:"outcome"`
	// Reason says why, unless it passed.
	Reason string `json:"reason,omitempty"`
}

// account is what a script said.
type account struct {
	version string
	steps   []step
	// done tells that the script came to its end.
	done bool
	// other holds the lines that are no part of the report.
	other []string
}

// testLine is what Go's tests say of one of theirs.
var testLine = regexp.MustCompile(`^ *--- (PASS|FAIL|SKIP): (\S+) \([0-9.]+s\)$`)

// testOutcomes are the outcomes of Go's tests.
var testOutcomes = map[string]outcome{"PASS": passed, "FAIL": failed, "SKIP": skipped}

// parse reads what a script printed. It never fails: what it does not know is
// in other, and what it misses is for judge to tell.
func parse(r io.Reader) account {
	var a account
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := strings.TrimRight(lines.Text(), " \r")
		verb, rest, _ := strings.Cut(line, " ")
		name, reason, _ := strings.Cut(strings.TrimPrefix(rest, "ok "), ": ")
		test := testLine.FindStringSubmatch(line)
		switch {
		case line == "done":
			a.done = true
		case verb == "version":
			a.version = rest
		case verb == "ok" && rest != "":
			a.steps = append(a.steps, step{rest, passed, ""})
		case verb == "not" && strings.HasPrefix(rest, "ok "):
			a.steps = append(a.steps, step{name, failed, reason})
		case verb == "skip" && reason != "":
			a.steps = append(a.steps, step{name, skipped, reason})
		case test != nil:
			s := step{Name: test[2], Outcome: testOutcomes[test[1]]}
			if s.Outcome == skipped {
				s.Reason = "its own tests skip it"
			}
			a.steps = append(a.steps, s)
		case line != "":
			a.other = append(a.other, line)
		}
	}
	if err := lines.Err(); err != nil {
		a.other = append(a.other, err.Error())
	}
	return a
}

// judge tells why the script of a client has failed: a list that is empty for
// one that passed. exit is how its process ended.
func (a account) judge(required []string, exit error) []string {
	var why []string
	ran := 0
	reported := map[string]bool{}
	for _, s := range a.steps {
		if reported[s.Name] {
			why = append(why, fmt.Sprintf("%s: reported twice", s.Name))
		}
		reported[s.Name] = true
		switch s.Outcome {
		case passed:
			ran++
		case failed:
			why = append(why, strings.TrimSuffix(s.Name+": "+s.Reason, ": "))
		}
	}
	if !a.done {
		why = append(why, "its script did not come to the end")
	}
	for _, name := range required {
		if !reported[name] {
			why = append(why, fmt.Sprintf("%s: not reported", name))
		}
	}
	if ran == 0 {
		why = append(why, "no step passed")
	}
	if exit != nil && (a.done && len(why) == 0 || !a.done) {
		why = append(why, "its script: "+exit.Error())
	}
	return slices.Clip(why)
}

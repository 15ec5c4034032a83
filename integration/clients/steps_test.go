package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	t.Parallel()
	said := parse(strings.NewReader(`version 1.2.3 (beta)
ok send
not ok receive: it was late: by far
skip tags: no words
    --- PASS: TestAll/One (0.03s)
    --- FAIL: TestAll/Two (1.00s)
ok
skip nothing
chatter: ok send
done
`))
	want := account{
		version: "1.2.3 (beta)",
		steps: []step{
			{"send", passed, ""},
			{"receive", failed, "it was late: by far"},
			{"tags", skipped, "no words"},
			{"TestAll/One", passed, ""},
			{"TestAll/Two", failed, ""},
		},
		done:  true,
		other: []string{"ok", "skip nothing", "chatter: ok send"},
	}
	if diff := cmp.Diff(want, said, cmp.AllowUnexported(account{})); diff != "" {
		t.Errorf("account (-want +got):\n%s", diff)
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	exit := errors.New("exit status 1")
	for name, test := range map[string]struct {
		said     string
		required []string
		exit     error
		want     []string
	}{
		"Passed":         {said: "ok a\nok b\ndone", required: []string{"a", "b"}},
		"SkippedInPart":  {said: "ok a\nskip b: no words\ndone", required: []string{"a", "b"}},
		"NothingRan":     {said: "skip a: no words\ndone", want: []string{"no step passed"}},
		"StepFailed":     {said: "ok a\nnot ok b: late\ndone", exit: exit, want: []string{"b: late"}},
		"StepMissing":    {said: "ok a\ndone", required: []string{"a", "b"}, want: []string{"b: not reported"}},
		"StepTwice":      {said: "ok a\nok a\ndone", want: []string{"a: reported twice"}},
		"CutOff":         {said: "ok a", exit: exit, want: []string{"its script did not come to the end", "its script: exit status 1"}},
		"EndedBadly":     {said: "ok a\ndone", exit: exit, want: []string{"its script: exit status 1"}},
		"SaidNothing":    {said: "", want: []string{"its script did not come to the end", "no step passed"}},
		"GoTestFailed":   {said: "--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\ndone", exit: exit, want: []string{"TestB"}},
		"FailedNoReason": {said: "ok a\nnot ok b\ndone", exit: exit, want: []string{"b"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, parse(strings.NewReader(test.said)).judge(test.required, test.exit)); diff != "" {
				t.Errorf("reasons (-want +got):\n%s", diff)
			}
		})
	}
}

// The scripts and module files of the table are there, and no name is twice.
func TestTable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, c := range clients {
		if seen[c.name] {
			t.Errorf("%s is twice in the table", c.name)
		}
		seen[c.name] = true
		if len(c.run) == 0 || c.protocol == "" {
			t.Errorf("%s has no command or no protocol", c.name)
		}
		if len(c.probe) == 0 && len(c.apt) == 0 && len(c.npm) == 0 && c.module == "" {
			t.Errorf("%s comes from nowhere", c.name)
		}
		for _, file := range files(c) {
			if !exists(file) {
				t.Errorf("%s needs %s, which is not there", c.name, file)
			}
		}
	}
}

func TestChoose(t *testing.T) {
	t.Parallel()
	chosen, err := choose("go-v1,boto2")
	if err != nil || len(chosen) != 2 || chosen[0].name != "go-v1" || chosen[1].name != "boto2" {
		t.Errorf("got %v, %v", chosen, err)
	}
	if _, err := choose("boto2,nobody"); err == nil {
		t.Error("a name that is no client's was taken")
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	results := []result{
		{Name: "a", Outcome: passed, Steps: []step{{"send", passed, ""}, {"tags", skipped, "no words"}}},
		{Name: "b", Outcome: skipped, Reason: "not here"},
	}
	text, ok := summary(results)
	if !ok {
		t.Error("a run without a failure failed")
	}
	const want = "a: skipped tags: no words\nb: skipped: not here\n1 passed, 0 failed, 1 skipped\n"
	if text != want {
		t.Errorf("got %q, want %q", text, want)
	}
	if _, ok := summary(append(results, result{Name: "c", Outcome: failed})); ok {
		t.Error("a run with a failure did not fail")
	}
}

// files gives the files of this folder that a client names.
func files(c client) []string {
	var list []string
	for _, arg := range c.run {
		arg = strings.TrimPrefix(arg, "$scripts/")
		arg = strings.Replace(arg, "$home/js/", "js/", 1)
		if ext := filepath.Ext(arg); !strings.Contains(arg, "$") && slices.Contains([]string{".py", ".mjs", ".rb", ".php", ".pl"}, ext) {
			list = append(list, arg)
		}
	}
	if c.module != "" {
		list = append(list, c.module, strings.TrimSuffix(c.module, ".mod")+".sum")
	}
	return list
}

// exists tells whether there is such a file.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// aRun is the output of a small run of tests.
const aRun = `{"Action":"start","Package":"p"}
{"Action":"output","Package":"p","Test":"TestFactsOfA/SendMessage/One/Bubble/JSON","Output":"x"}
{"Action":"pass","Package":"p","Test":"TestFactsOfA/SendMessage/One/Bubble/JSON"}
{"Action":"pass","Package":"p","Test":"TestFactsOfA/SendMessage/One/Bubble/Query"}
{"Action":"pass","Package":"p","Test":"TestFactsOfA/SendMessage/One/Bubble/Query/Inside"}
{"Action":"pass","Package":"p","Test":"TestFactsOfA/SendMessage/One"}
{"Action":"pass","Package":"p","Test":"TestFactsOfA/SendMessage/OnlyQuery/Bubble/Query"}
{"Action":"pass","Package":"p","Test":"TestFactsOfA/AnyAction/Two/Bubble/JSON"}
{"Action":"pass","Package":"p","Test":"TestFactsOfA"}
{"Action":"attr","Package":"p","Test":"TestReports/Kind02/B014Name","Key":"kind","Value":"errors"}
{"Action":"pass","Package":"p","Test":"TestReports/Kind02/B014Name/Bubble/JSON"}
{"Action":"pass","Package":"p","Test":"TestReports/Kind02/B014Name/Binary/JSON"}
{"Action":"pass","Package":"p","Test":"TestReports/Kind11/B101Name/Bubble/Query"}
{"Action":"pass","Package":"p","Test":"TestDiff02Policy"}
{"Action":"pass","Package":"p","Test":"TestDiff02Policy/Bubble/JSON"}
{"Action":"pass","Package":"p","Test":"TestDiff14Versions"}
{"Action":"pass","Package":"p","Test":"TestDemands/Demand01Name"}
{"Action":"pass","Package":"p","Test":"TestDemands/Demand01Name/Bubble"}
{"Action":"pass","Package":"p","Test":"TestWireForms/KEDA/Scaler"}
{"Action":"pass","Package":"p","Test":"TestWireForms/KEDA/Scaler/Bubble"}
{"Action":"pass","Package":"p"}
`

const someDifferences = "# Title\n\n| Difference | Actions | Test in `integration/` |\n|---|---|---|\n" +
	"| Policies rest | SendMessage, DeleteMessage | `diff_02_policy_test.go` |\n" +
	"| Versions are ignored | every action (Query) | `diff_14_versions_test.go` |\n"

const someClients = `{"clients":[
 {"name":"boto","version":"1.2|3","protocol":"Query","outcome":"passed","steps":[{"name":"a","outcome":"passed"},{"name":"b","outcome":"skipped","reason":"no words"}]},
 {"name":"perl","version":"","protocol":"Query","outcome":"skipped","reason":"no\nperl","steps":[]}]}`

// files writes the three inputs and gives the arguments that name them.
func files(t *testing.T, events, differences, clients string) (args []string, out string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"events": events, "differences": differences, "clients": clients} {
		if text != "" {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			args = append(args, "-"+name, path)
		}
	}
	if clients == "" {
		args = append(args, "-without-clients")
	}
	out = filepath.Join(dir, "out")
	return append(args, "-out", out), out
}

func TestTheFile(t *testing.T) {
	t.Parallel()
	args, out := files(t, aRun, someDifferences, someClients)
	var table strings.Builder
	if err := run(t.Context(), args, &table, t.Output()); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| Facts covered | 2 | 2 | 3 |\n", "| Bug reports of other servers, as tests | 1 | 1 | 2 |\n", "| Known differences | 1 | 2 | 2 |\n",
		"| every action | 1 | 0 | 0 | 0 | 1 | 1 |\n", "| DeleteMessage | 0 | 1 | 0 | 0 | 1 | 0 |\n", "| SendMessage | 1 | 1 | 1 | 2 | 1 | 0 |\n",
		"| 2. errors | 1 | 1 | 0 |\n| 11 | 1 | 0 | 1 |\n", "1 demands that clients make", "| KEDA | 1 |\n",
		"| boto | 1.2\\|3 | Query | passed | 1 | 1 |\n", "| perl |  | Query | skipped: no perl | 0 | 0 |\n", "- Policies rest\n",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if !strings.Contains(table.String(), "3 facts, 2 bug reports, 2 differences, 1 demands, 2 clients") {
		t.Errorf("the table is\n%s", &table)
	}
	if err := run(t.Context(), args, t.Output(), t.Output()); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(out); err != nil || cmp.Diff(string(got), string(again)) != "" {
		t.Errorf("the second file is another: %v", err)
	}
}

// A file that is out of date fails the check, other versions of clients do not,
// and neither writes.
func TestCheck(t *testing.T) {
	t.Parallel()
	args, out := files(t, aRun, someDifferences, someClients)
	check := append(args, "-check")
	if err := run(t.Context(), check, t.Output(), t.Output()); err == nil {
		t.Error("a missing file passed")
	}
	if err := run(t.Context(), args, t.Output(), t.Output()); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		change [2]string
		ok     bool
	}{
		"Same":       {[2]string{"", ""}, true},
		"OldClient":  {[2]string{"1.2\\|3", "1.1"}, true},
		"LessFacts":  {[2]string{"| Facts covered | 2 | 2 | 3 |", "| Facts covered | 2 | 1 | 2 |"}, false},
		"Difference": {[2]string{"- Policies rest\n", ""}, false},
	} {
		t.Run(name, func(t *testing.T) {
			changed := strings.Replace(string(written), tt.change[0], tt.change[1], 1)
			if err := os.WriteFile(out, []byte(changed), 0o600); err != nil {
				t.Fatal(err)
			}
			err := run(t.Context(), check, t.Output(), t.Output())
			if tt.ok != (err == nil) || err != nil && !strings.Contains(err.Error(), "out of date") {
				t.Errorf("the error is %v, want ok %v", err, tt.ok)
			}
			if after, err := os.ReadFile(out); err != nil || string(after) != changed {
				t.Errorf("the file was written (%v)", err)
			}
		})
	}
}

func TestTheFileWithoutClientsSaysSo(t *testing.T) {
	t.Parallel()
	args, out := files(t, aRun, someDifferences, "")
	if err := run(t.Context(), args, t.Output(), t.Output()); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(out); err != nil || !strings.Contains(string(got), "The real clients were left out") {
		t.Errorf("%v\n%s", err, got)
	}
}

// Whatever is wrong fails the command and writes no file.
func TestFailures(t *testing.T) {
	t.Parallel()
	fails := func(name string) string {
		return strings.Replace(aRun, `{"Action":"pass","Package":"p"}`, `{"Action":"fail","Package":"p","Test":"`+name+`"}`+"\n"+`{"Action":"fail","Package":"p"}`, 1)
	}
	for name, tt := range map[string]struct{ events, differences, clients, want string }{
		"FailedFact":          {fails("TestFactsOfA/SendMessage/Bad/Bubble/JSON"), someDifferences, "", "fail: TestFactsOfA/SendMessage/Bad/Bubble/JSON"},
		"FailedOther":         {fails("TestMain2"), someDifferences, "", "fail: TestMain2"},
		"SkippedFact":         {strings.Replace(aRun, `"pass","Package":"p","Test":"TestFactsOfA/AnyAction/Two`, `"skip","Package":"p","Test":"TestFactsOfA/AnyAction/Two`, 1), someDifferences, "", "skip: TestFactsOfA/AnyAction/Two"},
		"FactTwice":           {aRun + `{"Action":"pass","Test":"TestFactsOfB/SendMessage/One/Bubble/JSON"}`, someDifferences, "", "the fact SendMessage/One stands in TestFactsOfA and in TestFactsOfB"},
		"BrokenOff":           {`{"Action":"pass","Package":"p","Test":"TestFactsOfA/SendMessage/One/Bubble/JSON"}`, someDifferences, "", "the tests did not run"},
		"NotBuilt":            {`{"Action":"build-output","Output":"no such type"}` + "\n" + `{"Action":"fail","Package":"p"}`, someDifferences, "", "no such type"},
		"NoEvents":            {"FAIL", someDifferences, "", `the tests said "FAIL"`},
		"FailedInTheEnd":      {strings.Replace(aRun, `{"Action":"pass","Package":"p"}`, `{"Action":"output","Package":"p","Output":"goroutines left"}`+"\n"+`{"Action":"fail","Package":"p"}`, 1), someDifferences, "", "goroutines left"},
		"ReportOfNoNumber":    {aRun + `{"Action":"pass","Test":"TestReports/Kind01/name/Bubble/JSON"}`, someDifferences, "", "names no report"},
		"ReportOfNoKind":      {aRun + `{"Action":"pass","Test":"TestReports/B001Name/Bubble/JSON"}`, someDifferences, "", "names no report"},
		"DifferenceUntested":  {aRun, someDifferences + "| More | every action | `diff_15_more_test.go` |\n", "", "difference 15 has no test that passes"},
		"DifferenceUnlisted":  {aRun, strings.Join(strings.SplitAfter(someDifferences, "\n")[:5], ""), "", "TestDiff14 is about no row"},
		"DifferenceOfTwo":     {aRun, someDifferences + "| More | `diff_15_more_test.go` |\n", "", "a row has 2 cells"},
		"DifferenceOfNoFile":  {aRun, someDifferences + "| More | every action | nothing |\n", "", "a row names no test"},
		"DifferenceOfNothing": {aRun, someDifferences + "| More | | `diff_15_more_test.go` |\n", "", "a row names no actions"},
		"FailedClient":        {aRun, someDifferences, strings.Replace(someClients, `"Query","outcome":"passed"`, `"Query","outcome":"failed","reason":"lost a message"`, 1), "client boto: failed: lost a message"},
		"NoClients":           {aRun, someDifferences, `{"clients":[]}`, "holds no clients"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args, out := files(t, tt.events, tt.differences, tt.clients)
			err := run(t.Context(), args, t.Output(), t.Output())
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %v, want %q", err, tt.want)
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("there is a file")
			}
		})
	}
}

func TestClientsAreGivenOrLeftOut(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"Neither": nil, "Both": {"-clients", "x", "-without-clients"}, "Argument": {"-without-clients", "x"}} {
		if err := run(t.Context(), args, t.Output(), t.Output()); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

package integration

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// kindsOfReports is how many kinds of fault there are.
const kindsOfReports = 22

// kindNames says what goes wrong in the reports of a kind.
var kindNames = [kindsOfReports]string{
	"Telling and decoding the protocols", "Form and codes of errors", "Queue URLs and routing", "Form of answers", "Text unchanged",
	"Message attributes and their digest", "Selection of attributes", "Checks and limits", "Batches", "Queue attributes read back", "Life of queues and lists",
	"Tags, permissions and policies", "Visibility and receipt handles", "What goes before what: delays and defaults", "Long polling", "Groups and order",
	"Duplicates, sequence numbers, group ids", "Dead-letter queues", "Move tasks", "Counters, purge, retention", "Durability", "Load and concurrency",
}

// reportIDs are the reports of the collection, by kind from 1 on. There are
// gaps in its numbers.
var reportIDs = [kindsOfReports]string{
	"B001 B003 B004 B006 B007 B009 B010",
	"B011 B012 B014 B016 B017 B018 B019 B020",
	"B021 B023 B024 B025 B027 B029 B030 B031 B032",
	"B033 B035 B037 B038 B040",
	"B041 B043 B044 B045 B047 B049",
	"B050 B051 B053 B055 B056 B058 B060 B061 B062",
	"B063 B064 B066 B068 B070",
	"B071 B072 B074 B076 B077",
	"B079 B081 B082 B084 B086 B087 B088",
	"B089 B090 B092 B094 B095 B097 B099 B100",
	"B101 B103 B105 B106 B107 B108 B109",
	"B111 B113",
	"B114 B115 B117 B118 B120 B122 B124 B125",
	"B127 B128 B130 B132",
	"B133 B134 B136 B137 B139",
	"B141 B142 B144 B146 B147 B149 B151",
	"B152 B153 B156 B157 B158 B160 B161",
	"B163 B164 B166 B168 B170",
	"B171 B173 B174",
	"B176 B178 B179",
	"B180 B182 B183",
	"B185 B187 B188 B190 B191",
}

// Every report of the collection is a test, once, under its own kind.
func TestReportsAreComplete(t *testing.T) {
	t.Parallel()
	want, got := map[string]int{}, map[string]int{}
	for i, ids := range reportIDs {
		if kindNames[i] == "" {
			t.Errorf("kind %d has no name", i+1)
		}
		for _, id := range strings.Fields(ids) {
			want[id] = i + 1
		}
	}
	form, number := regexp.MustCompile(`^[A-Z][A-Za-z0-9]+$`), regexp.MustCompile(`^B[0-9]{3}$`)
	for _, r := range allReports() {
		if !number.MatchString(r.id) || !form.MatchString(r.name) || r.run == nil && r.alone == nil {
			t.Errorf("%q %q is no report", r.id, r.name)
		}
		if got[r.id] != 0 {
			t.Errorf("%s is there twice", r.id)
		}
		got[r.id] = r.kind
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reports and their kinds (-listed +tested):\n%s", diff)
	}
	if ids := slices.Sorted(maps.Keys(want)); len(ids) != 128 {
		t.Error(fmt.Sprint(len(ids)) + " reports are listed, want 128")
	}
}

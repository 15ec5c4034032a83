package integration

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// text reads one member of an answer.
func (r *reply) text(t *testing.T, member string) string {
	var j map[string]any
	if json.Unmarshal([]byte(r.Body), &j) == nil {
		text, _ := j[member].(string)
		return text
	}
	_, rest, _ := strings.Cut(r.Body, "<"+member+">")
	text, _, ok := strings.Cut(rest, "</"+member+">")
	if !ok {
		t.Errorf("there is no %s in %s", member, r.Body)
	}
	return text
}

// sizes reads the counts of an answer.
func (r *reply) sizes(t interface{ Errorf(string, ...any) }) (n [3]int) {
	for i, name := range []string{"", "NotVisible", "Delayed"} {
		name = "ApproximateNumberOfMessages" + name
		_, rest, ok := strings.Cut(r.Body, `"`+name+`":"`)
		if !ok {
			_, rest, ok = strings.Cut(r.Body, "<Name>"+name+"</Name><Value>")
		}
		if _, err := fmt.Sscanf(rest, "%d", &n[i]); err != nil || !ok {
			t.Errorf("there is no %s in %s", name, r.Body)
		}
	}
	return n
}

// outcomes reads the answer of a batch of n entries, whose ids are their places.
func (r *reply) outcomes(t *testing.T, n int) []result {
	t.Helper()
	type line struct {
		XMLName        xml.Name
		ID             string `json:"Id" xml:"Id"`
		Code           string
		MessageID      string `json:"MessageId" xml:"MessageId"`
		SequenceNumber string
	}
	var j struct{ Successful, Failed []line }
	err := json.Unmarshal([]byte(r.Body), &j)
	lines := append(j.Successful, j.Failed...)
	if strings.HasPrefix(r.Header.Get("Content-Type"), "text/xml") {
		var x struct {
			Result struct {
				Lines []line `xml:",any"`
			} `xml:",any"`
		}
		err = xml.Unmarshal([]byte(r.Body), &x)
		lines = slices.DeleteFunc(x.Result.Lines, func(l line) bool { return l.XMLName.Local == "RequestId" })
	}
	all := make([]result, n)
	seen := map[int]bool{}
	for _, l := range lines {
		i, bad := strconv.Atoi(l.ID)
		if bad != nil || i >= n || seen[i] {
			t.Errorf("there is an entry %q in %s", l.ID, r.Body)
			continue
		}
		seen[i] = true
		all[i] = result{l.Code, l.MessageID, l.SequenceNumber}
	}
	if err != nil || len(seen) != n {
		t.Errorf("there are %d of %d entries in %s: %v", len(seen), n, r.Body, err)
	}
	return all
}

// task reads the newest move task of a list; the zero task for none.
func (r *reply) task(t *testing.T) (newest moving) {
	t.Helper()
	type line struct {
		Status string
		Moved  int `json:"ApproximateNumberOfMessagesMoved" xml:"ApproximateNumberOfMessagesMoved"`
		ToMove int `json:"ApproximateNumberOfMessagesToMove" xml:"ApproximateNumberOfMessagesToMove"`
	}
	var j struct{ Results []line }
	err := json.Unmarshal([]byte(r.Body), &j)
	if strings.HasPrefix(r.Header.Get("Content-Type"), "text/xml") {
		var x struct {
			Lines []line `xml:"ListMessageMoveTasksResult>ListMessageMoveTasksResultEntry"`
		}
		err = xml.Unmarshal([]byte(r.Body), &x)
		j.Results = x.Lines
	}
	if err != nil {
		t.Errorf("%v in %s", err, r.Body)
	}
	if len(j.Results) > 0 {
		newest = moving{j.Results[0].Status, j.Results[0].Moved, j.Results[0].ToMove}
	}
	return newest
}

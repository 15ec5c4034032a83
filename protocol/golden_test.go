package protocol

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the answers in testdata from what the code gives")

// section is one named part of a golden file.
type section struct{ name, text string }

// mustReadSections reads a golden file: parts headed by "-- name --" lines.
// The line feed before a heading belongs to no part.
func mustReadSections(tb testing.TB, path string) []section {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	var sections []section
	for part := range strings.SplitSeq(strings.TrimSuffix("\n"+string(data), "\n"), "\n-- ") {
		if name, text, ok := strings.Cut(part, " --\n"); ok {
			sections = append(sections, section{name, text})
		}
	}
	return sections
}

// mustWriteSections is the inverse of mustReadSections.
func mustWriteSections(tb testing.TB, path string, sections []section) {
	tb.Helper()
	var b strings.Builder
	for _, s := range sections {
		fmt.Fprintf(&b, "-- %s --\n%s\n", s.name, s.text)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		tb.Fatal(err)
	}
}

// renderAnswer writes an answer as readable text.
func renderAnswer(r Response) string {
	head := fmt.Sprintf("%d %s\n", r.Status, r.ContentType)
	if r.QueryError != "" {
		head += "x-amzn-query-error: " + r.QueryError + "\n"
	}
	return head + string(r.Body)
}

const testRequestID = "5a3ed0b2-0f9d-5c1c-8d4e-9a0b1c2d3e4f"

// TestActions holds every action's requests and answers to the texts in
// testdata/actions. The requests there are written by hand; both must decode
// to the one input in actionCases.
func TestActions(t *testing.T) {
	t.Parallel()
	cases := actionCases()
	if len(cases) != len(Operations()) {
		t.Fatalf("%d cases for %d operations", len(cases), len(Operations()))
	}
	for op, c := range cases {
		t.Run(string(op), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join("testdata", "actions", string(op)+".txt")
			stored := mustReadSections(t, path)
			if len(stored) < 2 {
				t.Fatalf("%s lacks the requests", path)
			}
			for i, codec := range []Codec{JSON, Query} {
				call, err := codec.Decode(requestOf(codec, op, stored[i].text))
				if err != nil {
					t.Fatalf("%s: %v", stored[i].name, err)
				}
				if diff := cmp.Diff(Call{Operation: op, Input: c.input}, call); diff != "" {
					t.Errorf("%s (-want +got):\n%s", stored[i].name, diff)
				}
			}
			got := append(stored[:2:2],
				section{"JSON response", renderAnswer(JSON.EncodeOutput(op, c.output, testRequestID))},
				section{"Query response", renderAnswer(Query.EncodeOutput(op, c.output, testRequestID))},
				section{"Query response as JSON", renderAnswer(QueryJSON.EncodeOutput(op, c.output, testRequestID))},
			)
			if *update {
				mustWriteSections(t, path, got)
				return
			}
			if diff := cmp.Diff(stored, got, cmp.AllowUnexported(section{})); diff != "" {
				t.Errorf("answers differ from %s (-want +got):\n%s", path, diff)
			}
		})
	}
}

// requestOf makes a request of a golden text, whose line feeds only part it
// for the eye.
func requestOf(codec Codec, op Operation, text string) *Request {
	body := []byte(strings.ReplaceAll(text, "\n", ""))
	if codec == JSON {
		return jsonRequest(string(op), string(body))
	}
	return &Request{Method: "POST", Path: "/", ContentType: "application/x-www-form-urlencoded", Body: body}
}

func jsonRequest(action, body string) *Request {
	return &Request{
		Method: "POST", Path: "/", ContentType: "application/x-amz-json-1.0",
		Target: "AmazonSQS." + action, Body: []byte(body),
	}
}

// TestCatalogue holds every error, with its own text and with the kind's, to
// the texts in testdata/errors.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	for _, kind := range append(Kinds(), MissingAction) {
		name := kind.Shape
		if kind == MissingAction {
			name = "MissingAction"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join("testdata", "errors", name+".txt")
			var got []section
			for _, c := range []struct {
				name  string
				codec Codec
			}{{"JSON", JSON}, {"Query", Query}, {"Query as JSON", QueryJSON}} {
				got = append(got,
					section{c.name, renderAnswer(c.codec.EncodeError(kind.New("Say \"<no>\" & why."), testRequestID))},
					section{c.name + ", own text", renderAnswer(c.codec.EncodeError(&Error{Kind: kind}, testRequestID))},
				)
			}
			if *update {
				mustWriteSections(t, path, got)
				return
			}
			if diff := cmp.Diff(mustReadSections(t, path), got, cmp.AllowUnexported(section{})); diff != "" {
				t.Errorf("answers differ from %s (-want +got):\n%s", path, diff)
			}
		})
	}
}

package protocol

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDetect(t *testing.T) {
	t.Parallel()
	const form, amzJSON = "application/x-www-form-urlencoded", "application/x-amz-json-1.0"
	for name, tc := range map[string]struct {
		request Request
		want    Codec
	}{
		"JSON":                   {Request{Method: "POST", ContentType: amzJSON, Target: "AmazonSQS.SendMessage"}, JSON},
		"JSON11":                 {Request{Method: "POST", ContentType: "application/x-amz-json-1.1", Target: "AmazonSQS.SendMessage"}, JSON},
		"JSONWithCharset":        {Request{Method: "POST", ContentType: "Application/X-Amz-Json-1.0 ; charset=utf-8", Target: "AmazonSQS.SendMessage"}, JSON},
		"JSONOnQueuePath":        {Request{Method: "POST", Path: "/1/q", ContentType: amzJSON, Target: "AmazonSQS.SendMessage"}, JSON},
		"JSONWithoutTarget":      {Request{Method: "POST", ContentType: amzJSON}, JSON},
		"PlainJSON":              {Request{Method: "POST", ContentType: "application/json", Target: "AmazonSQS.SendMessage"}, JSON},
		"JSONAcceptsJSON":        {Request{Method: "POST", ContentType: amzJSON, Target: "AmazonSQS.SendMessage", Accept: "application/json"}, JSON},
		"Form":                   {Request{Method: "POST", ContentType: form}, Query},
		"FormWithCharset":        {Request{Method: "POST", ContentType: form + "; charset=utf-8"}, Query},
		"FormWithTarget":         {Request{Method: "POST", ContentType: form, Target: "AmazonSQSv20121105.SendMessage"}, Query},
		"FormWithJSONTarget":     {Request{Method: "POST", ContentType: form, Target: "AmazonSQS.SendMessage"}, Query},
		"Get":                    {Request{Method: "GET", RawQuery: "Action=ListQueues"}, Query},
		"GetSayingJSON":          {Request{Method: "GET", ContentType: amzJSON, RawQuery: "Action=ListQueues"}, Query},
		"NoContentTypeTarget":    {Request{Method: "POST", Target: "AmazonSQS.SendMessage"}, JSON},
		"NoContentType":          {Request{Method: "POST"}, Query},
		"OtherContentType":       {Request{Method: "POST", ContentType: "text/plain"}, Query},
		"FormAcceptsJSON":        {Request{Method: "POST", ContentType: form, Accept: "application/json"}, QueryJSON},
		"GetAcceptsJSON":         {Request{Method: "GET", Accept: "Application/JSON; charset=utf-8, */*"}, QueryJSON},
		"AcceptsAnything":        {Request{Method: "GET", Accept: "*/*"}, Query},
		"AcceptsXMLBeforeJSON":   {Request{Method: "GET", Accept: "text/xml, application/json"}, Query},
		"AcceptsSomethingLikeIt": {Request{Method: "GET", Accept: "application/json-seq"}, Query},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Detect(&tc.request); got != tc.want {
				t.Errorf("got %T, want %T", got, tc.want)
			}
		})
	}
}

func TestDispatchErrors(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		request *Request
		want    *Error
		op      Operation
	}{
		"JSONUnknownAction":     {jsonRequest("FooBar", "{}"), UnknownOperation.New("The action FooBar is not valid for this endpoint."), ""},
		"JSONActionInOtherCase": {jsonRequest("sendMessage", "{}"), UnknownOperation.New("The action sendMessage is not valid for this endpoint."), ""},
		"JSONEmptyAction":       {jsonRequest("", "{}"), UnknownOperation.New("The action  is not valid for this endpoint."), ""},
		"JSONOtherService": {
			&Request{Method: "POST", ContentType: "application/x-amz-json-1.0", Target: "DynamoDB_20120810.ListTables"},
			UnknownOperation.New("The action DynamoDB_20120810.ListTables is not valid for this endpoint."), "",
		},
		"JSONNoTarget": {
			&Request{Method: "POST", ContentType: "application/x-amz-json-1.0", Body: []byte("{}")},
			UnknownOperation.New("The request names no action: it has no X-Amz-Target header."), "",
		},
		"JSONByPut": {
			&Request{Method: "PUT", ContentType: "application/x-amz-json-1.0", Target: "AmazonSQS.ListQueues"},
			UnknownOperation.New("The action ListQueues must be sent by POST."), ListQueues,
		},
		"QueryUnknownAction":     {formRequest("Action=FooBar"), UnknownOperation.New("The action FooBar is not valid for this endpoint."), ""},
		"QueryLongAction":        {formRequest("Action=" + strings.Repeat("é", 500)), UnknownOperation.New("The action " + strings.Repeat("é", 128) + "... is not valid for this endpoint."), ""},
		"QueryNoAction":          {&Request{Method: "GET", Path: "/1/q"}, MissingAction.New(""), ""},
		"QueryEmptyAction":       {&Request{Method: "GET", Path: "/1/q", RawQuery: "Action="}, MissingAction.New(""), ""},
		"QueryFormWithoutAction": {formRequest("MessageBody=x"), MissingAction.New(""), ""},
		"QueryByDelete":          {&Request{Method: "DELETE", Path: "/1/q", RawQuery: "Action=DeleteQueue"}, MissingAction.New(""), ""},
		"CreateOnQueuePath": {
			&Request{Method: "GET", Path: "/1/q", RawQuery: "Action=CreateQueue&QueueName=x"},
			UnknownOperation.New("The action CreateQueue is not valid for this endpoint."), CreateQueue,
		},
		"ListOnQueuePath": {
			&Request{Method: "GET", Path: "/1/q", RawQuery: "Action=ListQueues"},
			UnknownOperation.New("The action ListQueues is not valid for this endpoint."), ListQueues,
		},
		"ListOnRoot":         {&Request{Method: "GET", Path: "/", RawQuery: "Action=ListQueues"}, nil, ListQueues},
		"ListOnEmptyPath":    {&Request{Method: "GET", RawQuery: "Action=ListQueues"}, nil, ListQueues},
		"ListOnSlashes":      {&Request{Method: "GET", Path: "//", RawQuery: "Action=ListQueues"}, nil, ListQueues},
		"GetUrlOnQueuePath":  {&Request{Method: "GET", Path: "/1/q", RawQuery: "Action=GetQueueUrl&QueueName=x"}, nil, GetQueueURL},
		"JSONListOnPath":     {&Request{Method: "POST", Path: "/1/q", ContentType: "application/x-amz-json-1.0", Target: "AmazonSQS.ListQueues"}, nil, ListQueues},
		"QueryErrorKnowsOp":  {formRequest("Action=SendMessage&DelaySeconds=x"), InvalidParameterValue.New("Value x for parameter DelaySeconds is invalid. Reason: Must be an integer of 32 bits."), SendMessage},
		"PerlTargetWithForm": {&Request{Method: "POST", Path: "/1/q", ContentType: "application/x-www-form-urlencoded", Target: "AmazonSQSv20121105.SendMessage", Body: []byte("Action=SendMessage&MessageBody=x")}, nil, SendMessage},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			call, err := Detect(tc.request).Decode(tc.request)
			if diff := cmp.Diff(tc.want, err); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if call.Operation != tc.op {
				t.Errorf("operation %q, want %q", call.Operation, tc.op)
			}
			if (call.Input == nil) != (err != nil) {
				t.Errorf("input %v with error %v", call.Input, err)
			}
		})
	}
}

// TestQueueURLFromPath checks, in both protocols, where the queue of a request
// comes from.
func TestQueueURLFromPath(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		path  string
		given *string
		want  *string
	}{
		"FromPath":          {"/1/q", nil, new("/1/q")},
		"EmptyParameter":    {"/1/q", new(""), new("/1/q")},
		"ParameterWins":     {"/1/q", new("http://x/1/other"), new("http://x/1/other")},
		"BareName":          {"/", new("q"), new("q")},
		"NoneOnRoot":        {"/", nil, nil},
		"NoneOnEmptyPath":   {"", nil, nil},
		"NoneOnSlashes":     {"//", nil, nil},
		"EmptyOnRoot":       {"/", new(""), new("")},
		"URLAsPath":         {"/http://localhost/1/q", nil, new("/http://localhost/1/q")},
		"PathOfOneSegment":  {"/q", nil, new("/q")},
		"TrailingSlashKept": {"/1/q/", nil, new("/1/q/")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			jsonBody, form := `{}`, "Action=DeleteQueue"
			if tc.given != nil {
				jsonBody, form = `{"QueueUrl":"`+*tc.given+`"}`, form+"&QueueUrl="+*tc.given
			}
			byJSON, byForm := jsonRequest("DeleteQueue", jsonBody), formRequest(form)
			byJSON.Path, byForm.Path = tc.path, tc.path
			for _, r := range []*Request{byJSON, byForm} {
				codec := Detect(r)
				call, err := codec.Decode(r)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(&DeleteQueueInput{QueueURL: tc.want}, call.Input); diff != "" {
					t.Errorf("%s (-want +got):\n%s", codec.Name(), diff)
				}
			}
		})
	}
}

func TestOperations(t *testing.T) {
	t.Parallel()
	ops := Operations()
	if len(ops) != 23 || !slices.IsSorted(ops) {
		t.Errorf("got %d operations, sorted %v", len(ops), slices.IsSorted(ops))
	}
	withoutOutput := []Operation{}
	for _, op := range ops {
		if got, ok := Lookup(string(op)); !ok || got != op {
			t.Errorf("Lookup(%q) = %q, %v", op, got, ok)
		}
		if op.NewInput() == nil {
			t.Errorf("%s has no input", op)
		}
		if !op.HasOutput() {
			withoutOutput = append(withoutOutput, op)
		}
	}
	want := []Operation{
		AddPermission, ChangeMessageVisibility, DeleteMessage, DeleteQueue, PurgeQueue,
		RemovePermission, SetQueueAttributes, TagQueue, UntagQueue,
	}
	if diff := cmp.Diff(want, withoutOutput); diff != "" {
		t.Errorf("without output (-want +got):\n%s", diff)
	}
	for _, name := range []string{"", "sendmessage", "FooBar"} {
		op, ok := Lookup(name)
		if ok || op.NewInput() != nil || op.HasOutput() || Operation(name).NewInput() != nil {
			t.Errorf("%q passes for an operation", name)
		}
	}
}

// TestKindsIsComplete counts the declarations, since a kind that Kinds leaves
// out would miss every test that walks it.
func TestKindsIsComplete(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "catalogue.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	declared := 0
	ast.Inspect(file, func(n ast.Node) bool {
		if _, ok := n.(*ast.ValueSpec); ok {
			declared++
		}
		return true
	})
	seen := map[*Kind]bool{}
	shapes := map[string]bool{}
	for _, k := range Kinds() {
		seen[k] = true
		shapes[k.Shape] = true
		if k.Message == "" || k.QueryCode == "" || (k.Status >= 500) != (k.Fault == Receiver) {
			t.Errorf("%s is not filled in: %+v", k.Shape, *k)
		}
	}
	if len(seen) != declared || len(shapes) != declared {
		t.Errorf("%d kinds with %d shapes listed, %d declared", len(seen), len(shapes), declared)
	}
}

func TestNamesForLogs(t *testing.T) {
	t.Parallel()
	for want, codec := range map[string]Codec{"json": JSON, "query": Query} {
		if got := codec.Name(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := QueryJSON.Name(); got != "query" {
		t.Errorf("Query with JSON answers is called %q", got)
	}
	for want, err := range map[string]error{
		"OverLimit: too much": OverLimit.New("too much"),
		"QueueDoesNotExist: The specified queue does not exist.": QueueDoesNotExist.New(""),
	} {
		if got := err.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

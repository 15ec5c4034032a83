package load

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestValues(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		protocol Protocol
		body     string
		want     []string
	}{
		"JSON":   {JSON, `{"Messages":[{"ReceiptHandle":"a","MessageId":"x"},{"ReceiptHandle":"b"}],"ReceiptHandle":"cut`, []string{"a", "b"}},
		"Spaced": {JSON, `{"Messages": [{"ReceiptHandle" : "a"},` + "\n" + `{"ReceiptHandle":` + "\n\t" + `"b"}]}`, []string{"a", "b"}},
		"InABody": {
			JSON, `{"Body":"{\"ReceiptHandle\":\"no\"}","Name":"ReceiptHandle","ReceiptHandle":null,"ReceiptHandle":"a\/b"}`, []string{`a\/b`},
		},
		"Query": {
			Query, "<Message><ReceiptHandle>a+/=</ReceiptHandle><Body>&lt;ReceiptHandle&gt;</Body></Message>\n<ReceiptHandle>x&amp;y</ReceiptHandle><ReceiptHandle>cut",
			[]string{"a+/=", "x&y"},
		},
		"None": {JSON, `{}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			tc.protocol.values([]byte(tc.body), memberHandle, func(v []byte) { got = append(got, string(v)) })
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A batch is done when every entry is, and a failed entry has its code.
func TestEntries(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		protocol Protocol
		body     string
		code     string
		fails    bool
	}{
		"JSON":        {JSON, `{"Successful":[{"Id":"m0"},{"Id":"m1"}]}`, "", false},
		"JSONFailed":  {JSON, `{"Successful":[{"Id":"m0"}],"Failed":[{"Id":"m1","SenderFault":true,"Code":"ReceiptHandleIsInvalid"}]}`, "ReceiptHandleIsInvalid", true},
		"JSONMissing": {JSON, `{"Successful":[{"Id":"m0"}]}`, "", true},
		"Query": {
			Query, `<DeleteMessageBatchResultEntry><Id>m0</Id></DeleteMessageBatchResultEntry><DeleteMessageBatchResultEntry><Id>m1</Id></DeleteMessageBatchResultEntry>`, "", false,
		},
		"QueryFailed": {
			Query, `<X><Id>m0</Id></X><BatchResultErrorEntry><Id>m1</Id><Code>InternalError</Code><SenderFault>false</SenderFault></BatchResultErrorEntry>`, "InternalError", true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, err := tc.protocol.entries([]byte(tc.body), 2)
			if (err != nil) != tc.fails || err == nil && n != 2 {
				t.Fatalf("got %d, %v", n, err)
			}
			var e *EntryError
			if errors.As(err, &e) && e.Code != tc.code {
				t.Errorf("code %q, want %q", e.Code, tc.code)
			}
		})
	}
}

func TestErrorCodes(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":"no"}`:                            "QueueDoesNotExist",
		`{"__type": "InternalFailure"}`:                                                              "InternalFailure",
		`<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code></Error></ErrorResponse>`: "AccessDenied",
		"<html>502</html>": "",
	} {
		if got := errorCode([]byte(body)); got != want {
			t.Errorf("%s: got %q, want %q", body, got, want)
		}
	}
}

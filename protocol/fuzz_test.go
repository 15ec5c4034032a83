package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// addRequests seeds a fuzz target with the golden requests of one protocol,
// whole and cut off in the middle.
func addRequests(f *testing.F, part int) {
	f.Helper()
	for _, op := range Operations() {
		text := mustReadSections(f, filepath.Join("testdata", "actions", string(op)+".txt"))[part].text
		body := strings.ReplaceAll(text, "\n", "")
		f.Add(string(op), []byte(body))
		f.Add(string(op), []byte(body[:len(body)/2]))
	}
}

// encodeInput renders a decoded input. Equal inputs have equal renderings.
func encodeInput(call Call) []byte {
	return appendJSONStruct(nil, specOf[call.Operation].input, reflect.ValueOf(call.Input).Elem())
}

// checkStable decodes an input's rendering again.
func checkStable(t *testing.T, call Call) {
	t.Helper()
	want := encodeInput(call)
	again, err := JSON.Decode(jsonRequest(string(call.Operation), string(want)))
	if err != nil {
		t.Fatalf("%v in our own %s", err, want)
	}
	if got := encodeInput(again); !bytes.Equal(got, want) {
		t.Errorf("decoded again:\n got %s\nwant %s", got, want)
	}
}

func FuzzJSONDecode(f *testing.F) {
	addRequests(f, 0)
	f.Add("SendMessage", []byte(`{"MessageBody":"\ud800"}`))
	f.Add("SendMessage", []byte(`{"MessageAttributes":{"a":{"StringListValues":[null,"x"],"BinaryValue":"AQ=="}}}`))
	f.Add("CreateQueue", []byte(`{"Attributes":{"a":1,"b":true,"c":null},"Tags":{"\u0000":"\uffff"}}`))
	f.Add("ReceiveMessage", []byte(`{"MaxNumberOfMessages":1.0e1,"WaitTimeSeconds":"-0"}`))
	f.Fuzz(func(t *testing.T, action string, body []byte) {
		kept := slices.Clone(body)
		r := jsonRequest(action, string(body))
		call, err := JSON.Decode(r)
		if got := MayWait(JSON, r); got != (call.Operation == ReceiveMessage) {
			t.Errorf("MayWait is %v for %q", got, call.Operation)
		}
		switch {
		case err == nil:
			checkStable(t, call)
		case err.Kind != Serialization && err.Kind != UnknownOperation:
			t.Errorf("unexpected error %v", err)
		case !ValidText(string(JSON.EncodeError(err, "r").Body)):
			t.Errorf("the error %q is not text", err.Message)
		}
		if !bytes.Equal(kept, body) {
			t.Error("the request was changed")
		}
	})
}

func FuzzQueryDecode(f *testing.F) {
	addRequests(f, 1)
	f.Add("ReceiveMessage", []byte("AttributeName=All&MessageAttributeNames.00002=%C3%A9&MessageAttributeNames.1=a+b"))
	f.Add("SendMessage", []byte("MessageAttribute.Name=a&MessageAttribute.Value.StringListValue.99999999999999999999=x&MessageBody=%"))
	f.Add("SendMessageBatch", []byte("Entries=&SendMessageBatchRequestEntry.1=x&SendMessageBatchRequestEntry..Id=y&SendMessageBatchRequestEntry.1..Id=z"))
	f.Fuzz(func(t *testing.T, action string, form []byte) {
		r := formRequest("Action=" + action)
		r.RawQuery = string(form)
		call, err := Query.Decode(r)
		switch {
		case err == nil:
			checkStable(t, call)
		case !slices.Contains([]*Kind{Serialization, UnknownOperation, MissingAction, InvalidParameterValue, MissingParameter}, err.Kind):
			t.Errorf("unexpected error %v", err)
		case !ValidText(string(Query.EncodeError(err, "r").Body)):
			t.Errorf("the error %q is not text", err.Message)
		}
	})
}

// readAny reads a value of any kind as the standard library would with
// UseNumber.
func readAny(d *jsonDecoder) (any, *Error) {
	kind, err := d.next()
	if err != nil {
		return nil, err
	}
	switch kind {
	case jsonString:
		text, err := d.str()
		return string(text), err
	case jsonNumber:
		text, err := d.number()
		return json.Number(text), err
	case jsonTrue, jsonFalse:
		return kind == jsonTrue, d.literal(kind)
	case jsonNull:
		return nil, d.literal(kind)
	}
	if err := d.enter(); err != nil {
		return nil, err
	}
	object, list := map[string]any{}, []any{}
	closing := byte(']')
	if kind == jsonObject {
		closing = '}'
	}
	for first := true; ; first = false {
		more, err := d.more(first, closing)
		switch {
		case err != nil:
			return nil, err
		case !more && kind == jsonObject:
			return object, nil
		case !more:
			return list, nil
		}
		var key string
		if kind == jsonObject {
			name, err := d.name()
			if err != nil {
				return nil, err
			}
			key = string(name)
		}
		item, err := readAny(d)
		if err != nil {
			return nil, err
		}
		object[key] = item
		list = append(list, item)
	}
}

// FuzzJSONReaderAgainstStdlib compares with encoding/json: the same texts are
// JSON and mean the same, but for what this reader refuses on purpose.
func FuzzJSONReaderAgainstStdlib(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,-0.5e+10,"\u00e9\ud83d\ude80\/",true,false,null,{}],"a":2}`, `[]`, ` "x" `, `0`, `-`, `01`, `1.`, `1e`, `[1,]`, `{"a":1,}`,
		`{"a"}`, `nul`, `tru e`, "\"\x00\"", "\"\xff\"", `"\ud800"`, `{"\ud800\ud83d\ude80":"\udc00\u0041"}`, `"\x"`, `{} {}`, `[[[[]]]]`, strings.Repeat("[", 70) + strings.Repeat("]", 70), "",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d := &jsonDecoder{jsonReader: jsonReader{data: text}}
		got, err := readAny(d)
		if err == nil {
			err = d.end()
		}

		skipper := &jsonDecoder{jsonReader: jsonReader{data: text}}
		kind, skipErr := skipper.next()
		if skipErr == nil {
			skipErr = skipper.skip(kind)
		}
		if skipErr == nil {
			skipErr = skipper.end()
		}
		if diff := cmp.Diff(err, skipErr); diff != "" {
			t.Errorf("reading and skipping differ:\n%s", diff)
		}

		std := json.NewDecoder(bytes.NewReader(text))
		std.UseNumber()
		var want any
		stdErr := std.Decode(&want)
		if stdErr == nil {
			if _, more := std.Token(); more != io.EOF {
				stdErr = io.ErrUnexpectedEOF
			}
		}
		switch {
		case err == nil && stdErr != nil:
			t.Errorf("took %q, which is not JSON: %v", text, stdErr)
		case err == nil && !mayHaveHalf(text, got):
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-standard +ours):\n%s", diff)
			}
		case err != nil && stdErr == nil && !refusedOnPurpose(err):
			t.Errorf("refused %q: %v", text, err)
		}
	})
}

func refusedOnPurpose(err *Error) bool {
	return strings.Contains(err.Message, "nesting too deep") || strings.Contains(err.Message, "invalid UTF-8")
}

// mayHaveHalf tells whether a value was read from a text with half of a
// surrogate pair, which the standard library reads as U+FFFD.
func mayHaveHalf(text []byte, value any) bool {
	return surrogate.Match(text) && strings.ContainsRune(fmt.Sprint(value), noText)
}

var surrogate = regexp.MustCompile(`(?i)\\ud[89a-f]`)

func FuzzXMLEscape(f *testing.F) {
	for _, text := range []string{"a\r\n\tb", `<&>"'`, "]]>", "🚀\ufffe\uffff", "\x00\x1f\x7f", "\xff\xed\xa0\x80", "&#xD;"} {
		f.Add(text)
	}
	f.Fuzz(checkTextSurvives)
}

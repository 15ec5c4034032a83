package protocol

import (
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"
)

// FuzzWriters holds that what both writers make of any texts, in every place
// that has one, is read by the standard library, and is as much as was put in.
func FuzzWriters(f *testing.F) {
	f.Add("id", "body", "name", "value", []byte("binary"), "message")
	f.Add("<&>", "]]></Body>", "a\"b", "\r\n", []byte{0, 0xff}, "</Message><Code>")
	f.Add("\xff", "\ufffe", "\x00", "\ud7ff", []byte(nil), "\u2028")
	f.Fuzz(func(t *testing.T, id, body, name, value string, binary []byte, message string) {
		received := &ReceiveMessageOutput{Messages: []Message{
			{
				MessageID: &id, Body: &body, ReceiptHandle: &value,
				Attributes:        map[string]string{name: value},
				MessageAttributes: map[string]MessageAttributeValue{name: {DataType: &id, StringValue: &value}, name + "2": {BinaryValue: binary}},
			},
			{Body: &value},
		}}
		parse := func(r Response) (n int) {
			t.Helper()
			if strings.HasPrefix(r.ContentType, "text/xml") {
				var x struct {
					Messages []struct{ Body string } `xml:"ReceiveMessageResult>Message"`
				}
				if err := xml.Unmarshal(r.Body, &x); err != nil {
					t.Fatalf("%v in %q", err, r.Body)
				}
				return len(x.Messages)
			}
			var j struct{ Messages []struct{ Body *string } }
			if err := json.Unmarshal(r.Body, &j); err != nil {
				t.Fatalf("%v in %q", err, r.Body)
			}
			return len(j.Messages)
		}
		for _, codec := range []Codec{JSON, Query} {
			if n := parse(codec.EncodeOutput(ReceiveMessage, received, id)); n != len(received.Messages) {
				t.Errorf("%s: %d messages of %d", codec.Name(), n, len(received.Messages))
			}
			failure := codec.EncodeError(InvalidParameterValue.New(message), id)
			if parse(failure) != 0 || failure.Status != 400 {
				t.Errorf("%s: the error became %d %s", codec.Name(), failure.Status, failure.Body)
			}
			if strings.ContainsAny(failure.QueryError, "\r\n") || strings.ContainsAny(failure.ContentType, "\r\n") {
				t.Errorf("%s: a line ends in a header of %+v", codec.Name(), failure)
			}
		}
	})
}

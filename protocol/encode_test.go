package protocol

import (
	"encoding/json"
	"encoding/xml"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestEmptyAnswers(t *testing.T) {
	t.Parallel()
	for _, op := range Operations() {
		t.Run(string(op), func(t *testing.T) {
			t.Parallel()
			frame := func(inside string) string {
				return `<?xml version="1.0"?><` + string(op) + `Response xmlns="http://queue.amazonaws.com/doc/2012-11-05/">` + inside +
					`<ResponseMetadata><RequestId>r&amp;1</RequestId></ResponseMetadata></` + string(op) + `Response>`
			}
			wantJSON, wantXML := "", frame("")
			outputs := []any{nil}
			if op.HasOutput() {
				wantJSON, wantXML = "{}", frame("<"+string(op)+"Result/>")
				outputs = append(outputs, reflect.New(specOf[op].outputType.Elem()).Interface(), reflect.Zero(specOf[op].outputType).Interface())
			}
			for _, output := range outputs {
				asJSON := JSON.EncodeOutput(op, output, "r&1")
				if diff := cmp.Diff(Response{Status: 200, ContentType: "application/x-amz-json-1.0", Body: []byte(wantJSON)}, asJSON, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("JSON of %#v (-want +got):\n%s", output, diff)
				}
				asXML := Query.EncodeOutput(op, output, "r&1")
				if diff := cmp.Diff(Response{Status: 200, ContentType: "text/xml", Body: []byte(wantXML)}, asXML); diff != "" {
					t.Errorf("XML of %#v (-want +got):\n%s", output, diff)
				}
			}
		})
	}
}

// TestEmptyMembersLeftOut checks that an empty list, map or blob looks like an
// absent one, and an empty string does not.
func TestEmptyMembersLeftOut(t *testing.T) {
	t.Parallel()
	batch := &SendMessageBatchOutput{Successful: []SendMessageBatchResultEntry{}, Failed: []BatchResultErrorEntry{{ID: new(""), SenderFault: new(true)}}}
	received := &ReceiveMessageOutput{Messages: []Message{{
		Attributes:        map[string]string{},
		MessageAttributes: map[string]MessageAttributeValue{"a": {BinaryValue: []byte{}, StringListValues: []string{}, DataType: new("String")}},
	}}}
	for name, tc := range map[string]struct {
		op                Operation
		output            any
		wantJSON, wantXML string
	}{
		"Batch": {
			SendMessageBatch, batch, `{"Failed":[{"Id":"","SenderFault":true}]}`,
			`<BatchResultErrorEntry><Id></Id><SenderFault>true</SenderFault></BatchResultErrorEntry>`,
		},
		"Message": {
			ReceiveMessage, received, `{"Messages":[{"MessageAttributes":{"a":{"DataType":"String"}}}]}`,
			`<Message><MessageAttribute><Name>a</Name><Value><DataType>String</DataType></Value></MessageAttribute></Message>`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := string(JSON.EncodeOutput(tc.op, tc.output, "r").Body); got != tc.wantJSON {
				t.Errorf("JSON:\n got %s\nwant %s", got, tc.wantJSON)
			}
			_, got, _ := strings.Cut(string(Query.EncodeOutput(tc.op, tc.output, "r").Body), "Result>")
			got, _, _ = strings.Cut(got, "</"+string(tc.op)+"Result>")
			if got != tc.wantXML {
				t.Errorf("XML:\n got %s\nwant %s", got, tc.wantXML)
			}
		})
	}
}

// TestAnswersDoNotShareMemory guards the buffer that answers are collected in:
// a later answer must not write into an earlier one.
func TestAnswersDoNotShareMemory(t *testing.T) {
	t.Parallel()
	for _, codec := range []Codec{JSON, Query, QueryJSON} {
		for _, size := range []int{10, maxScratch + 1} {
			answer := func(letter string) []byte {
				return codec.EncodeOutput(GetQueueURL, &GetQueueURLOutput{QueueURL: new(strings.Repeat(letter, size))}, "r").Body
			}
			first := answer("a")
			kept := string(first)
			for range 100 {
				answer("b")
			}
			if string(first) != kept {
				t.Errorf("%T: an answer of %d bytes was overwritten", codec, size)
			}
		}
	}
}

// TestOutputOfAnotherOperation shows that a mix-up in the program is loud.
func TestOutputOfAnotherOperation(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("a SendMessage answered with the output of CreateQueue")
		}
	}()
	JSON.EncodeOutput(SendMessage, &CreateQueueOutput{}, "r")
}

func TestXMLText(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ text, want string }{
		"Plain":               {"hello", "hello"},
		"Empty":               {"", ""},
		"Markup":              {`<a>&"'</a>]]>`, "&lt;a&gt;&amp;&quot;'&lt;/a&gt;]]&gt;"},
		"CarriageReturn":      {"a\r\nb\r", "a&#xD;\nb&#xD;"},
		"LineFeedAndTabStay":  {"a\n\tb", "a\n\tb"},
		"SpacesStay":          {"  a  ", "  a  "},
		"Unicode":             {"é🚀\u007f\u0080\u009f\u2028\ufeff", "é🚀\u007f\u0080\u009f\u2028\ufeff"},
		"ReplacementStays":    {"a\ufffdb", "a\ufffdb"},
		"ControlsReplaced":    {"a\x00\x08\x0b\x0c\x1fb", "a\ufffd\ufffd\ufffd\ufffd\ufffdb"},
		"NoncharsReplaced":    {"a\ufffe\uffffb", "a\ufffd\ufffdb"},
		"AstralNoncharsStay":  {"\U0001fffe\U0010ffff", "\U0001fffe\U0010ffff"},
		"BrokenUTF8Replaced":  {"a\xff\xc3b\xed\xa0\x80", "a\ufffd\ufffdb\ufffd\ufffd\ufffd"},
		"ReplacementAtTheEnd": {"ab\x01", "ab\ufffd"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := string(appendXMLText(nil, tc.text)); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// checkTextSurvives reads a text back through the standard library's parsers
// from the answers of both protocols.
func checkTextSurvives(t *testing.T, text string) {
	t.Helper()
	output := &ReceiveMessageOutput{Messages: []Message{{
		Body: &text, MessageAttributes: map[string]MessageAttributeValue{"a": {StringValue: &text}},
	}}}
	want := text
	if !ValidText(text) {
		want = strings.Map(func(r rune) rune {
			if !ValidText(string(r)) {
				return utf8.RuneError
			}
			return r
		}, text)
	}
	var fromXML struct {
		Bodies []string `xml:"ReceiveMessageResult>Message>Body"`
		Values []string `xml:"ReceiveMessageResult>Message>MessageAttribute>Value>StringValue"`
	}
	body := Query.EncodeOutput(ReceiveMessage, output, "r").Body
	if err := xml.Unmarshal(body, &fromXML); err != nil {
		t.Fatalf("%v in %q", err, body)
	}
	if fromXML.Bodies[0] != want || fromXML.Values[0] != want {
		t.Errorf("XML: %q became %q and %q", text, fromXML.Bodies[0], fromXML.Values[0])
	}
	wantJSON := strings.Map(func(r rune) rune { return r }, text) // U+FFFD for bytes that are not UTF-8
	for _, codec := range []Codec{JSON, QueryJSON} {
		body := codec.EncodeOutput(ReceiveMessage, output, "r").Body
		if !json.Valid(body) || !utf8.Valid(body) {
			t.Errorf("not JSON: %q", body)
		}
	}
	var fromJSON ReceiveMessageOutput
	if err := json.Unmarshal(JSON.EncodeOutput(ReceiveMessage, output, "r").Body, &fromJSON); err != nil {
		t.Fatal(err)
	}
	if got := *fromJSON.Messages[0].Body; got != wantJSON {
		t.Errorf("JSON: %q became %q", text, got)
	}
}

func TestTextSurvives(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"LineEnds":     "a\r\nb\rc\n\r\n",
		"Tabs":         "\ta\t\tb\t",
		"Quotes":       `"it's" &quot; &#xD; <![CDATA[x]]>`,
		"XMLDocument":  `<?xml version="1.0"?><a b="c">d</a>`,
		"Emoji":        "🚀👩‍👩‍👧é",
		"Controls":     "\x00\x01\x1f",
		"C1":           "\u007f\u0080\u009f Ã",
		"NotUTF8":      "a\xffb",
		"Separators":   "\u2028\u2029\ufeff",
		"JSONDocument": `{"a":"\u0000\n"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkTextSurvives(t, text)
		})
	}
}

// TestOutputsRoundTrip reads every golden output back: the JSON by this
// package's decoder, the XML by the standard parser and then, element by
// element, as if it were Query parameters.
func TestOutputsRoundTrip(t *testing.T) {
	t.Parallel()
	for op, c := range actionCases() {
		if c.output == nil {
			continue
		}
		t.Run(string(op), func(t *testing.T) {
			t.Parallel()
			s := specOf[op]
			fromJSON := reflect.New(s.outputType.Elem())
			if err := decodeJSON(JSON.EncodeOutput(op, c.output, "r").Body, s.output, fromJSON.Elem()); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.output, fromJSON.Interface()); diff != "" {
				t.Errorf("JSON (-want +got):\n%s", diff)
			}
			var answer struct {
				Nodes []xmlNode `xml:",any"`
			}
			if err := xml.Unmarshal(Query.EncodeOutput(op, c.output, "r").Body, &answer); err != nil {
				t.Fatal(err)
			}
			fromXML := reflect.New(s.outputType.Elem())
			if err := decodeParams(s.output, fromXML.Elem(), paramsOf(answer.Nodes[0].Nodes, s.output, "", nil)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.output, fromXML.Interface(), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("XML (-want +got):\n%s", diff)
			}
		})
	}
}

type xmlNode struct {
	XMLName xml.Name
	Text    string    `xml:",chardata"`
	Nodes   []xmlNode `xml:",any"`
}

// paramsOf writes elements as parameters, numbering those of lists and maps.
func paramsOf(nodes []xmlNode, s *shape, prefix string, params []param) []param {
	counts := map[string]int{}
	for _, n := range nodes {
		name := prefix + n.XMLName.Local
		var inner *shape
		for i := range s.fields {
			f := &s.fields[i]
			if f.query != n.XMLName.Local {
				continue
			}
			inner = f.shape
			if inner.elem != nil {
				counts[name]++
				name += "." + strconv.Itoa(counts[name])
			}
			switch inner.kind {
			case kindList:
				inner = inner.elem
			case kindMap:
				inner = &shape{kind: kindStruct, fields: []field{
					{query: f.key, shape: &shape{kind: kindString}}, {query: f.value, shape: inner.elem},
				}}
			}
			break
		}
		if inner != nil && inner.kind == kindStruct {
			params = paramsOf(n.Nodes, inner, name+".", params)
			continue
		}
		params = append(params, param{full: []byte(name), name: []byte(name), value: n.Text})
	}
	return params
}

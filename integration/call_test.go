package integration

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// args are the members of a request as the JSON protocol names them. The SDK
// cannot say a zero where zero is its "absent", and refuses by itself what a
// server should refuse; a call can say anything.
type args map[string]any

// list is a list member of args.
type list []any

// reply is an answer of either protocol.
type reply struct {
	Status int
	Header http.Header
	Body   string
	// Shape is the JSON error's __type; empty on Query.
	Shape string
	// Code is the code that both protocols know an error by; empty on success.
	Code    string
	Message string
}

// call performs one action, given as plain members, in the protocol of e.
func (e *env) call(t *testing.T, action string, in args) *reply {
	t.Helper()
	if e.wire.query {
		form := url.Values{"Action": {action}, "Version": {"2012-11-05"}}
		flatten(form, action, in)
		return e.post(t, "/", http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, form.Encode())
	}
	body, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	return e.post(t, "/", jsonHeader(action), string(body))
}

// jsonHeader is the header of a JSON request.
func jsonHeader(action string) http.Header {
	return http.Header{"Content-Type": {"application/x-amz-json-1.0"}, "X-Amz-Target": {"AmazonSQS." + action}}
}

// post posts a body to a path of the server, signed in the name of e's account.
func (e *env) post(t *testing.T, path string, header http.Header, body string) *reply {
	t.Helper()
	return e.request(t, http.MethodPost, path, header, strings.NewReader(body))
}

// get sends a GET to a path, which may carry a query string.
func (e *env) get(t *testing.T, path string, header http.Header) *reply {
	t.Helper()
	return e.request(t, http.MethodGet, path, header, nil)
}

// request sends one HTTP request. Headers given twice or more go out so; Host
// sets the host.
func (e *env) request(t *testing.T, method, path string, header http.Header, body io.Reader) *reply {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, e.url+path, body)
	if err != nil {
		t.Fatal(err)
	}
	if header != nil {
		req.Header = header.Clone()
	}
	req.Host = req.Header.Get("Host")
	req.Header.Del("Host")
	if _, given := req.Header["Authorization"]; !given {
		req.Header.Set("Authorization", fmt.Sprintf("AWS4-HMAC-SHA256 Credential=%s/20260101/%s/sqs/aws4_request, SignedHeaders=host, Signature=00", e.account, e.region))
	}
	res, err := e.http.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close()
	return readReply(t, res)
}

// readReply reads an answer, whose protocol its Content-Type tells.
func readReply(t *testing.T, res *http.Response) *reply {
	t.Helper()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	r := &reply{Status: res.StatusCode, Header: res.Header, Body: string(body)}
	if res.StatusCode == http.StatusOK {
		return r
	}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/xml") {
		var x struct {
			XMLName xml.Name
			Error   struct{ Type, Code, Message string }
		}
		if err := xml.Unmarshal(body, &x); err != nil {
			t.Fatalf("an error that is no XML: %v\n%s", err, body)
		}
		r.Code, r.Message = x.Error.Code, x.Error.Message
		return r
	}
	var j struct {
		Type    string `json:"__type"`
		Message string `json:"message"`
	}
	if err := json.Unmarshal(body, &j); err != nil {
		t.Fatalf("an error that is no JSON: %v\n%s", err, body)
	}
	r.Shape, r.Message = j.Type, j.Message
	r.Code, _, _ = strings.Cut(res.Header.Get("X-Amzn-Query-Error"), ";")
	return r
}

// wantOK checks that a call succeeded.
func (r *reply) wantOK(t *testing.T) *reply {
	t.Helper()
	if r.Status != http.StatusOK {
		t.Fatalf("status %d, %s: %s", r.Status, r.Code, r.Message)
	}
	return r
}

// wantCode checks an error's code and that it is the caller's fault.
func (r *reply) wantCode(t *testing.T, code string) *reply {
	t.Helper()
	if r.Code != code || r.Status < 400 || r.Status > 499 {
		t.Errorf("answer is %d %q (%s), want a 4xx %q", r.Status, r.Code, r.Message, code)
	}
	return r
}

// wantText checks a part of an error's message.
func (r *reply) wantText(t *testing.T, part string) *reply {
	t.Helper()
	if !strings.Contains(r.Message, part) {
		t.Errorf("the message is %q, want %q in it", r.Message, part)
	}
	return r
}

// member names the Query parameters that differ from their JSON members.
var member = map[string]string{
	"AttributeNames": "AttributeName", "MessageAttributeNames": "MessageAttributeName",
	"MessageSystemAttributeNames": "MessageSystemAttributeName", "TagKeys": "TagKey",
	"AWSAccountIds": "AWSAccountId", "Actions": "ActionName", "Attributes": "Attribute",
	"tags": "Tag", "Tags": "Tag", "MessageAttributes": "MessageAttribute",
	"MessageSystemAttributes": "MessageSystemAttribute",
}

// flatten writes members as Query parameters.
func flatten(form url.Values, action string, in args) {
	for _, name := range slices.Sorted(maps.Keys(in)) {
		param := name
		if m, ok := member[name]; ok {
			param = m
		}
		if name == "Entries" {
			param = action + "RequestEntry"
		}
		flattenValue(form, param, in[name])
	}
}

// flattenValue writes one value under a parameter name.
func flattenValue(form url.Values, param string, value any) {
	switch v := value.(type) {
	case nil:
	case list:
		for i, x := range v {
			flattenValue(form, fmt.Sprintf("%s.%d", param, i+1), x)
		}
	case attrs:
		key := "Name"
		if param == "Tag" {
			key = "Key"
		}
		for i, k := range slices.Sorted(maps.Keys(v)) {
			form.Set(fmt.Sprintf("%s.%d.%s", param, i+1, key), k)
			form.Set(fmt.Sprintf("%s.%d.Value", param, i+1), v[k])
		}
	case map[string]args: // message attributes
		for i, k := range slices.Sorted(maps.Keys(v)) {
			form.Set(fmt.Sprintf("%s.%d.Name", param, i+1), k)
			flattenValue(form, fmt.Sprintf("%s.%d.Value", param, i+1), v[k])
		}
	case args:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			name := k
			if m, ok := member[k]; ok {
				name = m
			}
			flattenValue(form, param+"."+name, v[k])
		}
	default:
		form.Set(param, fmt.Sprint(v))
	}
}

// message is a received message as a plain call sees it.
type message struct{ MessageId, ReceiptHandle, Body, MD5OfBody, MD5OfMessageAttributes string } //nolint:revive // the wire's spelling

// messages reads the messages of a ReceiveMessage answer.
func (r *reply) messages(t *testing.T) []message {
	t.Helper()
	r.wantOK(t)
	var ms []message
	var err error
	if strings.HasPrefix(r.Header.Get("Content-Type"), "text/xml") {
		var x struct {
			Messages []message `xml:"ReceiveMessageResult>Message"`
		}
		err = xml.NewDecoder(bytes.NewBufferString(r.Body)).Decode(&x)
		ms = x.Messages
	} else {
		var j struct{ Messages []message }
		err = json.Unmarshal([]byte(r.Body), &j)
		ms = j.Messages
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, r.Body)
	}
	return ms
}

package load

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Protocol is one of the two that SQS speaks.
type Protocol int

// The protocols.
const (
	JSON Protocol = iota
	Query
)

// DefaultBody is the size of a message's body unless another is asked for, in
// bytes.
const DefaultBody = 1024

// exampleKey is the access key of AWS's documents.
const exampleKey = "AKIAIOSFODNN7EXAMPLE"

// WireOptions say how requests look.
type WireOptions struct {
	// URL is the endpoint: scheme http or https, host, and a port and a path if
	// they are not the usual ones.
	URL      string
	Protocol Protocol
	// Body is the size of each message, in bytes; 0 for DefaultBody.
	Body int
	// Region is in the form of a signature that requests have without a
	// Signer; empty for us-east-1.
	Region string
	// Signer signs each request; nil for none. Without it a request has a
	// signature of the right form that proves nothing.
	Signer *Signer
}

// Wire makes requests for one server in the bytes that the AWS SDK for Go would
// send. It is safe for concurrent use.
type Wire struct {
	// Addr is host and port to dial.
	Addr     string
	Protocol Protocol
	tls      bool
	// host is the Host header and serverName its host, path where requests go.
	host, serverName, path string
	// payload is a message's body as the protocol writes it.
	payload     string
	contentType string
	// fixed are the headers that are the same in every request.
	fixed  string
	signer *Signer
}

// NewWire makes a Wire. A URL that is none, or not of HTTP, is an error.
func NewWire(o WireOptions) (*Wire, error) {
	u, err := url.Parse(o.URL)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.RawQuery != "" {
		return nil, fmt.Errorf("%q is not an endpoint: write http:// or https://, a host and a port", o.URL)
	}
	port := "80"
	if u.Scheme == "https" {
		port = "443"
	}
	w := &Wire{
		Addr: net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), port)), Protocol: o.Protocol, tls: u.Scheme == "https",
		host: u.Host, serverName: u.Hostname(), path: cmp.Or(u.EscapedPath(), "/"), signer: o.Signer,
	}
	w.contentType = "application/x-amz-json-1.0"
	text := bodyOf(cmp.Or(o.Body, DefaultBody))
	if o.Protocol == Query {
		w.contentType = "application/x-www-form-urlencoded; charset=utf-8"
		w.payload = url.QueryEscape(text)
	} else {
		w.payload = strings.ReplaceAll(text, `"`, `\"`)
	}
	headers := []string{
		"Host: " + w.host,
		"User-Agent: aws-sdk-go-v2/1.48.0 ua/2.1 os/linux lang/go#1.26.0 md/GOOS#linux md/GOARCH#amd64 api/sqs#1.53.0 m/E,e",
		"Accept-Encoding: identity",
		"Amz-Sdk-Invocation-Id: 0b6c1f2e-3c55-4f0e-9d53-6a1f62c7a8de",
		"Amz-Sdk-Request: attempt=1; max=3",
		"Content-Type: " + w.contentType,
	}
	if o.Signer == nil {
		now := time.Now().UTC()
		headers = append(headers,
			"Authorization: AWS4-HMAC-SHA256 Credential="+exampleKey+"/"+now.Format(amzDay)+"/"+cmp.Or(o.Region, "us-east-1")+
				"/sqs/aws4_request, SignedHeaders=amz-sdk-invocation-id;amz-sdk-request;content-length;content-type;host;x-amz-date;x-amz-target, "+
				"Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7",
			"X-Amz-Date: "+now.Format(amzDate))
	}
	w.fixed = strings.Join(headers, "\r\n") + "\r\n"
	return w, nil
}

// bodyOf is a body as services send them: JSON, so that it has quotes for the
// codecs to escape and unescape. A small one is only letters.
func bodyOf(size int) string {
	const head, tail = `{"type":"order.created","version":3,"payload":"`, `"}`
	if size < len(head)+len(tail) {
		return strings.Repeat("x", size)
	}
	return head + strings.Repeat("x", size-len(head)-len(tail)) + tail
}

// append adds one whole request to dst.
func (w *Wire) append(dst []byte, a Action, body []byte) []byte {
	dst = append(dst, "POST "...)
	dst = append(dst, w.path...)
	dst = append(dst, " HTTP/1.1\r\n"...)
	dst = append(dst, w.fixed...)
	if w.Protocol == JSON {
		dst = append(dst, "X-Amz-Target: AmazonSQS."...)
		dst = append(dst, a.String()...)
		dst = append(dst, "\r\n"...)
	}
	if w.signer != nil {
		dst = w.appendSignature(dst, a, body, time.Now().UTC())
	}
	dst = append(dst, "Content-Length: "...)
	dst = strconv.AppendInt(dst, int64(len(body)), 10)
	dst = append(dst, "\r\n\r\n"...)
	return append(dst, body...)
}

// appendSignature adds the headers of a signature.
func (w *Wire) appendSignature(dst []byte, a Action, body []byte, at time.Time) []byte {
	date := at.Format(amzDate)
	headers := []header{{"content-type", w.contentType}, {"host", w.host}, {"x-amz-date", date}}
	dst = append(dst, "X-Amz-Date: "+date+"\r\n"...)
	if w.signer.Token != "" {
		headers = append(headers, header{"x-amz-security-token", w.signer.Token})
		dst = append(dst, "X-Amz-Security-Token: "+w.signer.Token+"\r\n"...)
	}
	if w.Protocol == JSON {
		headers = append(headers, header{"x-amz-target", "AmazonSQS." + a.String()})
	}
	return append(dst, "Authorization: "+w.signer.authorization("POST", w.path, headers, body, at)+"\r\n"...)
}

// maxSignatureAge is how long a request that never changes keeps its
// signature: AWS takes some minutes.
const maxSignatureAge = time.Minute

// Request is a request that can be made again and again.
type Request struct {
	Action Action
	wire   *Wire
	body   []byte
	made   atomic.Pointer[madeRequest]
}

type madeRequest struct {
	bytes []byte
	at    time.Time
}

// request makes a request of a finished form.
func (w *Wire) request(a Action, body []byte) *Request {
	r := &Request{Action: a, wire: w, body: body}
	r.sign()
	return r
}

func (r *Request) sign() []byte {
	m := &madeRequest{r.wire.append(nil, r.Action, r.body), time.Now()}
	r.made.Store(m)
	return m.bytes
}

// Bytes are those of the whole request, with a signature that is still good.
// They must not be changed.
func (r *Request) Bytes() []byte {
	m := r.made.Load()
	if r.wire.signer != nil && time.Since(m.at) > maxSignatureAge {
		return r.sign()
	}
	return m.bytes
}

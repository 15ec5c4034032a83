package gateway

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"queues/compat"
	"queues/protocol"
)

// benchRequest is a SendMessage of 1 KB as the SDKs send it.
func benchRequest() string {
	body := `{"MessageBody":"` + strings.Repeat("m", 1024) + `","QueueUrl":"http://127.0.0.1:9324/000000000000/jobs"}`
	return "POST / HTTP/1.1\r\nHost: 127.0.0.1:9324\r\nUser-Agent: aws-sdk-go-v2/1.48.0\r\nContent-Length: " + strconv.Itoa(len(body)) +
		"\r\nAmz-Sdk-Invocation-Id: 00000000-0000-0000-0000-000000000000\r\nAmz-Sdk-Request: attempt=1; max=3" +
		"\r\nAuthorization: AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20260101/us-east-1/sqs/aws4_request, SignedHeaders=amz-sdk-invocation-id;content-length;content-type;host;x-amz-date;x-amz-target, Signature=0000000000000000000000000000000000000000000000000000000000000000" +
		"\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Date: 20260101T000000Z\r\nX-Amz-Target: AmazonSQS.SendMessage\r\nX-Amzn-Query-Mode: true\r\n\r\n" + body
}

// BenchmarkSend compares the whole gateway over a service that answers at once,
// without and with its log, with a plain handler that reads the body and answers
// a constant, all over real connections, client included.
func BenchmarkSend(b *testing.B) {
	id, md5 := "00000000-0000-0000-0000-000000000000", "00000000000000000000000000000000"
	out := &protocol.SendMessageOutput{MessageID: &id, MD5OfMessageBody: &md5}
	gateway := func(log slog.Handler) func() server {
		o := Options{
			Service: fakeService(func(context.Context, compat.Caller, protocol.Call) (compat.Result, *protocol.Error) {
				return compat.Result{Output: out}, nil
			}),
			Log: slog.New(log), Account: "000000000000", Region: "us-east-1",
		}
		return func() server { return New(o) }
	}
	constant := []byte(`{"MD5OfMessageBody":"` + md5 + `","MessageId":"` + id + `"}`)
	null := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.Header().Set("Content-Length", strconv.Itoa(len(constant)))
		_, _ = w.Write(constant)
	})
	// The linter takes a handler over io.Discard itself for one meant to be silent.
	nowhere := struct{ io.Writer }{io.Discard}
	for _, bench := range []struct {
		name  string
		start func() server
	}{
		{"Gateway", gateway(slog.DiscardHandler)},
		{"Logged", gateway(slog.NewTextHandler(nowhere, nil))},
		{"Null", func() server { return &http.Server{Handler: null} }},
	} {
		b.Run(bench.name, func(b *testing.B) { benchSend(b, bench.start()) })
	}
}

// server is what both kinds of server can do.
type server interface {
	Serve(net.Listener) error
	Close() error
}

// benchSend makes sends to a server over 32 connections for each processor.
func benchSend(b *testing.B, s server) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	go func() { _ = s.Serve(l) }()
	defer s.Close()
	request := benchRequest()
	b.SetParallelism(32)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			b.Error(err)
			return
		}
		defer c.Close()
		r := bufio.NewReader(c)
		for pb.Next() {
			_, _ = io.WriteString(c, request)
			resp, err := http.ReadResponse(r, nil)
			if err != nil || resp.StatusCode != 200 {
				b.Errorf("got %v, %v", resp, err)
				return
			}
			_, _ = io.Copy(io.Discard, resp.Body)
		}
	})
}

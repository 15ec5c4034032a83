//go:build linux

package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"
)

// nullAnswer is as long as the answer to a SendMessage.
const nullAnswer = `{"MD5OfMessageBody":"d41d8cd98f00b204e9800998ecf8427e","MessageId":"219f8380-5770-4cc2-8c3e-5c715e145f5e"}`

// serveNull runs the null handler on addr until the context ends: it reads the
// request and answers a constant.
func serveNull(ctx context.Context, addr string) error {
	answer := []byte(nullAnswer)
	return serveHTTP(ctx, addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return
		}
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		_, _ = w.Write(answer)
	}))
}

// serveHTTP serves until the context ends.
func serveHTTP(ctx context.Context, addr string, h http.Handler) error {
	l, err := listen(ctx, addr)
	if err != nil {
		return err
	}
	s := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	stop := context.AfterFunc(ctx, func() { _ = s.Close() })
	defer stop()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func listen(ctx context.Context, addr string) (net.Listener, error) {
	var c net.ListenConfig
	return c.Listen(ctx, "tcp", addr)
}

// freeAddr gives an address of the loopback interface that nobody listens on.
func freeAddr(ctx context.Context) (string, error) {
	l, err := listen(ctx, "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

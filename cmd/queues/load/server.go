package load

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"time"
)

// Server is what is loaded.
type Server struct {
	// Name is how errors call it.
	Name string
	Wire *Wire
	// PID is its process, whose CPU time is read; 0 for none.
	PID int
	// CPU reads its CPU time where that is not the time of one process; nil for
	// that of PID.
	CPU func() (time.Duration, error)
	// Redials lets connections be dialed anew where the server ends them after
	// an answer, as some always do. Without it that is a failure.
	Redials bool
	// Roots are whose certificates are taken; nil for the system's.
	Roots *x509.CertPool
}

// Dial opens one connection, which is closed when the context ends.
func (s *Server) Dial(ctx context.Context) (*Conn, error) {
	c, err := s.dial(ctx)
	if err != nil {
		return nil, err
	}
	hooked := func(c net.Conn) func() bool { return context.AfterFunc(ctx, func() { _ = c.Close() }) }
	open := NewConn(c)
	open.unhook = hooked(c)
	if s.Redials {
		open.redial = func() (net.Conn, error) {
			open.unhook()
			c, err := s.dial(ctx)
			if err == nil {
				open.unhook = hooked(c)
			}
			return c, err
		}
	}
	return open, nil
}

func (s *Server) dial(ctx context.Context) (net.Conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", s.Wire.Addr)
	if err != nil {
		return nil, err
	}
	if s.Wire.tls {
		secure := tls.Client(c, &tls.Config{ServerName: s.Wire.serverName, RootCAs: s.Roots, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}})
		if err := secure.HandshakeContext(ctx); err != nil {
			return nil, errors.Join(err, c.Close())
		}
		c = secure
	}
	return c, nil
}

// cpu is the CPU time that the server has used so far; 0 where nothing says
// which process it is.
func (s *Server) cpu() (time.Duration, error) {
	switch {
	case s.CPU != nil:
		return s.CPU()
	case s.PID != 0:
		return CPUTime(s.PID)
	default:
		return 0, nil
	}
}

// Once makes one request on a connection of its own.
func (s *Server) Once(ctx context.Context, r *Request) error {
	_, err := s.each(ctx, 1, func(int) *Request { return r })
	return err
}

// Create makes a queue by a request for each number below n, and gives their
// URLs.
func (s *Server) Create(ctx context.Context, n int, request func(i int) *Request) ([]string, error) {
	bodies, err := s.each(ctx, n, request)
	if err != nil {
		return nil, fmt.Errorf("cannot create a queue: %w", err)
	}
	urls := make([]string, n)
	for i, body := range bodies {
		if urls[i] = s.Wire.Protocol.first(body, memberQueueURL); urls[i] == "" {
			return nil, fmt.Errorf("the answer to CreateQueue names no queue: %s", clip(body))
		}
	}
	return urls, nil
}

// each makes one request after the other and keeps the answers.
func (s *Server) each(ctx context.Context, n int, request func(i int) *Request) ([][]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute+time.Duration(n)*time.Second)
	defer cancel()
	bodies := make([][]byte, 0, n)
	var c *Conn
	for i := range n {
		if c == nil || c.ended {
			var err error
			if c, err = s.Dial(ctx); err != nil {
				return nil, err
			}
			defer c.Quit()
		}
		r := request(i)
		body, err := c.Do(r.Action, r.Bytes())
		if cause := context.Cause(ctx); err != nil && cause != nil {
			err = cause // what became of the connection follows from it
		}
		if err != nil {
			return nil, err
		}
		bodies = append(bodies, append([]byte(nil), body...))
	}
	return bodies, nil
}

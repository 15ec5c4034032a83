package gateway

import (
	"context"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/google/uuid"

	"queues/compat"
	"queues/protocol"
)

// undoTimeout bounds how long giving back a claim may take. The client is gone
// by then, so its context does not count.
const undoTimeout = 5 * time.Second

// exchange is one request on its way through the funnel.
type exchange struct {
	s *Server
	w http.ResponseWriter
	r *http.Request
	// conn is the connection that the request came on; nil in tests without one.
	conn  *countedConn
	start time.Time
	// id is the request id.
	id    string
	req   protocol.Request
	codec protocol.Codec
	peer  peer
	call  protocol.Call
	// undo takes back what the request claimed; nil for nothing to take back.
	undo func(context.Context)
	// room guards held, prepaid and ended for what a store still asks when the
	// request has ended: a receive goes on for a while after its client is gone.
	room sync.Mutex
	// ended is true once held was given back; nothing may be added any more.
	ended bool
	// held is how many bytes of the memory budget the request holds.
	held int64
	// prepaid is how much of held is for the encoded answer.
	prepaid int64
	// unread is true while there may be a body on the wire that nobody read.
	unread bool
	// written is true once the answer has begun.
	written bool
	// headers are the values of the answer's headers; see setHeader.
	headers [headers]string
	// status is what the log tells of the answer, err the error in it.
	status int
	err    *protocol.Error
}

// funnel takes every request through the same steps.
func (s *Server) funnel(w http.ResponseWriter, r *http.Request) {
	s.begin()
	defer s.end()
	x := &exchange{
		s: s, w: w, r: r,
		conn:  connOf(r),
		start: time.Now(),
		id:    uuid.NewString(),
		req: protocol.Request{
			Method:      r.Method,
			Path:        r.URL.Path,
			RawQuery:    r.URL.RawQuery,
			ContentType: r.Header.Get("Content-Type"),
			Target:      r.Header.Get("X-Amz-Target"),
			Accept:      r.Header.Get("Accept"),
		},
		codec:  protocol.Query,
		unread: r.ContentLength != 0,
	}
	defer x.finish()
	defer x.rescue()
	x.write(x.answer())
}

// answer works out the answer: everything but writing it.
func (x *exchange) answer() protocol.Response {
	x.codec = protocol.Detect(&x.req)
	if err := x.admit(); err != nil {
		return x.fail(err)
	}
	if isPreflight(x.r) {
		allowPreflight(x.w.Header(), x.r)
		return protocol.Response{Status: http.StatusNoContent}
	}
	if x.r.Method != http.MethodGet && x.r.Method != http.MethodPost {
		x.w.Header().Set("Allow", "GET, POST")
		return x.fail(errMethod)
	}
	if x.r.ContentLength != 0 && !protocol.MayWait(x.codec, &x.req) {
		x.conn.unwatch(x.start)
	}
	body, err := x.readBody()
	if err != nil {
		return x.fail(err)
	}
	x.req.Body = body
	caller := x.caller()
	x.call, err = x.codec.Decode(&x.req)
	if err != nil {
		return x.fail(err)
	}
	result, err := x.s.o.Service.Do(x.r.Context(), caller, x.call)
	if err != nil {
		return x.fail(err)
	}
	x.undo = result.Undo
	resp := x.codec.EncodeOutput(x.call.Operation, result.Output, x.id)
	if !x.holdAnswer(len(resp.Body)) {
		x.takeBack()
		return x.fail(errMemory)
	}
	return resp
}

// admit refuses what must be refused before it costs anything.
func (x *exchange) admit() *protocol.Error {
	s := x.s
	x.peer = s.peerOf(x.r)
	if err := s.admitOrigin(x.w.Header(), x.r, x.peer); err != nil {
		return err
	}
	if _, _, ok := splitHost(x.peer.host); !ok {
		return errHost
	}
	if s.draining.Load() {
		return errStopping
	}
	if c := x.conn; c != nil && c.over && s.conns.full() {
		x.w.Header().Set("Connection", "close")
		return errFull
	}
	if len(x.r.RequestURI) > s.limits.MaxHeader {
		return errLongQuery(s.limits.MaxHeader)
	}
	return nil
}

// caller says who sends the request.
func (x *exchange) caller() compat.Caller {
	var form []byte
	if x.codec.Name() != protocol.JSON.Name() {
		form = x.req.Body
	}
	c := credentialOf(x.r, form)
	caller := compat.Caller{
		Account: x.s.o.Account,
		Region:  x.s.o.Region,
		BaseURL: x.conn.baseURLOf(x.s, x.peer),
		TraceID: x.r.Header.Get("X-Amzn-Trace-Id"),
		Room:    x.holdMessages,
	}
	if IsAccount(c.key) {
		caller.Account = c.key
	}
	if c.region != "" {
		caller.Region = c.region
	}
	caller.Principal = x.conn.principalOf(c.key, caller.Account)
	return caller
}

// fail gives the answer for an error and keeps the error for the log.
func (x *exchange) fail(err *protocol.Error) protocol.Response {
	x.err = err
	return x.codec.EncodeError(err, x.id)
}

// takeBack undoes what the request claimed, once.
func (x *exchange) takeBack() {
	undo := x.undo
	if undo == nil {
		return
	}
	x.undo = nil
	ctx, cancel := context.WithTimeout(context.WithoutCancel(x.r.Context()), undoTimeout)
	defer cancel()
	undo(ctx)
}

// rescue turns a panic into one failed request.
func (x *exchange) rescue() {
	v := recover()
	if v == nil {
		return
	}
	x.s.log.LogAttrs(context.WithoutCancel(x.r.Context()), slog.LevelError, "request panicked",
		slog.String("request_id", x.id),
		slog.String("action", string(x.call.Operation)),
		slog.Any("panic", v),
		slog.String("stack", string(debug.Stack())))
	// A second panic, in taking back or in the answer, is left to net/http,
	// which closes the connection.
	x.takeBack()
	if x.written {
		panic(http.ErrAbortHandler)
	}
	x.write(x.fail(errInternal))
}

// finish gives back what the request held, and logs it.
func (x *exchange) finish() {
	x.conn.watch()
	x.room.Lock()
	x.ended = true
	x.s.memory.release(x.held)
	x.room.Unlock()
	x.log()
	if x.status == statusGone {
		// Otherwise net/http would make up a success without a body, and a
		// client that has closed only its own side would believe it.
		panic(http.ErrAbortHandler)
	}
}

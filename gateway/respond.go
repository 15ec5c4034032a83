package gateway

import (
	"errors"
	"net/http"
	"strconv"

	"queues/protocol"
)

// statusGone is what the log tells of an answer that nobody was there for.
const statusGone = 499

// header is one of the headers that an answer may have.
type header int

const (
	headerRequestID header = iota
	headerQueryError
	headerLength
	headerType
	headerConnection
	headers // how many there are
)

// headerNames are spelled as AWS spells them.
var headerNames = [headers]string{"x-amzn-RequestId", "x-amzn-query-error", "Content-Length", "Content-Type", "Connection"}

// setHeader sets a header of the answer. http.Header.Set would make a slice for
// each value and respell the name.
func (x *exchange) setHeader(h header, value string) {
	x.headers[h] = value
	x.w.Header()[headerNames[h]] = x.headers[h : h+1 : h+1]
}

// write sends the answer, head and body in one go, or takes back what the
// request claimed when nobody is there to get it. A client that closes its
// connection between this write and its own read cannot be noticed.
func (x *exchange) write(resp protocol.Response) {
	// A body that came too late ends the context too, with the client still
	// there. What was claimed for a client is worth a look at its connection.
	if x.r.Context().Err() != nil && x.err != errSlowBody || x.undo != nil && x.conn.hungUp() {
		x.status = statusGone
		x.takeBack()
		return
	}
	x.status = resp.Status
	x.setHeader(headerRequestID, x.id)
	if resp.QueryError != "" {
		x.setHeader(headerQueryError, resp.QueryError)
	}
	if resp.Status != http.StatusNoContent {
		x.setHeader(headerLength, strconv.Itoa(len(resp.Body)))
	}
	if resp.ContentType != "" {
		x.setHeader(headerType, resp.ContentType)
	}
	rc := http.NewResponseController(x.w)
	if x.unread {
		// Answer at once, not when the body has been read, and not for the next
		// request: where that begins is unknown.
		_ = rc.EnableFullDuplex()
	}
	if x.unread || x.s.draining.Load() {
		x.setHeader(headerConnection, "close")
	}
	x.written = true
	x.w.WriteHeader(resp.Status)
	var err error
	if len(resp.Body) > 0 && x.r.Method != http.MethodHead {
		_, err = x.w.Write(resp.Body)
	}
	// net/http keeps small answers back until the handler returns, when it is
	// too late to learn that they could not be written.
	if flushed := rc.Flush(); !errors.Is(flushed, http.ErrNotSupported) {
		err = errors.Join(err, flushed)
	}
	if err != nil {
		x.status = statusGone
		x.takeBack()
		return
	}
	x.undo = nil
	if x.unread {
		x.linger(rc)
	}
}

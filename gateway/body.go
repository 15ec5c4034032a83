package gateway

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"queues/protocol"
)

const (
	// firstRoom is the room reserved for a body of which nothing has come yet,
	// in bytes. Most are no longer.
	firstRoom = 8 << 10
	// largeBody is the size, in bytes, from which a body may be refused unread.
	largeBody = 64 << 10
	// mostPayload is what a large body stands for at most, in bytes: the rest of
	// it is how the messages are written.
	mostPayload = 1 << 20
	// lingerTimeout bounds the reading of a body after its request was refused.
	lingerTimeout = 5 * time.Second
	// maxUnheld is the size of an answer, in bytes, that is always let out.
	maxUnheld = 64 << 10
)

// readBody reads the whole body. Room for it is reserved before a byte is
// read, a little at first and more as the body comes: a peer holds no more than
// a few times what it has sent.
func (x *exchange) readBody() ([]byte, *protocol.Error) {
	length, limit := x.r.ContentLength, x.s.limits.MaxBody
	if length == 0 {
		return nil, nil
	}
	if length > limit {
		return nil, errTooLarge(limit)
	}
	// To find out after a megabyte has been read and decoded costs the others
	// the time of the processor, again and again.
	if busy := x.s.o.Busy; length > largeBody && busy != nil && busy(min(length, mostPayload)) {
		return nil, errBusy
	}
	rc := http.NewResponseController(x.w)
	_ = rc.SetReadDeadline(time.Now().Add(x.s.limits.BodyTimeout))
	body, err := x.readAll(length, limit)
	if err != nil {
		return nil, err
	}
	// From here on net/http reads ahead to notice when the client closes the
	// connection; a deadline would look like that.
	_ = rc.SetReadDeadline(time.Time{})
	x.unread = false
	return body, nil
}

// readAll reads a body of known length, or of at most limit bytes when the
// length is negative. The room of the buffer is held until the request ends.
func (x *exchange) readAll(length, limit int64) ([]byte, *protocol.Error) {
	most := length
	if length < 0 {
		most = limit + 1 // one byte more tells that it is too long
	}
	var body []byte
	for n := int64(0); ; {
		if n == int64(len(body)) {
			room := min(most, max(firstRoom, 4*n))
			if !x.s.memory.reserve(room) {
				return nil, errMemory
			}
			x.held += room - n
			body = append(make([]byte, 0, room), body...)[:room]
			x.s.memory.release(n)
		}
		m, err := x.r.Body.Read(body[n:])
		n += int64(m)
		switch {
		case n > limit:
			return nil, errTooLarge(limit)
		case n == length, err == io.EOF && length < 0:
			return body[:n], nil
		case errors.Is(err, os.ErrDeadlineExceeded):
			return nil, errSlowBody
		case err != nil:
			return nil, errBody
		}
	}
}

// linger reads on for a bounded while after a request was refused with its
// body still on the way, and drops what it reads: many clients look at the
// answer only when they have sent everything, and a connection closed in their
// face takes the answer with it.
func (x *exchange) linger(rc *http.ResponseController) {
	if x.r.Header.Get("Expect") != "" || x.r.ContentLength > 4*x.s.limits.MaxBody {
		return
	}
	_ = rc.SetReadDeadline(time.Now().Add(min(lingerTimeout, x.s.limits.BodyTimeout)))
	_, _ = io.CopyN(io.Discard, x.r.Body, 4*x.s.limits.MaxBody)
}

// answerCopies is how often the messages of an answer are in memory at once:
// as they were read, as they are encoded, and grown or escaped on the way.
const answerCopies = 3

// holdMessages reserves memory for the messages of an answer before they are
// read. It reports false when there is no room, or nobody to answer any more.
func (x *exchange) holdMessages(size int64) bool {
	x.room.Lock()
	defer x.room.Unlock()
	if x.ended {
		return false
	}
	room := answerCopies * size
	if !x.s.memory.reserve(room) {
		return false
	}
	x.held += room
	x.prepaid += room - size
	return true
}

// holdAnswer counts an encoded answer in the memory budget, as far as it was
// not reserved for its messages. It reports false when there is no room and the
// answer can be refused instead: a large one whose effect can be taken back.
func (x *exchange) holdAnswer(size int) bool {
	n := max(0, int64(size)-x.prepaid)
	if n > maxUnheld && x.undo != nil {
		if !x.s.memory.reserve(n) {
			return false
		}
	} else {
		x.s.memory.force(n)
	}
	x.held += n
	return true
}

package load

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
)

// head is what matters of an answer's head.
type head struct {
	status, length   int
	chunked, closing bool
}

// parseHead reads the head of an answer, without the empty line at its end.
func parseHead(text []byte) (head, error) {
	line, rest, _ := bytes.Cut(text, []byte("\r\n"))
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) {
		return head{}, fmt.Errorf("not an HTTP answer: %q", clip(line))
	}
	h := head{length: -1}
	var err error
	if h.status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return head{}, fmt.Errorf("not an HTTP status: %q", clip(line))
	}
	for len(rest) > 0 {
		line, rest, _ = bytes.Cut(rest, []byte("\r\n"))
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		switch {
		case equalFold(name, "content-length"):
			h.length, err = strconv.Atoi(string(value))
			if err != nil || h.length < 0 {
				return head{}, fmt.Errorf("not a length: %q", clip(line))
			}
		case equalFold(name, "transfer-encoding"):
			h.chunked = equalFold(value, "chunked")
		case equalFold(name, "connection"):
			h.closing = equalFold(value, "close")
		}
	}
	if h.length < 0 && !h.chunked {
		return head{}, errors.New("the answer has neither a length nor chunks")
	}
	return h, nil
}

// equalFold compares a header's name with a lower-case one, quickly.
func equalFold(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i := range b {
		if b[i]|0x20 != lower[i]|0x20 {
			return false
		}
	}
	return true
}

package protocol

import (
	"slices"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// plainJSON marks the bytes that stand for themselves in a JSON string and
// need no second look: ASCII without controls, the quote and the backslash.
var plainJSON = func() (plain [256]bool) {
	for c := byte(' '); c < utf8.RuneSelf; c++ {
		plain[c] = c != '"' && c != '\\'
	}
	return plain
}()

// noText stands for half of a surrogate pair, which is good JSON and no text.
// It is a noncharacter: no member that is stored may have it, so the check of
// the member refuses it by its own error, and one bad body of a batch does not
// fail the others.
const noText = '\uffff'

// str reads a string and returns its text as UTF-8. The bytes are valid until
// the next string is read. Text that is not Unicode is never repaired: a
// repaired body would be stored and digested as something that the caller did
// not send. Broken UTF-8 is refused; for half of a pair see noText.
func (r *jsonReader) str() ([]byte, *Error) {
	start := r.pos + 1
	// out is the text so far once there was an escape; kept is where in the
	// data the part begins that out does not have yet.
	var out []byte
	kept, ascii := start, true
	r.pos = start + plainRun(r.data[start:])
	for r.pos < len(r.data) {
		c := r.data[r.pos]
		switch {
		case plainJSON[c]:
			r.pos++
		case c >= utf8.RuneSelf:
			ascii = false
			r.pos++
		case c == '"':
			text := r.data[kept:r.pos]
			if out != nil {
				text = append(out, text...)
				r.scratch = text
			}
			r.escaped = out != nil
			if !ascii && !utf8.Valid(text) {
				return nil, r.errorAt(start, "invalid UTF-8 in the string")
			}
			r.pos++
			return text, nil
		case c == '\\':
			if out == nil {
				// The text is never longer than what is left of the request.
				out = slices.Grow(r.scratch[:0], len(r.data)-start)
			}
			var err *Error
			if out, err = r.escape(append(out, r.data[kept:r.pos]...)); err != nil {
				return nil, err
			}
			kept = r.pos
			r.pos += plainRun(r.data[r.pos:])
		default:
			return nil, r.errorAt(r.pos, "unescaped control character")
		}
	}
	return nil, r.unexpected()
}

// own makes a string of what str has just read, to be kept. Text that takes half
// of the memory that it stands in, or more, is not copied: the string then keeps
// no more than twice its size alive, however long it lives. Such is the body of
// most messages, which would otherwise be copied whole, up to a megabyte. Decoding
// a send of 1 KB takes 0.9 of the time and 0.6 of the bytes that way, with escapes
// in it: BenchmarkDecode. Nothing writes into that memory any more: see [Request].
func (r *jsonReader) own(text []byte) string {
	in := r.data
	if r.escaped {
		in = r.scratch
	}
	if len(text) == 0 || len(text) < cap(in)/2 {
		return string(text)
	}
	if r.escaped {
		r.scratch = nil
	}
	return unsafe.String(unsafe.SliceData(text), len(text))
}

// escape reads one escape sequence and appends what it stands for.
func (r *jsonReader) escape(out []byte) ([]byte, *Error) {
	at := r.pos
	r.pos++
	if r.pos >= len(r.data) {
		return nil, r.unexpected()
	}
	c := r.data[r.pos]
	r.pos++
	switch c {
	case '"', '\\', '/':
		return append(out, c), nil
	case 'b':
		return append(out, '\b'), nil
	case 'f':
		return append(out, '\f'), nil
	case 'n':
		return append(out, '\n'), nil
	case 'r':
		return append(out, '\r'), nil
	case 't':
		return append(out, '\t'), nil
	case 'u':
		return r.unicode(at, out)
	default:
		return nil, r.errorAt(at, "unknown escape")
	}
}

// unicode reads the digits of a \u escape at position at, and the second
// escape of a surrogate pair.
func (r *jsonReader) unicode(at int, out []byte) ([]byte, *Error) {
	c, ok := r.hex4()
	if !ok {
		return nil, r.errorAt(at, "malformed \\u escape")
	}
	if !utf16.IsSurrogate(c) {
		return utf8.AppendRune(out, c), nil
	}
	if next := r.pos; r.at('\\') && next+1 < len(r.data) && r.data[next+1] == 'u' {
		r.pos += 2
		low, ok := r.hex4()
		if !ok {
			return nil, r.errorAt(at, "malformed \\u escape")
		}
		if pair := utf16.DecodeRune(c, low); pair != utf8.RuneError {
			return utf8.AppendRune(out, pair), nil
		}
		r.pos = next // it stands for itself
	}
	return utf8.AppendRune(out, noText), nil
}

func (r *jsonReader) hex4() (rune, bool) {
	if len(r.data)-r.pos < 4 {
		return 0, false
	}
	var c rune
	for _, h := range r.data[r.pos : r.pos+4] {
		digit, ok := unhex(h)
		if !ok {
			return 0, false
		}
		c = c<<4 | rune(digit)
	}
	r.pos += 4
	return c, true
}

// unhex gives the value of a hexadecimal digit.
func unhex(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	default:
		return 0, false
	}
}

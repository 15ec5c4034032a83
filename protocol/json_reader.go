package protocol

import "strconv"

// maxJSONDepth bounds the nesting of arrays and objects. The deepest request
// of the model nests six.
const maxJSONDepth = 64

// jsonKind is the kind of a JSON value, told from its first byte.
type jsonKind byte

const (
	jsonObject jsonKind = '{'
	jsonArray  jsonKind = '['
	jsonString jsonKind = '"'
	jsonNumber jsonKind = '0'
	jsonTrue   jsonKind = 't'
	jsonFalse  jsonKind = 'f'
	jsonNull   jsonKind = 'n'
)

// jsonReader reads one JSON text (RFC 8259) strictly, value by value. It is
// our own because the standard one matches names in any case, turns broken
// UTF-8 and lone surrogates into U+FFFD, which is legal text, and cannot tell what it found where
// it expected something else. Numbers keep their exact text.
type jsonReader struct {
	data  []byte
	pos   int
	depth int
	// scratch holds the last string or name that had escapes in it; escaped is
	// true while that is the last one read.
	scratch []byte
	escaped bool
}

// errorAt makes the error for a malformed text. Positions count bytes from 0.
func (r *jsonReader) errorAt(pos int, what string) *Error {
	return Serialization.New("The request body is not valid JSON: " + what + " at byte " + strconv.Itoa(pos) + ".")
}

// unexpected is the error for the byte at the reader's position.
func (r *jsonReader) unexpected() *Error {
	if r.pos >= len(r.data) {
		return r.errorAt(r.pos, "unexpected end")
	}
	return r.errorAt(r.pos, "unexpected character")
}

// space skips white space and returns the byte after it, 0 at the end.
func (r *jsonReader) space() byte {
	for r.pos < len(r.data) {
		switch c := r.data[r.pos]; c {
		case ' ', '\t', '\n', '\r':
			r.pos++
		default:
			return c
		}
	}
	return 0
}

// end checks that nothing but white space is left.
func (r *jsonReader) end() *Error {
	if r.space(); r.pos < len(r.data) {
		return r.errorAt(r.pos, "unexpected character after the value")
	}
	return nil
}

// next tells the kind of the value that follows, without reading it.
func (r *jsonReader) next() (jsonKind, *Error) {
	switch c := r.space(); c {
	case '{', '[', '"', 't', 'f', 'n':
		return jsonKind(c), nil
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return jsonNumber, nil
	default:
		return 0, r.unexpected()
	}
}

// enter reads the opening bracket that next has seen.
func (r *jsonReader) enter() *Error {
	if r.depth++; r.depth > maxJSONDepth {
		return r.errorAt(r.pos, "nesting too deep")
	}
	r.pos++
	return nil
}

// more reads up to the next item of an array or object, or past its closing
// bracket, when it returns false.
func (r *jsonReader) more(first bool, closing byte) (bool, *Error) {
	c := r.space()
	switch {
	case c == closing:
		r.pos++
		r.depth--
		return false, nil
	case first:
		return true, nil
	case c == ',':
		r.pos++
		if r.space() == closing {
			return false, r.unexpected()
		}
		return true, nil
	default:
		return false, r.unexpected()
	}
}

// name reads a member name and the colon after it. The bytes are valid until
// the next string is read.
func (r *jsonReader) name() ([]byte, *Error) {
	if r.space() != '"' {
		return nil, r.unexpected()
	}
	name, err := r.str()
	if err != nil {
		return nil, err
	}
	if r.space() != ':' {
		return nil, r.unexpected()
	}
	r.pos++
	return name, nil
}

// literal reads the word that next has seen the first byte of.
func (r *jsonReader) literal(kind jsonKind) *Error {
	word := "null"
	switch kind {
	case jsonTrue:
		word = "true"
	case jsonFalse:
		word = "false"
	}
	for i := range len(word) {
		if r.pos >= len(r.data) || r.data[r.pos] != word[i] {
			return r.unexpected()
		}
		r.pos++
	}
	return nil
}

// number reads a number and returns its text.
func (r *jsonReader) number() ([]byte, *Error) {
	start := r.pos
	if r.at('-') {
		r.pos++
	}
	switch {
	case r.at('0'):
		r.pos++
	case !r.digits():
		return nil, r.unexpected()
	}
	if r.at('.') {
		r.pos++
		if !r.digits() {
			return nil, r.unexpected()
		}
	}
	if r.at('e') || r.at('E') {
		r.pos++
		if r.at('+') || r.at('-') {
			r.pos++
		}
		if !r.digits() {
			return nil, r.unexpected()
		}
	}
	return r.data[start:r.pos], nil
}

func (r *jsonReader) at(c byte) bool { return r.pos < len(r.data) && r.data[r.pos] == c }

// digits skips digits and reports whether there were any.
func (r *jsonReader) digits() bool {
	start := r.pos
	for r.pos < len(r.data) && r.data[r.pos] >= '0' && r.data[r.pos] <= '9' {
		r.pos++
	}
	return r.pos > start
}

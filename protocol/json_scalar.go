package protocol

import (
	"encoding/base64"
	"math"
	"reflect"
	"strconv"
)

// The texts of AWS for a JSON value of the wrong type. Some end with a full
// stop and some do not.
const (
	textListUnexpected   = "Start of list found where not expected"
	textObjectUnexpected = "Start of structure or map found where not expected."
	textListInStringMap  = "Unrecognized collection type class java.lang.String"
)

// wrongKind is the error for a value that cannot become what the plan wants.
func wrongKind(kind jsonKind, to string) *Error {
	found := "STRING_VALUE"
	switch kind {
	case jsonArray:
		return Serialization.New(textListUnexpected)
	case jsonObject:
		return Serialization.New(textObjectUnexpected)
	case jsonNumber:
		found = "NUMBER_VALUE"
	case jsonTrue:
		found = "TRUE_VALUE"
	case jsonFalse:
		found = "FALSE_VALUE"
	case jsonNull:
		found = "NULL_VALUE"
	}
	return Serialization.New(found + " can not be converted to " + to)
}

// text reads a string. A number or a boolean counts by its text, except for
// strict members.
func (d *jsonDecoder) text(kind jsonKind, s *shape, v reflect.Value) *Error {
	start := d.pos
	switch kind {
	case jsonString:
		text, err := d.str()
		if err != nil {
			return err
		}
		d.setText(v, d.own(text))
		return nil
	case jsonNumber, jsonTrue, jsonFalse:
		if s.strict {
			return wrongKind(kind, "a String")
		}
		if err := d.skip(kind); err != nil {
			return err
		}
		d.setText(v, string(d.data[start:d.pos]))
		return nil
	default:
		return wrongKind(kind, "a String")
	}
}

// setText is setString with one allocation for several members.
func (d *jsonDecoder) setText(v reflect.Value, text string) {
	p, ok := v.Addr().Interface().(**string)
	if !ok {
		setString(v, text)
		return
	}
	if n := cap(d.texts); len(d.texts) == n {
		d.texts = make([]string, 0, min(max(2, 2*n), maxTexts))
	}
	d.texts = append(d.texts, text)
	*p = &d.texts[len(d.texts)-1]
}

// blob reads base64 with padding.
func (d *jsonDecoder) blob(kind jsonKind, v reflect.Value) *Error {
	if kind != jsonString {
		return wrongKind(kind, "a Blob")
	}
	text, err := d.str()
	if err != nil {
		return err
	}
	blob, ok := decodeBlob(text)
	if !ok {
		return Serialization.New(textBadBlob)
	}
	v.SetBytes(blob)
	return nil
}

const textBadBlob = "A binary value is not valid base64."

// decodeBlob reads base64. The result is never nil when ok.
func decodeBlob(text []byte) (blob []byte, ok bool) {
	blob = make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(blob, text)
	return blob[:n:n], err == nil
}

func (d *jsonDecoder) boolean(kind jsonKind, v reflect.Value) *Error {
	if kind != jsonTrue && kind != jsonFalse {
		return wrongKind(kind, "a Boolean")
	}
	if err := d.literal(kind); err != nil {
		return err
	}
	given := kind == jsonTrue
	*v.Addr().Interface().(**bool) = &given
	return nil
}

// maxIntText bounds the text of an integer, in bytes, so that a number of
// megabytes is not computed.
const maxIntText = 64

// integer reads a whole number, or a string that holds one in decimal.
func (d *jsonDecoder) integer(kind jsonKind, s *shape, v reflect.Value) *Error {
	to, bits := "an Integer", 32
	if s.kind == kindInt64 {
		to, bits = "a Long", 64
	}
	var text []byte
	var err *Error
	switch kind {
	case jsonNumber:
		text, err = d.number()
	case jsonString:
		text, err = d.str()
	default:
		return wrongKind(kind, to)
	}
	if err != nil {
		return err
	}
	if len(text) > maxIntText {
		return wrongKind(kind, to)
	}
	n, parseErr := strconv.ParseInt(string(text), 10, bits)
	if parseErr != nil && kind == jsonNumber {
		n, parseErr = wholeNumber(string(text), bits)
	}
	if parseErr != nil {
		return wrongKind(kind, to)
	}
	setInt(v, n)
	return nil
}

// wholeNumber reads a number written like 5.0 or 1e3, as languages that know
// only floating point may send it. Past 2^53 such text is no longer exact.
func wholeNumber(text string, bits int) (int64, error) {
	f, err := strconv.ParseFloat(text, 64)
	limit := math.Ldexp(1, min(bits-1, 53))
	if err != nil || f != math.Trunc(f) || f < -limit || f >= limit {
		return 0, strconv.ErrRange
	}
	return int64(f), nil
}

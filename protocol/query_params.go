package protocol

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxParams bounds the parameters of one Query request.
const maxParams = 10_000

// param is one parameter of a Query request.
type param struct {
	// full is the whole name, and name what the decoder has not used of it.
	full, name []byte
	// index is the list index that the decoder has cut off the name, without
	// leading zeros; empty for the un-numbered form.
	index []byte
	value string
}

// parseParams reads the parameters of the form body and of the query string.
// A name given in the body hides the same name in the query string; within
// each the order is kept and repetitions too.
func parseParams(body []byte, query string) ([]param, *Error) {
	count := min(1+bytes.Count(body, []byte("&"))+strings.Count(query, "&")+1, maxParams)
	params, err := appendParams(make([]param, 0, count), body)
	if err != nil || query == "" {
		return params, err
	}
	fromBody := len(params)
	params, err = appendParams(params, []byte(query))
	if err != nil || fromBody == 0 || fromBody == len(params) {
		return params, err
	}
	hidden := make(map[string]bool, fromBody)
	for i := range params[:fromBody] {
		hidden[string(params[i].full)] = true
	}
	kept := params[:fromBody]
	for _, p := range params[fromBody:] {
		if !hidden[string(p.full)] {
			kept = append(kept, p)
		}
	}
	return kept, nil
}

// appendParams reads name=value pairs parted by "&".
func appendParams(params []param, form []byte) ([]param, *Error) {
	for len(form) > 0 {
		var pair []byte
		pair, form, _ = bytes.Cut(form, []byte("&"))
		if len(pair) == 0 {
			continue
		}
		if len(params) == maxParams {
			return nil, Serialization.New("The request has more than " + strconv.Itoa(maxParams) + " parameters.")
		}
		rawName, rawValue, _ := bytes.Cut(pair, []byte("="))
		name, ok := unescapeName(rawName)
		if !ok {
			return nil, Serialization.New("A parameter name is not valid percent-encoded UTF-8.")
		}
		value, ok := unescape(rawValue)
		if !ok {
			return nil, Serialization.New("The value of parameter " + clip(string(name)) + " is not valid percent-encoded UTF-8.")
		}
		params = append(params, param{full: name, name: name, value: value})
	}
	return params, nil
}

// unescapeName is unescape for a parameter's name, which mostly has no escapes
// and then is not copied.
func unescapeName(raw []byte) ([]byte, bool) {
	if bytes.IndexByte(raw, '%') < 0 && bytes.IndexByte(raw, '+') < 0 {
		return raw, utf8.Valid(raw)
	}
	name, ok := unescape(raw)
	return []byte(name), ok
}

// unescape decodes percent-encoding, once, with "+" as a space. It fails on a
// broken escape and on bytes that are not UTF-8.
func unescape(raw []byte) (string, bool) {
	escapes := bytes.Count(raw, []byte("%"))
	if 3*escapes > len(raw) {
		return "", false
	}
	var out strings.Builder
	out.Grow(len(raw) - 2*escapes)
	start := 0
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '+':
			out.Write(raw[start:i])
			out.WriteByte(' ')
			start = i + 1
		case '%':
			if len(raw)-i < 3 {
				return "", false
			}
			high, ok1 := unhex(raw[i+1])
			low, ok2 := unhex(raw[i+2])
			if !ok1 || !ok2 {
				return "", false
			}
			out.Write(raw[start:i])
			out.WriteByte(high<<4 | low)
			i += 2
			start = i + 1
		}
	}
	out.Write(raw[start:])
	return out.String(), utf8.ValidString(out.String())
}

package compat

import (
	"bytes"
	"encoding/json"
	"slices"
)

// compactJSON is a JSON text without the white space between its tokens. False
// means that it is too long or no JSON.
func compactJSON(text string, longest int) ([]byte, bool) {
	var b bytes.Buffer
	if len(text) > longest || json.Compact(&b, []byte(text)) != nil {
		return nil, false
	}
	return b.Bytes(), true
}

// object reads a compact JSON object that has no keys but the allowed ones, spelled
// exactly so.
func object(raw []byte, allowed ...string) (map[string]json.RawMessage, bool) {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil || m == nil {
		return nil, false
	}
	for key := range m {
		if !slices.Contains(allowed, key) {
			return nil, false
		}
	}
	return m, true
}

// isString reports whether valid JSON is a string.
func isString(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '"' }

// oneOrMore reads a JSON array, or any other value as an array of one. It
// refuses an empty array.
func oneOrMore(raw json.RawMessage) ([]json.RawMessage, bool) {
	if len(raw) == 0 || raw[0] != '[' {
		return []json.RawMessage{raw}, true
	}
	var items []json.RawMessage
	return items, json.Unmarshal(raw, &items) == nil && len(items) > 0
}

// stringOrStrings reads a JSON string, or a non-empty array of them.
func stringOrStrings(raw json.RawMessage) ([]string, bool) {
	items, ok := oneOrMore(raw)
	if !ok {
		return nil, false
	}
	list := make([]string, len(items))
	for i, item := range items {
		if !isString(item) || json.Unmarshal(item, &list[i]) != nil {
			return nil, false
		}
	}
	return list, true
}

// either gives the value of one of two keys; false when none or both are there.
func either(m map[string]json.RawMessage, a, b string) (json.RawMessage, bool) {
	first, one := m[a]
	second, other := m[b]
	if one == other {
		return nil, false
	}
	if one {
		return first, true
	}
	return second, true
}

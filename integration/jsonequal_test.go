package integration

import (
	"encoding/json"
	"reflect"
)

// sameValue reports whether two attribute values are the same: equal, or equal
// as JSON, where AWS promises no more than that.
func sameValue(a, b string) bool {
	if a == b {
		return true
	}
	var x, y map[string]any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	return reflect.DeepEqual(x, y)
}

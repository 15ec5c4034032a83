package compat

import (
	"strconv"
	"strings"
)

// wholeNumber reads a decimal number of the range: digits and nothing else.
// Leading zeros do no harm.
func wholeNumber(s string, allowed span) (int64, bool) {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
	}
	digits := strings.TrimLeft(s, "0")
	if digits == "" && s != "" {
		digits = "0"
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil && allowed.holds(n)
}

// boolean reads true or false, with a capital first letter or without.
func boolean(s string) (value, ok bool) {
	switch s {
	case "true", "True":
		return true, true
	case "false", "False":
		return false, true
	}
	return false, false
}

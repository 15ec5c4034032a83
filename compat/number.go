package compat

import "strings"

// isNumber reports whether s is a decimal number that a Number attribute may
// have: a sign, digits with or without a point, an exponent; at most 38 digits
// besides leading and trailing zeros; between -10^128 and 10^126. The text is
// only looked at, never turned into a number.
func isNumber(s string) bool {
	negative := strings.HasPrefix(s, "-")
	if negative || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	mantissa, exponent, ok := splitExponent(s)
	if !ok {
		return false
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole+fraction == "" || !allDigits(whole) || !allDigits(fraction) {
		return false
	}
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return true
	}
	// The number is d.ddd times ten to the power of this.
	power := len(whole) - (len(whole) + len(fraction) - len(digits)) - 1 + exponent
	digits = strings.TrimRight(digits, "0")
	limit := maxNumberExponent
	if negative {
		limit = maxNegativeExponent
	}
	return len(digits) <= maxNumberDigits && (power < limit || power == limit && digits == "1")
}

// splitExponent parts a number at its "e". An exponent of more digits than
// could matter is refused.
func splitExponent(s string) (mantissa string, exponent int, ok bool) {
	at := strings.IndexAny(s, "eE")
	if at < 0 {
		return s, 0, true
	}
	mantissa, s = s[:at], s[at+1:]
	sign := 1
	if s != "" && (s[0] == '-' || s[0] == '+') {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	if s == "" || len(s) > 8 || !allDigits(s) {
		return "", 0, false
	}
	for i := range len(s) {
		exponent = exponent*10 + int(s[i]-'0')
	}
	return mantissa, sign * exponent, true
}

// allDigits reports whether s has only the digits 0 to 9; it may be empty.
func allDigits(s string) bool {
	return strings.Trim(s, "0123456789") == ""
}

package compat

import (
	"slices"
	"strconv"
	"strings"

	"queues/engine"
	"queues/protocol"
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

// onlyOnFIFO is the text of an attribute that needs a FIFO queue.
func onlyOnFIFO(name string) string {
	return "You can specify the " + name + " only when FifoQueue is set to true."
}

// parseFIFOFlag checks a boolean of a FIFO queue.
func parseFIFOFlag(name string) func(*attributeReader, string) (setting, *protocol.Error) {
	return func(_ *attributeReader, value string) (setting, *protocol.Error) {
		if _, ok := boolean(value); !ok {
			return nil, badAttribute(name)
		}
		return func(*engine.Settings) {}, nil
	}
}

// parseFIFOChoice checks one of a few words of a FIFO queue.
func parseFIFOChoice(name string, words ...string) func(*attributeReader, string) (setting, *protocol.Error) {
	return func(_ *attributeReader, value string) (setting, *protocol.Error) {
		if !slices.Contains(words, value) {
			return nil, badAttribute(name)
		}
		return func(*engine.Settings) {}, nil
	}
}

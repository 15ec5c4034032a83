package compat

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"queues/protocol"
)

// The texts of tags that cannot be.
const (
	textTagKeyLength   = "Tag keys must be between 1 and 128 characters in length."
	textTagValueLength = "Tag values must be between 0 and 256 characters in length."
	textTagKeyChars    = "Tag keys may only contain unicode letters, digits, whitespace, or one of these symbols: _ . : / = + - @"
	textTagValueChars  = "Tag values may only contain unicode letters, digits, whitespace, or one of these symbols: _ . : / = + - @"
	textTagReserved    = "Tag keys must not begin with 'aws:'. This prefix is reserved for internal use."
)

// checkTags refuses tags that no queue may have, one by one in the order of
// their keys.
func checkTags(tags map[string]string) *protocol.Error {
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		if text := tagFault(key, tags[key]); text != "" {
			return protocol.InvalidParameterValue.New(text)
		}
	}
	return nil
}

// tagFault is what is wrong with a tag, empty for nothing.
func tagFault(key, value string) string {
	const reserved = "aws:"
	switch {
	case key == "" || utf8.RuneCountInString(key) > maxTagKey:
		return textTagKeyLength
	case len(key) >= len(reserved) && strings.EqualFold(key[:len(reserved)], reserved):
		return textTagReserved
	case strings.ContainsFunc(key, notInTags) || !protocol.ValidText(key):
		return textTagKeyChars
	case utf8.RuneCountInString(value) > maxTagValue:
		return textTagValueLength
	case strings.ContainsFunc(value, notInTags) || !protocol.ValidText(value):
		return textTagValueChars
	}
	return ""
}

// notInTags reports whether a character may stand neither in the key nor in
// the value of a tag.
func notInTags(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) && !unicode.IsSpace(r) && !strings.ContainsRune("_.:/=+-@", r)
}

// tooManyTags is the error of a queue that would have more tags than it may.
func tooManyTags(queue string) *protocol.Error {
	return protocol.InvalidParameterValue.New("Too many tags added for queue " + queue + ".")
}

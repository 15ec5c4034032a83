package protocol

import "unicode/utf8"

// ValidText reports whether text is UTF-8 and has only the characters that
// message bodies and string attribute values may have: tab, line feed,
// carriage return, and U+0020 to U+10FFFF without the surrogates, U+FFFE and
// U+FFFF. These are the characters of XML 1.0.
func ValidText(text string) bool {
	for i := printableRun(text); i < len(text); {
		if plainXML[text[i]] {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isXMLChar(r, size) {
			return false
		}
		i += size
		i += printableRun(text[i:])
	}
	return true
}

// isXMLChar reports whether a decoded rune of that many bytes is one that XML
// 1.0 can carry.
func isXMLChar(r rune, size int) bool {
	switch {
	case r == utf8.RuneError && size == 1:
		return false
	case r < ' ':
		return r == '\t' || r == '\n' || r == '\r'
	default:
		return r != 0xFFFE && r != 0xFFFF
	}
}

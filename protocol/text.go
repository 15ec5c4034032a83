package protocol

import "unicode/utf8"

// ValidText reports whether text is UTF-8 and has only the characters that
// message bodies and string attribute values may have: tab, line feed,
// carriage return, and U+0020 to U+10FFFF without the surrogates, U+FFFE and
// U+FFFF. These are the characters of XML 1.0.
func ValidText(text string) bool {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c < ' ' && c != '\t' && c != '\n' && c != '\r' {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if (r == utf8.RuneError && size == 1) || r == 0xFFFE || r == 0xFFFF {
			return false
		}
		i += size
	}
	return true
}

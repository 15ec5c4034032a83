package protocol

// Message bodies are mostly printable ASCII, and to check them byte by byte is
// the dearest part of decoding. The runs below take eight bytes at a time; what
// comes after a run needs a look at each byte. In each word below a byte that
// ends a run has its high bit set. What such a byte borrows from those above it
// can do no harm: the run ends here already.
const (
	everyByte = 0x0101010101010101
	everyHigh = everyByte << 7
)

// printableRun is how many bytes at the beginning of text are printable ASCII,
// or a few less.
func printableRun[T string | []byte](text T) int {
	n := 0
	for ; len(text)-n >= 8; n += 8 {
		eight := load8(text[n : n+8])
		if (eight|(eight-everyByte*' '))&everyHigh != 0 {
			break
		}
	}
	return n
}

// plainRun is printableRun for text without quotes and backslashes.
func plainRun[T string | []byte](text T) int {
	n := 0
	for ; len(text)-n >= 8; n += 8 {
		eight := load8(text[n : n+8])
		odd := eight | (eight - everyByte*' ') | (eight ^ everyByte*'"' - everyByte) | (eight ^ everyByte*'\\' - everyByte)
		if odd&everyHigh != 0 {
			break
		}
	}
	return n
}

// load8 gives eight bytes as a number; the compiler makes one load of it.
func load8[T string | []byte](b T) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

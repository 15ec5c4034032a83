package load

import (
	"hash/fnv"
	"math/rand/v2"
	"strings"
)

// Ballast begins the keys of messages whose bodies are all large.
const Ballast = "ballast"

// ballastSize is how large, in bytes. They repeat a part of so many, to be made
// quickly; pages of a file are no multiple of it.
const (
	ballastSize = 200_000
	ballastPart = 997
)

// Body gives the body of the message with this key: most are short, some take
// many pages.
func Body(key string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(key))
	random := rand.New(rand.NewPCG(h.Sum64(), 0))
	size := random.IntN(400)
	switch random.IntN(200) {
	case 0:
		size = random.IntN(150_000)
	case 1, 2, 3, 4, 5, 6:
		size = random.IntN(20_000)
	}
	if strings.HasPrefix(key, Ballast) {
		return key + "|" + strings.Repeat(text(random, ballastPart), ballastSize/ballastPart)
	}
	return key + "|" + text(random, size)
}

// text is so many letters at random.
func text(random *rand.Rand, size int) string {
	var b strings.Builder
	b.Grow(size)
	for range size {
		b.WriteByte('a' + byte(random.Uint64()%26))
	}
	return b.String()
}

// Key gives the key of a message, and whether its body is altered.
func Key(body string) (key string, altered bool) {
	key, _, ok := strings.Cut(body, "|")
	return key, !ok || body != Body(key)
}

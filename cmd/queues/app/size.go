package app

import (
	"fmt"
	"strconv"
	"strings"
)

// Size is a number of bytes that can be written with a unit: 1048576, 1024KiB
// or 1MiB.
type Size int64

// units are what a size may end in.
var units = []struct {
	name  string
	bytes int64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}}

// UnmarshalText reads a size; negative ones are refused.
func (s *Size) UnmarshalText(text []byte) error {
	number, factor := strings.TrimSpace(string(text)), int64(1)
	for _, u := range units {
		if rest, ok := strings.CutSuffix(number, u.name); ok {
			number, factor = strings.TrimSpace(rest), u.bytes
			break
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > (1<<62)/factor {
		return fmt.Errorf("%q is not a size: write bytes, or a number with KiB, MiB or GiB, such as 16MiB", text)
	}
	*s = Size(n * factor)
	return nil
}

// String writes the size with the largest unit that fits it exactly.
func (s Size) String() string {
	for i := len(units) - 1; i >= 0; i-- {
		if u := units[i]; s > 0 && int64(s)%u.bytes == 0 {
			return strconv.FormatInt(int64(s)/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(int64(s), 10)
}

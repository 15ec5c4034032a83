package load

import (
	"math/bits"
	"time"
)

// subBits gives 64 buckets to each power of two: a value is at most 1.6 % off.
const subBits = 6

// Histogram counts durations in buckets whose width grows with the value. It
// is not safe for concurrent use: each connection has its own, merged at the
// end.
type Histogram struct {
	counts [(64-subBits-1)*(1<<subBits) + 2<<subBits]uint32
	n      uint64
	max    time.Duration
}

// Add counts one duration; a negative one counts as zero.
func (h *Histogram) Add(d time.Duration) {
	d = max(d, 0)
	h.counts[bucketOf(uint64(d))]++
	h.n++
	h.max = max(h.max, d)
}

// Merge adds all of other.
func (h *Histogram) Merge(other *Histogram) {
	for i, c := range other.counts {
		h.counts[i] += c
	}
	h.n += other.n
	h.max = max(h.max, other.max)
}

// Quantile gives the value below which the share q of all lies, 0 < q <= 1;
// zero when nothing was counted.
func (h *Histogram) Quantile(q float64) time.Duration {
	if h.n == 0 {
		return 0
	}
	rank := uint64(q*float64(h.n) + 0.5)
	rank = min(max(rank, 1), h.n)
	var seen uint64
	for i, c := range h.counts {
		if seen += uint64(c); seen >= rank {
			return min(time.Duration(valueOf(i)), h.max)
		}
	}
	return h.max
}

// bucketOf finds the bucket of v: exact below 128, then 64 to a power of two.
func bucketOf(v uint64) int {
	shift := max(bits.Len64(v)-subBits-1, 0)
	return shift<<subBits + int(v>>shift)
}

// valueOf is the middle of a bucket.
func valueOf(bucket int) uint64 {
	shift := max(bucket>>subBits-1, 0)
	low := uint64(bucket-shift<<subBits) << shift
	return low + (uint64(1)<<shift)/2
}

// N is how many durations were counted.
func (h *Histogram) N() uint64 { return h.n }

// Max is the longest of them, exactly.
func (h *Histogram) Max() time.Duration { return h.max }

package load

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestHistogramBuckets(t *testing.T) {
	t.Parallel()
	values := []uint64{0, 1, 63, 64, 127, 128, 130, 255, 256, 1000, 1e6, 1e9, 1e12, math.MaxInt64}
	last := -1
	for _, v := range values {
		b := bucketOf(v)
		if b <= last {
			t.Errorf("the bucket of %d is %d, not after %d", v, b, last)
		}
		last = b
		if got := valueOf(b); math.Abs(float64(got)-float64(v)) > float64(v)/64 {
			t.Errorf("%d reads back as %d", v, got)
		}
	}
	if got, size := bucketOf(math.MaxInt64), len(Histogram{}.counts); got >= size {
		t.Errorf("the largest duration needs bucket %d of %d", got, size)
	}
}

func TestHistogramQuantiles(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	var all []time.Duration
	var a, b Histogram
	for i := range 10_000 {
		d := time.Duration(rng.ExpFloat64() * float64(time.Millisecond))
		all = append(all, d)
		if i%3 == 0 {
			a.Add(d)
		} else {
			b.Add(d)
		}
	}
	a.Merge(&b)
	slices.Sort(all)
	for _, q := range []float64{0.01, 0.5, 0.9, 0.99, 1} {
		want := float64(all[int(q*float64(len(all)))-1])
		if got := float64(a.Quantile(q)); math.Abs(got-want) > want/50+float64(time.Microsecond) {
			t.Errorf("quantile %v is %v, want %v", q, time.Duration(got), time.Duration(want))
		}
	}
	if got := (&Histogram{}).Quantile(0.5); got != 0 {
		t.Errorf("an empty histogram has a median of %v", got)
	}
	var one Histogram
	one.Add(-time.Second)
	if got := one.Quantile(0.99); got != 0 {
		t.Errorf("a negative duration counted as %v", got)
	}
}

//go:build linux

package main

import (
	"bytes"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"queues/cmd/queues/load"
)

func TestVerdict(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		ratios []float64
		middle float64
		dearer int
		want   bool
	}{
		"TheSame":              {[]float64{1, 1, 1, 1, 1, 1, 1}, 1, 0, false},
		"Cheaper":              {[]float64{0.7, 0.8, 0.9, 0.8, 0.7, 0.9, 0.8}, 0.8, 0, false},
		"ALittle":              {[]float64{1.08, 1.09, 1.1, 1.07, 1.2, 1.3, 1.1}, 1.1, 7, false},
		"AllRounds":            {[]float64{1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2}, 1.2, 7, true},
		"JustOver":             {[]float64{1.101, 1.101, 1.101, 1.101, 1.05, 1.05, 0.9}, 1.101, 6, true},
		"SixOfSeven":           {[]float64{1.2, 0.5, 1.2, 1.2, 1.2, 1.2, 1.2}, 1.2, 6, true},
		"FiveOfSeven":          {[]float64{1.2, 0.9, 1.2, 1.2, 1, 1.2, 1.2}, 1.2, 5, false},
		"ADisturbedRound":      {[]float64{1, 9, 1.01, 1, 0.99, 1, 1}, 1, 2, false},
		"TwelveOfFourteen":     {[]float64{1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 0.9, 0.9}, 1.2, 12, true},
		"ElevenOfFourteen":     {[]float64{1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 0.9, 0.9, 0.9}, 1.2, 11, false},
		"NothingMeasured":      {nil, 0, 0, true},
		"NothingWorthAnything": {[]float64{math.NaN(), math.NaN(), math.NaN()}, math.NaN(), 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			middle, dearer, got := verdict(tc.ratios)
			if got != tc.want || dearer != tc.dearer || math.Abs(middle-tc.middle) > 1e-9 {
				t.Errorf("got %v, median %v, %d dearer; want %v, %v, %d", got, middle, dearer, tc.want, tc.middle, tc.dearer)
			}
		})
	}
}

// rounds are made-up rounds of all requests, in which the new binary needs the
// factor of one of them.
func madeUp(request string, factor float64) map[string]series {
	got := map[string]series{}
	for _, r := range comparedRequests {
		for range ofRounds {
			m := load.Measure{Jobs: 1000, Server: 100 * time.Millisecond, Elapsed: time.Second}
			got[r+", "+sideOld] = append(got[r+", "+sideOld], m)
			if r == request {
				m.Server = time.Duration(float64(m.Server) * factor)
			}
			got[r+", "+sideNew] = append(got[r+", "+sideNew], m)
		}
	}
	return got
}

func TestRegressionIsTold(t *testing.T) {
	t.Parallel()
	for _, request := range comparedRequests {
		for factor, want := range map[float64]string{1.05: "", 1.2: request + " needs 1.20 times"} {
			c := &comparison{bench: &bench{settings: settings{rounds: ofRounds}}}
			var out bytes.Buffer
			err := c.tell(madeUp(request, factor), &out)
			if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s by %v: got %v, want %q", request, factor, err, want)
			}
			if got := strings.Count(out.String(), "| REGRESSION |"); got != len(want)/max(len(want), 1) {
				t.Errorf("%s by %v: %d verdicts in\n%s", request, factor, got, &out)
			}
		}
	}
	c := &comparison{bench: &bench{failures: []string{"the generator is too slow"}}}
	if err := c.tell(madeUp("", 1), io.Discard); err == nil {
		t.Error("a comparison that is worth nothing passes")
	}
}

// A binary is compared with itself, as small as it goes. What comes of it is
// chance; that it comes is not.
func TestBinaryAgainstItself(t *testing.T) {
	t.Parallel()
	server, err := buildServer(t.Context(), t.TempDir(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = regression(t.Context(), []string{"-old", server, "-new", server, "-messages", "50", "-conns", "4"}, &out, logWriter{t})
	if err != nil && !strings.Contains(err.Error(), "times the CPU") && !strings.Contains(err.Error(), "the generator used more") {
		t.Fatal(err)
	}
	for _, request := range comparedRequests {
		if !strings.Contains(out.String(), "| "+request+" | ") {
			t.Errorf("%s is not in\n%s", request, &out)
		}
	}
}

func TestRegressionCommandLine(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"Nothing":  nil,
		"Both":     {"-ref", "v1", "-old", "x"},
		"Rounds":   {"-ref", "v1", "-rounds", "6"},
		"Messages": {"-ref", "v1", "-messages", "1"},
		"Argument": {"-ref", "v1", "v2"},
	} {
		if _, err := parseRegression(args, io.Discard); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	binary := filepath.Join(t.TempDir(), "none")
	if err := regression(t.Context(), []string{"-old", binary, "-new", binary}, io.Discard, io.Discard); err == nil {
		t.Error("binaries that are not there are compared")
	}
}

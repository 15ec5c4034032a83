//go:build race

package integration

// raceEnabled tells whether the tests, and so the binary, look for data races.
const raceEnabled = true

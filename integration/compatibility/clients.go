package main

import (
	"encoding/json"
	"fmt"
	"os"
)

// client is how the round trip of one real client went.
type client struct {
	Name, Version, Protocol string
	// Outcome is passed, failed or skipped; Reason says why, unless it passed.
	Outcome, Reason string
	Steps           []step
}

// step is one part of a round trip, with the same outcomes. A step is skipped
// that the client has no words for.
type step struct{ Name, Outcome, Reason string }

// readClients reads the results that integration/clients writes. A file without
// clients is an error.
func readClients(path string) ([]client, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all struct{ Clients []client }
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(all.Clients) == 0 {
		return nil, fmt.Errorf("%s holds no clients", path)
	}
	return all.Clients, nil
}

// count counts a client's steps of an outcome.
func (c *client) count(outcome string) (n int) {
	for _, s := range c.Steps {
		if s.Outcome == outcome {
			n++
		}
	}
	return n
}

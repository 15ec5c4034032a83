//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// usage is what a server uses at a moment.
type usage struct {
	at time.Time
	// resident, heap, database and log are in bytes.
	resident, heap, database, log int64
	files, threads, goroutines    int64
	connections, requests         int64
	// reserved is what requests and answers hold of their budget, in bytes.
	reserved int64
}

// usageTimeout bounds one look at the admin port.
const usageTimeout = 10 * time.Second

// usage looks at the process, its data folder and, when it has one, its admin
// port.
func (s *server) usage(ctx context.Context, data string) (usage, error) {
	u := usage{at: time.Now()}
	proc := filepath.Join("/proc", strconv.Itoa(s.cmd.Process.Pid))
	status, err := os.ReadFile(filepath.Join(proc, "status"))
	if err != nil {
		return u, err
	}
	for field, to := range map[string]*int64{"VmRSS:": &u.resident, "Threads:": &u.threads} {
		_, rest, _ := bytes.Cut(status, []byte("\n"+field))
		if _, err := fmt.Sscan(string(rest[:min(len(rest), 40)]), to); err != nil {
			return u, fmt.Errorf("no %s in the status of the server", field)
		}
	}
	u.resident <<= 10
	files, err := os.ReadDir(filepath.Join(proc, "fd"))
	if err != nil {
		return u, err
	}
	u.files = int64(len(files))
	for name, to := range map[string]*int64{"queues.db": &u.database, "queues.db-wal": &u.log} {
		info, err := os.Stat(filepath.Join(data, name))
		if err != nil {
			return u, err
		}
		*to = info.Size()
	}
	s.mu.Lock()
	admin := s.admin
	s.mu.Unlock()
	if admin == "" {
		return u, nil
	}
	return u, u.readCounts(ctx, admin)
}

// readCounts asks the admin port.
func (u *usage) readCounts(ctx context.Context, admin string) error {
	ctx, cancel := context.WithTimeout(ctx, usageTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, admin+"/counts", http.NoBody)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("the admin port: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	var c struct {
		Goroutines  int64 `json:"goroutines"`
		Heap        int64 `json:"heap_bytes"`
		Connections int64 `json:"connections"`
		Requests    int64 `json:"requests"`
		Reserved    int64 `json:"reserved_bytes"`
	}
	if err := json.NewDecoder(res.Body).Decode(&c); err != nil || c.Goroutines == 0 {
		return fmt.Errorf("the counts of the admin port: status %d, %w", res.StatusCode, err)
	}
	u.goroutines, u.heap, u.connections, u.requests, u.reserved = c.Goroutines, c.Heap, c.Connections, c.Requests, c.Reserved
	return nil
}

func (u *usage) String() string {
	return fmt.Sprintf("memory %.1f MB, database %.1f MB, log %.1f MB, %d descriptors, %d goroutines, %d threads, %d connections",
		mega(u.resident), mega(u.database), mega(u.log), u.files, u.goroutines, u.threads, u.connections)
}

func mega(n int64) float64 { return float64(n) / 1e6 }

package admin

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// madeCopy is a copy in memory that notices its end.
type madeCopy struct {
	io.Reader
	closed bool
}

func (c *madeCopy) Close() error { c.closed = true; return nil }

// serveBackup runs a server whose backups are what from gives.
func serveBackup(t *testing.T, backup func(context.Context) (Copy, error)) string {
	t.Helper()
	o := options()
	o.Backup = backup
	s := httptest.NewServer(New(o).http.Handler)
	t.Cleanup(s.Close)
	return s.URL
}

// post asks for a backup, with headers by name and value.
func post(t *testing.T, url string, headers ...string) (*http.Response, []byte, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+BackupPath, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			req.Host = headers[i+1]
		}
	}
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp, body, err
}

// A copy comes with its length and its hash, whatever its size.
func TestBackup(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"Small": 10, "OnePart": backupPart, "Parts": 2*backupPart + 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := bytes.Repeat([]byte("q"), size)
			c := &madeCopy{Reader: bytes.NewReader(want)}
			url := serveBackup(t, func(context.Context) (Copy, error) { return Copy{c, int64(size)}, nil })
			resp, body, err := post(t, url)
			if err != nil || resp.StatusCode != 200 || !bytes.Equal(body, want) {
				t.Fatalf("status %d with %d bytes, %v", resp.StatusCode, len(body), err)
			}
			hash := sha256.Sum256(want)
			if got := resp.Trailer.Get(BackupSHA256); got != hex.EncodeToString(hash[:]) {
				t.Errorf("the hash is %q", got)
			}
			if !c.closed {
				t.Error("the copy stays open")
			}
		})
	}
}

// A copy that breaks off is seen to be broken, and one that fails says why.
func TestBackupFails(t *testing.T) {
	t.Parallel()
	t.Run("Refused", func(t *testing.T) {
		t.Parallel()
		url := serveBackup(t, func(context.Context) (Copy, error) { return Copy{}, errors.New("the disk has no room") })
		if resp, body, _ := post(t, url); resp.StatusCode != 503 || !strings.Contains(string(body), "no room") {
			t.Errorf("status %d %s", resp.StatusCode, body)
		}
	})
	for name, c := range map[string]*madeCopy{
		"BreaksOff": {Reader: io.MultiReader(bytes.NewReader(make([]byte, 3*backupPart)), errorReader{})},
		"TooShort":  {Reader: bytes.NewReader(make([]byte, 3*backupPart))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := serveBackup(t, func(context.Context) (Copy, error) { return Copy{c, 4 * backupPart}, nil })
			resp, body, err := post(t, url)
			if err == nil || resp.Trailer.Get(BackupSHA256) != "" {
				t.Errorf("a copy that broke off came as %d bytes with the hash %q", len(body), resp.Trailer.Get(BackupSHA256))
			}
			if !c.closed {
				t.Error("the copy stays open")
			}
		})
	}
}

type errorReader struct{}

func (errorReader) Read([]byte) (int, error) { return 0, errors.New("the disk is full") }

// Nothing that a page of another site can make a browser send starts a copy.
func TestBackupForeignPage(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		headers []string
		code    int
	}{
		"Program":        {nil, 200},
		"OtherOrigin":    {[]string{"Origin", "https://evil.example"}, 403},
		"NullOrigin":     {[]string{"Origin", "null"}, 403},
		"CrossSite":      {[]string{"Sec-Fetch-Site", "cross-site"}, 403},
		"SameSite":       {[]string{"Sec-Fetch-Site", "same-site"}, 403},
		"ReboundName":    {[]string{"Host", "evil.example:9325", "Origin", "http://evil.example:9325"}, 403},
		"OtherLocalPort": {[]string{"Origin", "http://127.0.0.1:1"}, 403},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			made := false
			url := serveBackup(t, func(context.Context) (Copy, error) {
				made = true
				return Copy{&madeCopy{Reader: strings.NewReader("x")}, 1}, nil
			})
			resp, _, _ := post(t, url, test.headers...)
			if resp.StatusCode != test.code || made != (test.code == 200) {
				t.Errorf("status %d, made %t; want %d", resp.StatusCode, made, test.code)
			}
		})
	}
	o := options()
	o.Backup = func(context.Context) (Copy, error) { t.Error("a GET made a copy"); return Copy{}, nil }
	if code, _ := get(t, o, "GET", BackupPath, "localhost"); code != 405 {
		t.Errorf("GET: status %d, want 405", code)
	}
}

package load

import (
	"io"
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// serveBytes gives a connection on which the chunks arrive one by one.
func serveBytes(t *testing.T, chunks ...string) *Conn {
	t.Helper()
	client, server := net.Pipe()
	t.Cleanup(func() { client.Close() })
	go func() {
		defer server.Close()
		for _, c := range chunks {
			if _, err := io.WriteString(server, c); err != nil {
				return
			}
		}
	}()
	return NewConn(client)
}

func TestReadAnswer(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("y", 100_000)
	tests := map[string]struct {
		chunks []string
		want   []Answer
	}{
		"Whole": {
			chunks: []string{"HTTP/1.1 200 OK\r\nContent-Type: a\r\nContent-Length: 2\r\n\r\nok"},
			want:   []Answer{{200, []byte("ok")}},
		},
		"Empty": {
			chunks: []string{"HTTP/1.1 200 OK\r\ncontent-length:0\r\n\r\n"},
			want:   []Answer{{200, []byte{}}},
		},
		"InPieces": {
			chunks: []string{"HTTP/1.1 4", "00 Bad Request\r\nContent-Le", "ngth: 3\r", "\n\r", "\na", "bc"},
			want:   []Answer{{400, []byte("abc")}},
		},
		"TwoAtOnce": {
			chunks: []string{"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 503 Busy\r\nContent-Length: 1\r\n\r\nb"},
			want:   []Answer{{200, []byte("a")}, {503, []byte("b")}},
		},
		"Chunked": {
			chunks: []string{
				"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n01234", "56789\r\n0\r\nTrailer: x\r\n\r\n",
				"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na",
			},
			want: []Answer{{200, []byte("abc0123456789")}, {200, []byte("a")}},
		},
		"LongerThanTheBuffer": {
			chunks: []string{"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + long, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nz"},
			want:   []Answer{{200, []byte(long)}, {200, []byte("z")}},
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := serveBytes(t, tc.chunks...)
			for _, want := range tc.want {
				got, err := c.read()
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"NoLength":       "HTTP/1.1 200 OK\r\nServer: x\r\n\r\n",
		"BadChunk":       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n\r\n",
		"NegativeChunk":  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
		"HugeChunk":      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffff\r\n\r\n",
		"CutInTheChunks": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
		"BadLength":      "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
		"TooLong":        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
		"NotHTTP":        "SSH-2.0-OpenSSH\r\n\r\n",
		"BadStatus":      "HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n",
		"CutInTheHead":   "HTTP/1.1 200 OK\r\nContent-Le",
		"CutInTheBody":   "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
		"NothingAtAll":   "",
		"HeadWithoutEnd": "HTTP/1.1 200 OK\r\n" + strings.Repeat("A: b\r\n", maxAnswer/6),
	}
	for name, bytes := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := serveBytes(t, bytes).read(); err == nil {
				t.Errorf("read %+v", got)
			}
		})
	}
}

func TestDoRefusesErrorStatus(t *testing.T) {
	t.Parallel()
	client, server := net.Pipe()
	defer client.Close()
	go func() {
		io.CopyN(io.Discard, server, 3)
		io.WriteString(server, "HTTP/1.1 500 No\r\nContent-Length: 4\r\n\r\noops")
	}()
	_, err := NewConn(client).Do(SendMessage, []byte("ask"))
	if err == nil || !strings.Contains(err.Error(), "500") || !strings.Contains(err.Error(), "oops") {
		t.Errorf("got %v", err)
	}
}

func TestEndedConnectionIsNotUsed(t *testing.T) {
	t.Parallel()
	c := serveBytes(t, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na")
	if got, err := c.read(); err != nil || string(got.Body) != "a" {
		t.Fatalf("got %+v, %v", got, err)
	}
	if _, err := c.Exchange([]byte("ask")); err == nil {
		t.Error("a connection that the server ends is used again")
	}
}

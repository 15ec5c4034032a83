package admin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"time"
)

// What a backup looks like on the wire: the answer to a POST is the copy, its
// length is in a header of its own and its hash, in hexadecimal, in a trailer.
// A copy without its trailer is not whole.
const (
	BackupPath   = "/backup"
	BackupSize   = "Queues-Size"
	BackupSHA256 = "Queues-Sha256"
)

const (
	// backupPatience is how long a client may take to read one part of a copy,
	// and backupPart how long that is in bytes. The copy takes room on the disk
	// for as long as it is read.
	backupPatience = 30 * time.Second
	backupPart     = 1 << 20
)

// Copy is a copy of the data at one moment, read once and then closed.
type Copy struct {
	io.ReadCloser
	// Size is its length in bytes.
	Size int64
}

// backup makes a copy and sends it. It is the client who decides where it goes:
// it may be another user, or on another machine.
func (s *Server) backup(w http.ResponseWriter, r *http.Request) {
	begun := time.Now()
	c := http.NewResponseController(w)
	if err := c.SetWriteDeadline(time.Time{}); err != nil { // making the copy takes what it takes
		s.refuseBackup(w, r, err)
		return
	}
	made, err := s.o.Backup(r.Context())
	if err != nil {
		s.refuseBackup(w, r, err)
		return
	}
	defer func() { _ = made.Close() }() // it was only read
	h := w.Header()
	h.Set("Content-Type", "application/vnd.sqlite3")
	h.Set("Content-Disposition", `attachment; filename="queues.db"`)
	h.Set("Cache-Control", "no-store")
	h.Set(BackupSize, strconv.FormatInt(made.Size, 10))
	h.Set("Trailer", BackupSHA256)
	if err := s.sendCopy(w, c, made); err != nil {
		s.o.Log.Warn("a backup was cut off", slog.Any("error", err))
		panic(http.ErrAbortHandler) // so that the client sees that it is not whole
	}
	s.o.Log.Info("a backup was made", slog.Int64("bytes", made.Size), slog.Duration("took", time.Since(begun)))
}

// sendCopy sends a copy in parts, each of which must be taken in time.
func (s *Server) sendCopy(w http.ResponseWriter, c *http.ResponseController, made Copy) error {
	hash := sha256.New()
	part := make([]byte, backupPart)
	for sent := int64(0); ; {
		n, err := io.ReadFull(made, part)
		switch {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			if sent+int64(n) != made.Size {
				return fmt.Errorf("the copy has %d bytes, not %d", sent+int64(n), made.Size)
			}
		case err != nil:
			return err
		}
		hash.Write(part[:n])
		if err := c.SetWriteDeadline(time.Now().Add(backupPatience)); err != nil {
			return err
		}
		if _, err := w.Write(part[:n]); err != nil {
			return err
		}
		if sent += int64(n); n < len(part) {
			w.Header().Set(BackupSHA256, hex.EncodeToString(hash.Sum(nil)))
			return nil
		}
	}
}

// refuseBackup says why there is no copy.
func (s *Server) refuseBackup(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) {
		return // the client is gone
	}
	s.o.Log.Warn("a backup failed", slog.Any("error", err))
	reply(http.StatusServiceUnavailable, status{"unavailable", err.Error()}).ServeHTTP(w, r)
}

package engine

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"hash"
	"strings"
	"sync"
)

// A receipt handle is the store's reference, sealed so that nobody can make or
// alter one: three version bytes, the reference, and the first 16 bytes of an
// HMAC-SHA256 over both. It is the same for the same reference, needs no
// escaping in a URL, and holds for as long as the store's secret.
const (
	handleVersion  = "\x01\x01\x01"
	handleMACBytes = 16
	// maxHandleBytes bounds what is looked at: version, the longest reference
	// and the MAC, in base64.
	maxHandleBytes = (len(handleVersion) + MaxRefBytes + handleMACBytes + 2) / 3 * 4
)

var handleEncoding = base64.RawURLEncoding.Strict()

// sealer makes and opens receipt handles.
type sealer struct {
	macs sync.Pool
}

func newSealer(secret [32]byte) *sealer {
	return &sealer{macs: sync.Pool{New: func() any { return hmac.New(sha256.New, secret[:]) }}}
}

// seal turns a reference into a handle.
func (s *sealer) seal(ref Ref) string {
	var buf [len(handleVersion) + MaxRefBytes + sha256.Size]byte
	b := append(buf[:0], handleVersion...)
	b = append(b, ref...)
	n := len(b)
	b = s.mac(b, b)
	return handleEncoding.EncodeToString(b[:n+handleMACBytes])
}

// open gives the reference in a handle, or an InvalidReceipt error for what
// this system never issued.
func (s *sealer) open(handle string) (Ref, error) {
	// The decoder skips line breaks, which no handle of ours has.
	if len(handle) <= maxHandleBytes && !strings.ContainsAny(handle, "\r\n") {
		var buf [maxHandleBytes]byte
		b, err := handleEncoding.AppendDecode(buf[:0], []byte(handle))
		if n := len(b) - handleMACBytes; err == nil && n > len(handleVersion) {
			var sum [sha256.Size]byte
			want := s.mac(sum[:0], b[:n])[:handleMACBytes]
			if hmac.Equal(want, b[n:]) && string(b[:len(handleVersion)]) == handleVersion {
				return Ref(b[len(handleVersion):n]), nil
			}
		}
	}
	return "", &Error{Code: InvalidReceipt, Text: "the receipt handle was not issued here"}
}

// mac appends the full HMAC of data to dst.
func (s *sealer) mac(dst, data []byte) []byte {
	m := s.macs.Get().(hash.Hash)
	defer s.macs.Put(m)
	m.Reset()
	m.Write(data)
	return m.Sum(dst)
}

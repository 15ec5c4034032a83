package load

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync/atomic"
	"time"
)

// Signer makes signatures of AWS's version 4, in headers.
type Signer struct {
	KeyID, Secret string
	// Token is of temporary credentials; empty for lasting ones.
	Token  string
	Region string

	// service is "sqs", or another in a test.
	service string
	key     atomic.Pointer[dayKey]
}

// dayKey is the key of one day.
type dayKey struct {
	day string
	key []byte
}

// The forms of a time in a signature.
const (
	amzDate = "20060102T150405Z"
	amzDay  = "20060102"
)

// header is a header that is signed, its name in lower case.
type header struct{ name, value string }

// authorization is the value of the Authorization header of a request with
// these headers, in the order of their names.
func (s *Signer) authorization(method, path string, headers []header, body []byte, at time.Time) string {
	at = at.UTC()
	names := make([]string, len(headers))
	var canonical strings.Builder
	canonical.WriteString(method + "\n" + path + "\n\n")
	for i, h := range headers {
		names[i] = h.name
		canonical.WriteString(h.name + ":" + h.value + "\n")
	}
	signed, hash := strings.Join(names, ";"), sha256.Sum256(body)
	canonical.WriteString("\n" + signed + "\n" + hex.EncodeToString(hash[:]))
	sum := sha256.Sum256([]byte(canonical.String()))
	scope := s.scope(at)
	text := "AWS4-HMAC-SHA256\n" + at.Format(amzDate) + "\n" + scope + "\n" + hex.EncodeToString(sum[:])
	return "AWS4-HMAC-SHA256 Credential=" + s.KeyID + "/" + scope + ", SignedHeaders=" + signed +
		", Signature=" + hex.EncodeToString(mac(s.keyOf(at.Format(amzDay)), text))
}

func (s *Signer) scope(at time.Time) string {
	return at.Format(amzDay) + "/" + s.Region + "/" + s.serviceName() + "/aws4_request"
}

func (s *Signer) serviceName() string {
	if s.service != "" {
		return s.service
	}
	return "sqs"
}

// keyOf derives the key of a day, once.
func (s *Signer) keyOf(day string) []byte {
	if k := s.key.Load(); k != nil && k.day == day {
		return k.key
	}
	key := []byte("AWS4" + s.Secret)
	for _, part := range []string{day, s.Region, s.serviceName(), "aws4_request"} {
		key = mac(key, part)
	}
	s.key.Store(&dayKey{day, key})
	return key
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

package protocol

import (
	"crypto/md5"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"unsafe"
)

// MD5OfBody is the digest of a message body: 32 lower-case hex digits of the
// MD5 of its bytes.
func MD5OfBody(body string) string {
	// md5 reads the bytes and keeps none. A conversion would copy the whole body,
	// up to a megabyte, for every message sent and received: BenchmarkDigest.
	sum := md5.Sum(unsafe.Slice(unsafe.StringData(body), len(body)))
	return hex.EncodeToString(sum[:])
}

// The transport bytes of the attribute digest.
const (
	transportString = 1
	transportBinary = 2
)

// MD5OfAttributes is the digest of user or of system attributes, in the same
// form as MD5OfBody; empty for no attributes. It covers, sorted by name, each
// attribute's name, full data type, a byte for the way the value travels, and
// the value; all but the byte preceded by their length. Absent parts count as
// empty.
func MD5OfAttributes(attributes map[string]MessageAttributeValue) string {
	if len(attributes) == 0 {
		return ""
	}
	var b []byte
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		a := attributes[name]
		b = appendSized(b, name)
		dataType := deref(a.DataType)
		b = appendSized(b, dataType)
		if strings.HasPrefix(dataType, "Binary") {
			b = appendSized(append(b, transportBinary), a.BinaryValue)
		} else {
			b = appendSized(append(b, transportString), deref(a.StringValue))
		}
	}
	sum := md5.Sum(b)
	return hex.EncodeToString(sum[:])
}

func appendSized[T string | []byte](b []byte, part T) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(part)))
	return append(b, part...)
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

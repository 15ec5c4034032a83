package sqlite

import (
	"encoding/binary"

	"queues/engine"
)

// refBytes is the length of a reference: queue number, epoch, message id and
// delivery stamp, eight bytes each.
const refBytes = 32

// reference is one delivery of one message.
type reference struct{ number, epoch, id, stamp int64 }

func (r reference) encode() engine.Ref {
	var b [refBytes]byte
	binary.BigEndian.PutUint64(b[0:], uint64(r.number))
	binary.BigEndian.PutUint64(b[8:], uint64(r.epoch))
	binary.BigEndian.PutUint64(b[16:], uint64(r.id))
	binary.BigEndian.PutUint64(b[24:], uint64(r.stamp))
	return engine.Ref(b[:])
}

// decodeRef reads a reference; false when it is none of ours.
func decodeRef(ref engine.Ref) (reference, bool) {
	if len(ref) != refBytes {
		return reference{}, false
	}
	b := []byte(ref)
	return reference{
		number: int64(binary.BigEndian.Uint64(b[0:])),
		epoch:  int64(binary.BigEndian.Uint64(b[8:])),
		id:     int64(binary.BigEndian.Uint64(b[16:])),
		stamp:  int64(binary.BigEndian.Uint64(b[24:])),
	}, true
}

package sqlite

import (
	"encoding/binary"
	"errors"

	"queues/engine"
)

// metaVersion is the first byte of every encoded message.
const metaVersion = 1

// errMeta is the error of bytes that encodeMeta never made.
var errMeta = errors.New("the stored message cannot be read")

// encodeMeta packs everything of a message but its body: the version, the id,
// then texts and attributes, each with its length before it.
func encodeMeta(m *engine.Message) []byte {
	size := 1 + 16 + len(m.Sender) + len(m.Trace) + len(m.Group) + len(m.Dedup) + 5*4
	for _, a := range m.Attributes {
		size += len(a.Name) + len(a.Type) + len(a.Value) + 3*4
	}
	b := make([]byte, 0, size)
	b = append(b, metaVersion)
	b = append(b, m.ID[:]...)
	for _, s := range []string{m.Sender, m.Trace, m.Group, m.Dedup} {
		b = appendText(b, s)
	}
	// One more than the count, to tell nil from empty; so for values.
	if m.Attributes == nil {
		return binary.AppendUvarint(b, 0)
	}
	b = binary.AppendUvarint(b, uint64(len(m.Attributes))+1)
	for _, a := range m.Attributes {
		b = appendText(b, a.Name)
		b = appendText(b, a.Type)
		if a.Value == nil {
			b = binary.AppendUvarint(b, 0)
			continue
		}
		b = binary.AppendUvarint(b, uint64(len(a.Value))+1)
		b = append(b, a.Value...)
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// decodeMeta unpacks what encodeMeta packed. The result shares no memory with
// b.
func decodeMeta(b []byte) (engine.Message, error) {
	var m engine.Message
	if len(b) < 1+16 || b[0] != metaVersion {
		return m, errMeta
	}
	copy(m.ID[:], b[1:])
	d := metaReader{rest: b[17:]}
	m.Sender, m.Trace, m.Group, m.Dedup = d.text(), d.text(), d.text(), d.text()
	// Each attribute takes three bytes at least, which bounds what is made.
	if n := d.length(); n > 0 && n-1 <= uint64(len(d.rest))/3 {
		m.Attributes = make([]engine.Attribute, 0, n-1)
		for range n - 1 {
			a := engine.Attribute{Name: d.text(), Type: d.text()}
			if size := d.length(); size > 0 {
				a.Value = append([]byte{}, d.take(size-1)...)
			}
			m.Attributes = append(m.Attributes, a)
		}
	} else if n > 0 {
		return engine.Message{}, errMeta
	}
	if d.failed || len(d.rest) > 0 {
		return engine.Message{}, errMeta
	}
	return m, nil
}

// metaReader reads lengths and texts until the first that is not there.
type metaReader struct {
	rest   []byte
	failed bool
}

func (d *metaReader) length() uint64 {
	n, size := binary.Uvarint(d.rest)
	if size <= 0 {
		d.failed, d.rest = true, nil
		return 0
	}
	d.rest = d.rest[size:]
	return n
}

func (d *metaReader) take(n uint64) []byte {
	if n > uint64(len(d.rest)) {
		d.failed, d.rest = true, nil
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

func (d *metaReader) text() string { return string(d.take(d.length())) }

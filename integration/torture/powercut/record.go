package powercut

import (
	"context"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed preload
var sources embed.FS

// Build builds the recorder with gcc in a folder and gives the path of the
// library.
func Build(ctx context.Context, dir string) (string, error) {
	if err := errors.Join(os.RemoveAll(filepath.Join(dir, "preload")), os.CopyFS(dir, sources)); err != nil {
		return "", err
	}
	file, library := filepath.Join(dir, "preload", "record.c"), filepath.Join(dir, "record.so")
	out, err := exec.CommandContext(ctx, "gcc", "-Wall", "-O2", "-shared", "-fPIC", "-o", library, file).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("cannot build the recorder: %w\n%s", err, out)
	}
	return library, nil
}

// Kind is what a record is of.
type Kind uint32

// The kinds, as the recorder numbers them.
const (
	Create Kind = 1 + iota
	Open
	Write
	Truncate
	Allocate
	SyncBegin
	SyncEnd
	Unlink
	Rename
	Mkdir
	Answer
	Link
	// ReadAt is never recorded: it is for faults.
	ReadAt
	// Change, of a fault, is any kind but Open and ReadAt.
	Change
)

// Record is one thing that the process did.
type Record struct {
	Kind Kind
	// File is the inode, Path the name within the folder where the call had one.
	File uint64
	Path string
	// Target is the new name of a Rename or Link.
	Target string
	// Offset is where a Write went, or the size of a Truncate or Allocate.
	Offset int64
	Data   []byte
	Result int64
	// ID pairs the begin and the end of a sync.
	ID uint64
	// End is the length of the log after this record.
	End int64
}

// headLen is the length of what is before the path in a record.
const headLen = 48

// Read reads a log. A last record that is not whole is left out: its process
// was killed.
func Read(file string) ([]Record, error) {
	log, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var records []Record
	for at := 0; at+headLen <= len(log); {
		h := log[at : at+headLen]
		n := binary.NativeEndian
		pathLen, dataLen := int(n.Uint32(h[4:])), int(n.Uint64(h[8:]))
		end := at + headLen + pathLen + dataLen
		if pathLen < 0 || dataLen < 0 || end > len(log) {
			break
		}
		data := log[at+headLen+pathLen : end]
		r := Record{
			Kind: Kind(n.Uint32(h)), File: n.Uint64(h[16:]), Path: string(log[at+headLen : at+headLen+pathLen]),
			Offset: int64(n.Uint64(h[24:])), Result: int64(n.Uint64(h[32:])), ID: n.Uint64(h[40:]), Data: data, End: int64(end),
		}
		if r.Kind == Rename || r.Kind == Link {
			r.Target, r.Data = string(data), nil
		}
		records = append(records, r)
		at = end
	}
	return records, nil
}

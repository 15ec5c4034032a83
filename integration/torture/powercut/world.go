package powercut

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
)

// World is a folder under the eyes of a recorder: what is durable, and what is
// not yet.
type World struct {
	// names are the files as the process sees them, byID their inodes.
	names map[string]*file
	byID  map[uint64]*file
	// durable are the names that are certain, pending the changes that are not.
	durable map[string]*file
	pending []change
	done    int

	folder uint64
	syncs  map[uint64]mark
	count  int
}

// file is one file, whatever its name.
type file struct {
	durable []byte
	pending []change
	// done is how many changes have become durable.
	done int
}

// change is a change of a file or of the folder.
type change struct {
	kind Kind
	at   int // the number of its record
	// offset and data are of a file.
	offset int64
	data   []byte
	// lost is set once a sync of it has failed: the system takes it for written,
	// and no later sync makes it durable.
	lost bool
	// name, target and file are of the folder.
	name, target string
	file         *file
}

// mark is how far a sync that has begun will reach.
type mark struct {
	file *file // nil for the folder
	upTo int
}

// NewWorld gives an empty folder.
func NewWorld() *World {
	return &World{
		names: make(map[string]*file), byID: make(map[uint64]*file),
		durable: make(map[string]*file), syncs: make(map[uint64]mark),
	}
}

// Place puts a file with this inode into the folder that was there, and durable,
// before the recording began.
func (w *World) Place(name string, inode uint64, data []byte) {
	f := &file{durable: data}
	w.names[name], w.byID[inode], w.durable[name] = f, f, f
}

// Apply does what a record says.
func (w *World) Apply(r *Record) error {
	w.count++
	switch r.Kind {
	case Create:
		f := &file{}
		w.names[r.Path], w.byID[r.File] = f, f
		w.pending = append(w.pending, change{kind: Create, at: w.count, name: r.Path, file: f})
	case Open:
		if r.Path == "" {
			w.folder = r.File
		} else if w.names[r.Path] == nil {
			return fmt.Errorf("%s was opened and never created", r.Path)
		}
	case Write, Truncate, Allocate:
		f := w.byID[r.File]
		if f == nil {
			return fmt.Errorf("a file that nobody created was changed")
		}
		f.pending = append(f.pending, change{kind: r.Kind, at: w.count, offset: r.Offset, data: r.Data})
	case SyncBegin:
		w.beginSync(r)
	case SyncEnd:
		if m := w.syncs[r.ID]; r.Result == 0 {
			w.endSync(m)
		} else if m.file != nil {
			for i := range m.upTo - m.file.done {
				m.file.pending[i].lost = true
			}
		}
	case Link:
		w.names[r.Target] = w.names[r.Path]
		w.pending = append(w.pending, change{kind: Link, at: w.count, name: r.Path, target: r.Target, file: w.names[r.Path]})
	case Unlink:
		delete(w.names, r.Path)
		w.pending = append(w.pending, change{kind: Unlink, at: w.count, name: r.Path})
	case Rename:
		w.names[r.Target] = w.names[r.Path]
		delete(w.names, r.Path)
		w.pending = append(w.pending, change{kind: Rename, at: w.count, name: r.Path, target: r.Target})
	}
	return nil
}

func (w *World) beginSync(r *Record) {
	switch f := w.byID[r.File]; {
	case r.File == w.folder:
		w.syncs[r.ID] = mark{nil, w.done + len(w.pending)}
	case f != nil:
		w.syncs[r.ID] = mark{f, f.done + len(f.pending)}
	}
}

func (w *World) endSync(m mark) {
	if m.file == nil {
		for n := m.upTo - w.done; n > 0; n-- {
			w.pending[0].link(w.durable)
			w.pending = w.pending[1:]
			w.done++
		}
		return
	}
	f := m.file
	for n := m.upTo - f.done; n > 0; n-- {
		if c := &f.pending[0]; !c.lost {
			f.durable = c.bytes(f.durable)
		}
		f.pending = f.pending[1:]
		f.done++
	}
}

// link makes a change of the folder in a set of names.
func (c *change) link(names map[string]*file) {
	switch c.kind {
	case Create:
		names[c.name] = c.file
	case Link: // whether or not the old name has survived
		names[c.target] = c.file
	case Unlink:
		delete(names, c.name)
	case Rename:
		if f := names[c.name]; f != nil {
			names[c.target] = f
			delete(names, c.name)
		}
	}
}

// bytes makes a change of a file in its contents.
func (c *change) bytes(b []byte) []byte {
	grow := func(size int64) {
		if n := size - int64(len(b)); n > 0 {
			b = append(b, make([]byte, n)...)
		}
	}
	switch c.kind {
	case Truncate:
		grow(c.offset)
		b = b[:c.offset:c.offset]
	case Allocate:
		grow(c.offset)
	case Write:
		grow(c.offset + int64(len(c.data)))
		copy(b[c.offset:], c.data)
	}
	return b
}

// Image is a folder after a power cut.
type Image map[string][]byte

// Image builds one of the folders that a cut of the power may leave now.
func (w *World) Image(s *Survival) Image {
	s.begin(w)
	names := maps.Clone(w.durable)
	for i := range w.pending {
		if s.survives(&w.pending[i]) {
			w.pending[i].link(names)
		}
	}
	image := make(Image, len(names))
	for name, f := range names {
		b := append([]byte(nil), f.durable...)
		for i := range f.pending {
			c := f.pending[i]
			if !s.survives(&c) {
				continue
			}
			if s.torn == c.at {
				b = s.tear(&c, b)
				continue
			}
			b = c.bytes(b)
		}
		image[name] = b
	}
	return image
}

// Write writes an image into a new folder.
func (m Image) Write(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for name, b := range m {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			return err
		}
	}
	return nil
}

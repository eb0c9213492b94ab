// Package previous remembers what a run saw of every state directory, for a later one to compare with: of state that git
// ignores there is no other earlier revision.
//
// The record is one file outside of the work tree. It has a checksum against damage and is bounded; what it holds is
// given to plugins like any other documents, and is not trusted more.
package previous

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/stategate/stategate/host/atomicfile"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/sdk/snapshot"
)

// A Record is what was seen of each state directory.
type Record map[discover.Instance][]snapshot.File

// ErrDamaged means that a record is not as it was written.
var ErrDamaged = errors.New("the record of the last open gate is damaged")

// MaxSize is the greatest number of bytes that a record may have, packed and unpacked.
const MaxSize = 64 << 20

// entry is one state directory in the file.
type entry struct {
	discover.Instance
	Files []snapshot.File
}

// Read reads a record. One that was never written is nil.
func Read(name string) (Record, error) {
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil, ErrDamaged // a named pipe would never be opened
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the record of the last open gate: %w", err)
	}
	defer f.Close()
	return decode(io.LimitReader(f, MaxSize+1))
}

func decode(from io.Reader) (Record, error) {
	packed, err := zlib.NewReader(from)
	if err != nil {
		return nil, ErrDamaged
	}
	text, err := io.ReadAll(io.LimitReader(packed, 2*MaxSize+1)) // to the checksum at the end
	var entries []entry
	if err != nil || json.Unmarshal(text, &entries) != nil {
		return nil, ErrDamaged
	}
	r := Record{}
	for _, e := range entries {
		r[e.Instance] = e.Files
	}
	return r, nil
}

// Write makes the record appear whole or not at all.
func (r Record) Write(name string) error {
	data, err := r.encode()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return fmt.Errorf("create the directory for the record of the open gate: %w", err)
	}
	if err := atomicfile.Write(name, data, 0o600); err != nil {
		return fmt.Errorf("write the record of the open gate: %w", err)
	}
	return nil
}

func (r Record) encode() ([]byte, error) {
	entries := make([]entry, 0, len(r))
	for key, files := range r {
		entries = append(entries, entry{key, files})
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.Root, b.Root), cmp.Compare(a.Plugin, b.Plugin))
	})
	text, err := json.Marshal(entries)
	if err != nil {
		return nil, fmt.Errorf("encode the record of the open gate: %w", err)
	}
	var packed bytes.Buffer
	w, _ := zlib.NewWriterLevel(&packed, zlib.BestSpeed) // the level is a valid one
	_, _ = w.Write(text)                                 // a buffer takes everything
	_ = w.Close()
	if packed.Len() > MaxSize || len(text) > 2*MaxSize {
		return nil, fmt.Errorf("the record of the open gate has %d bytes, the limit is %d: it is not written; archive some runs", len(text), 2*MaxSize)
	}
	return packed.Bytes(), nil
}

// Files returns what is remembered of documents that were read.
func Files(list []snapshot.File) []snapshot.File {
	return slices.DeleteFunc(slices.Clone(list), func(f snapshot.File) bool { return f.Kind == snapshot.BadName })
}

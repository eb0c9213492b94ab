package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/stategate/stategate/host/atomicfile"
	"github.com/stategate/stategate/host/private"
)

// Verdicts stores the replies about one tree's state directories in a single file, because reading two thousand small
// files takes longer than checking again. Like the compiled plugins, they are protected against damage, not attacks.
// Many goroutines may use them. If processes write at the same moment, one of them may lose its new verdicts, but
// none damages those of the others. A nil *Verdicts stores nothing.
type Verdicts struct {
	name string

	lock     sync.Mutex
	records  map[[32]byte]record
	order    []record // of the file
	added    []record
	readOnly bool        // nothing is written
	file     fs.FileInfo // the file that was read; nil if there is none
	sound    bool        // it consists entirely of complete records
}

const (
	// verdictsHead is the first line of a file of verdicts. Every change of the format changes this line, so that
	// old files count as damaged.
	verdictsHead = "stategate verdicts 5\n"
	// verdictsName contains a dot, so that it differs from every key of a compiled plugin.
	verdictsName = "verdicts.d"
	// staleVerdicts is the age at which a tree's verdicts are removed.
	staleVerdicts = 30 * 24 * time.Hour
	// maxVerdicts is the maximum size in bytes of a file that is read. A larger file is replaced.
	maxVerdicts = 64 << 20
	// keepPerSlot is the number of verdicts kept for one state directory. It is enough for two branches, each with
	// and without a base.
	keepPerSlot = 4
	// verdictsSpare is how many bytes of old records are always tolerated.
	verdictsSpare = 1 << 18
)

// A record is one verdict in the file: the CRC-32C of the rest, the length of the whole record, the key, the slot,
// and the text. The text is not compressed, because decompressing takes as long as decoding. Integers are
// little-endian.
type record []byte

const (
	slotSize = 8

	atSize = 4
	atKey  = 8
	atSlot = atKey + sha256.Size
	atText = atSlot + slotSize
)

func (r record) key() [32]byte { return [32]byte(r[atKey:]) }

func (r record) slot() [8]byte { return [8]byte(r[atSlot:]) }

func (r record) checksum() uint32 { return crc32.Checksum(r[atSize:], castagnoli) }

func (r record) whole() bool { return r.checksum() == binary.LittleEndian.Uint32(r) }

// OpenVerdicts returns the verdicts of a tree. name, a plain file name, identifies the tree. dir is the cache
// directory, which must satisfy the requirements of Open. Complete records in a damaged file are used. If readOnly is
// true, Close writes nothing.
func OpenVerdicts(dir, name string, readOnly bool) (*Verdicts, error) {
	if _, err := Open(dir, readOnly); err != nil {
		return nil, err
	}
	v := &Verdicts{name: filepath.Join(dir, verdictsName, name), records: map[[32]byte]record{}, readOnly: readOnly}
	if !readOnly {
		if err := os.MkdirAll(filepath.Dir(v.name), 0o700); err != nil {
			return nil, fmt.Errorf("make a directory for verdicts: %w", err)
		}
	}
	if err := private.Check("the directory of verdicts", filepath.Dir(v.name)); err != nil &&
		!(readOnly && errors.Is(err, fs.ErrNotExist)) {
		return nil, err
	}
	return v, v.read()
}

func (v *Verdicts) read() error {
	info, err := os.Stat(v.name)
	if err == nil && v.file != nil && os.SameFile(v.file, info) && info.ModTime().Equal(v.file.ModTime()) &&
		info.Size() == v.file.Size() {
		return nil
	}
	v.sound = false
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxVerdicts {
		return nil
	}
	v.file = info
	data, err := os.ReadFile(v.name)
	if err != nil {
		return fmt.Errorf("read the verdicts: %w", err)
	}
	v.order = nil
	rest, ours := bytes.CutPrefix(data, []byte(verdictsHead))
	for len(rest) >= atText {
		size := int64(binary.LittleEndian.Uint32(rest[atSize:]))
		if size < atText || size > int64(len(rest)) {
			break
		}
		r := record(rest[:size:size]) // its checksum is verified when it is used
		v.records[r.key()], v.order, rest = r, append(v.order, r), rest[size:]
	}
	v.sound = ours && len(rest) == 0
	return nil
}

// Get returns the text stored under key. Callers outside this package use Reply and OptionsValid.
func (v *Verdicts) Get(key [32]byte) ([]byte, bool) {
	if v == nil {
		return nil, false
	}
	v.lock.Lock()
	defer v.lock.Unlock()
	r, ok := v.records[key]
	if !ok || !r.whole() {
		return nil, false
	}
	return r[atText:], true
}

// Put stores a text until Close writes it. The key is a digest of everything that the text depends on. The slot
// identifies its subject; only a few texts are kept for each slot. Callers outside this package use KeepReply and
// KeepOptionsValid.
func (v *Verdicts) Put(key [32]byte, slot [8]byte, text []byte) {
	if v == nil {
		return
	}
	v.lock.Lock()
	defer v.lock.Unlock()
	r := record(slices.Concat(make([]byte, atKey), key[:], slot[:], text))
	binary.LittleEndian.PutUint32(r[atSize:], uint32(len(r)))
	binary.LittleEndian.PutUint32(r, r.checksum())
	v.records[key], v.added = r, append(v.added, r)
}

// Close appends new records to the file. It replaces the file with only the latest records of every slot if these
// are less than half of the resulting file, or if the file would exceed the limit. An error only means that the
// next run has to check again.
func (v *Verdicts) Close() error {
	v.lock.Lock()
	defer v.lock.Unlock()
	if v.readOnly {
		return nil
	}
	if len(v.added) == 0 {
		touch(v.name)
		return nil
	}
	_ = v.read() // again, because another process may have written
	kept, size := v.kept()
	if v.sound && total(v.order)+total(v.added) < min(2*size+verdictsSpare, maxVerdicts-len(verdictsHead)) &&
		v.extend() == nil {
		return nil
	}
	data := append(make([]byte, 0, len(verdictsHead)+size), verdictsHead...)
	for _, r := range kept {
		if r.whole() {
			data = append(data, r...)
		}
	}
	return atomicfile.Write(v.name, data, 0o600)
}

// kept returns the latest records of every slot, in the order in which they were written, and their total size in
// bytes.
func (v *Verdicts) kept() (list []record, size int) {
	perSlot, seen := map[[8]byte]int{}, map[[32]byte]bool{}
	for _, r := range slices.Backward(slices.Concat(v.order, v.added)) {
		if !seen[r.key()] && perSlot[r.slot()] < keepPerSlot {
			list, size = append(list, r), size+len(r)
			perSlot[r.slot()]++
		}
		seen[r.key()] = true
	}
	slices.Reverse(list)
	return list, size
}

func total(list []record) (size int) {
	for _, r := range list {
		size += len(r)
	}
	return size
}

// extend appends the new records with a single write, so that records of two processes do not interleave.
func (v *Verdicts) extend() error {
	f, err := os.OpenFile(v.name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(slices.Concat(v.added...))
	return errors.Join(err, f.Close())
}

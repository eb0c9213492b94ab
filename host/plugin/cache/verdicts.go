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

// Verdicts keep the replies about the state directories of one tree, in one file: two thousand small files cost more
// than checking again. Like the compiled plugins they guard against damage, not malice. They may be used by many
// goroutines; of processes that write in the same moment, one may lose what it found out, and none damages what the
// others wrote.
type Verdicts struct {
	name string

	lock     sync.Mutex
	records  map[[32]byte]record
	order    []record // of the file
	added    []record
	readOnly bool        // nothing is written
	file     fs.FileInfo // that was read; nil if there is none
	sound    bool        // it is records from its beginning to its end
}

const (
	// verdictsHead begins a file of verdicts. A change of the format changes it, and the old file counts as damaged.
	verdictsHead = "stategate verdicts 5\n"
	// verdictsName holds a dot, which no key of a compiled plugin does.
	verdictsName = "verdicts.d"
	// staleVerdicts is the age at which the verdicts of a tree are removed.
	staleVerdicts = 30 * 24 * time.Hour
	// maxVerdicts is the greatest file that is read, in bytes. A larger one is started again.
	maxVerdicts = 64 << 20
	// keepPerSlot is how many verdicts of one state directory stay: those with and without a base, of two branches.
	keepPerSlot = 4
	// verdictsSpare is how many bytes of old records are always let be.
	verdictsSpare = 1 << 18
)

// A record is one verdict in the file: the CRC-32C of what follows, the length of the whole record, key, slot, and the
// text: to unpack a packed one takes as long as to decode it. Integers are little-endian.
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

// OpenVerdicts returns the verdicts of the tree that name, a plain file name, stands for, below the cache directory
// dir, which must be as Open demands. Of a damaged file what is whole counts. Where they are only read, Close writes
// nothing.
func OpenVerdicts(dir, name string, readOnly bool) (*Verdicts, error) {
	mode := Private
	if readOnly {
		mode = ReadOnly
	}
	if _, err := Open(dir, mode); err != nil {
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
		r := record(rest[:size:size]) // its checksum is compared when it is used
		v.records[r.key()], v.order, rest = r, append(v.order, r), rest[size:]
	}
	v.sound = ours && len(rest) == 0
	return nil
}

// Get returns the text kept under key. Callers outside of the package use Reply and OptionsValid.
func (v *Verdicts) Get(key [32]byte) ([]byte, bool) {
	v.lock.Lock()
	defer v.lock.Unlock()
	r, ok := v.records[key]
	if !ok || !r.whole() {
		return nil, false
	}
	return r[atText:], true
}

// Put keeps a text until Close writes it. The key is a digest of all that the text depends on; the slot names what it
// is about, for which a few texts are kept. Callers outside of the package use KeepReply and KeepOptionsValid.
func (v *Verdicts) Put(key [32]byte, slot [8]byte, text []byte) {
	v.lock.Lock()
	defer v.lock.Unlock()
	r := record(slices.Concat(make([]byte, atKey), key[:], slot[:], text))
	binary.LittleEndian.PutUint32(r[atSize:], uint32(len(r)))
	binary.LittleEndian.PutUint32(r, r.checksum())
	v.records[key], v.added = r, append(v.added, r)
}

// Close writes what is new behind the file. Where the last records of every slot are less than half of what there would
// be, or there would be more than is read, they are written to a file that takes its place. An error costs the next run
// the time to check again.
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
	_ = v.read() // again: another process may have written
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

// kept are the last records of every slot, in the order in which they were written, and their size in bytes.
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

// extend writes the new records behind the file, in one piece: those of two processes do not mix.
func (v *Verdicts) extend() error {
	f, err := os.OpenFile(v.name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(slices.Concat(v.added...))
	return errors.Join(err, f.Close())
}

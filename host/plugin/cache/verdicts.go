package cache

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Verdicts keep the replies about the state directories of one tree, in one file: two thousand small files cost more than
// checking again. Like the compiled plugins they guard against damage, not malice. They may be used by many goroutines; of
// processes that write in the same moment, one may lose what it found out, and none damages what the others wrote.
type Verdicts struct {
	name string

	lock     sync.Mutex
	records  map[[32]byte]record
	order    []record // of the file
	added    []record
	readOnly bool // nothing is written
	deflate  *flate.Writer
	inflate  io.ReadCloser
}

const (
	// verdictsHead begins a file of verdicts. A change of the format changes it, and the old file counts as damaged.
	verdictsHead = "stategate verdicts 2\n"
	// verdictsName holds a dot, which no key of a compiled plugin does.
	verdictsName = "verdicts.d"
	// staleVerdicts is the age at which the verdicts of a tree are removed.
	staleVerdicts = 30 * 24 * time.Hour
	// maxVerdicts is the greatest file that is read, in bytes. A larger one is begun anew.
	maxVerdicts = 64 << 20
	// keepPerSlot is how many verdicts of one state directory stay: those with and without a base, of two branches.
	keepPerSlot = 4
)

// A record is one verdict in the file: the CRC-32C of what follows, the length of the whole record, key, slot, and the
// deflated text. Integers are little-endian.
type record []byte

const (
	atSize = 4
	atKey  = 8
	atSlot = atKey + 32
	atText = atSlot + 8
)

func (r record) key() [32]byte { return [32]byte(r[atKey:]) }

func (r record) slot() [8]byte { return [8]byte(r[atSlot:]) }

func (r record) checksum() uint32 { return crc32.Checksum(r[atSize:], castagnoli) }

func (r record) whole() bool { return r.checksum() == binary.LittleEndian.Uint32(r) }

// OpenVerdicts returns the verdicts of the tree that name, a plain file name, stands for, below the cache directory dir,
// which must be as Open demands. Of a damaged file what is whole counts. Where they are only read, Close writes nothing.
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
	return v, v.read()
}

func (v *Verdicts) read() error {
	if info, err := os.Stat(v.name); err != nil || info.Size() > maxVerdicts {
		return nil
	}
	data, err := os.ReadFile(v.name)
	if err != nil {
		return fmt.Errorf("read the verdicts: %w", err)
	}
	v.order = nil
	rest, _ := bytes.CutPrefix(data, []byte(verdictsHead))
	for len(rest) >= atText {
		size := int64(binary.LittleEndian.Uint32(rest[atSize:]))
		if size < atText || size > int64(len(rest)) {
			break
		}
		r := record(rest[:size:size]) // its checksum is compared when it is used
		v.records[r.key()], v.order, rest = r, append(v.order, r), rest[size:]
	}
	return nil
}

// Get returns the text kept under key.
func (v *Verdicts) Get(key [32]byte) ([]byte, bool) {
	v.lock.Lock()
	defer v.lock.Unlock()
	r, ok := v.records[key]
	if !ok || !r.whole() {
		return nil, false
	}
	packed := bytes.NewReader(r[atText:])
	if v.inflate == nil {
		v.inflate = flate.NewReader(packed) // it is large, so one is made
	} else if err := v.inflate.(flate.Resetter).Reset(packed, nil); err != nil {
		return nil, false
	}
	text, err := io.ReadAll(v.inflate)
	return text, err == nil
}

// Put keeps a text until Close writes it. The key is a digest of all that the text depends on; the slot names the state
// directory that it is about, for which a few texts are kept.
func (v *Verdicts) Put(key [32]byte, slot [8]byte, text []byte) {
	v.lock.Lock()
	defer v.lock.Unlock()
	var b bytes.Buffer
	b.Write(make([]byte, atKey))
	b.Write(key[:])
	b.Write(slot[:])
	if v.deflate == nil {
		v.deflate, _ = flate.NewWriter(&b, flate.BestSpeed) // the level is a valid one
	} else {
		v.deflate.Reset(&b)
	}
	_, _ = v.deflate.Write(text) // a buffer takes everything
	_ = v.deflate.Close()
	r := record(b.Bytes())
	binary.LittleEndian.PutUint32(r[atSize:], uint32(len(r)))
	binary.LittleEndian.PutUint32(r, r.checksum())
	v.records[key], v.added = r, append(v.added, r)
}

// Close writes the last whole records of every slot, if there are new ones, to a file that takes the place of the old one. An
// error costs the next run the time to check again.
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
	var list [][]byte
	perSlot, seen := map[[8]byte]int{}, map[[32]byte]bool{}
	for _, r := range slices.Backward(append(v.order, v.added...)) {
		if r.whole() && !seen[r.key()] && perSlot[r.slot()] < keepPerSlot {
			list = append(list, r)
			perSlot[r.slot()]++
		}
		seen[r.key()] = true
	}
	list = append(list, []byte(verdictsHead))
	slices.Reverse(list)
	temporary := fmt.Sprintf("%s-%d.tmp", v.name, os.Getpid())
	defer os.Remove(temporary)
	if err := os.WriteFile(temporary, slices.Concat(list...), 0o600); err != nil {
		return err
	}
	return os.Rename(temporary, v.name)
}

package cache

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/stategate/stategate/host/atomicfile"
)

// Verdicts keep the replies about the state directories of one tree, in one file: two thousand small files cost more than
// checking again. Like the compiled plugins they guard against damage, not malice. They may be used by many goroutines; of
// processes that write at once, none damages what the others wrote.
type Verdicts struct {
	name string

	lock     sync.Mutex
	records  []record // in the order of the file, new ones last
	byKey    map[[32]byte]int
	size     int  // bytes of the file as it was read
	old      int  // records that the file has
	rewrite  bool // the file is damaged, or holds too much that is outdated
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

// OpenVerdicts returns the verdicts of the tree that name, a plain file name, stands for, below the cache directory dir,
// which must be as Open demands. Of a damaged file what is whole counts. Where they are only read, Close writes nothing.
func OpenVerdicts(dir, name string, readOnly bool) (*Verdicts, error) {
	if _, err := Open(dir, readOnly); err != nil {
		return nil, err
	}
	v := &Verdicts{name: filepath.Join(dir, verdictsName, name), byKey: map[[32]byte]int{}, readOnly: readOnly}
	if !readOnly {
		if err := os.MkdirAll(filepath.Dir(v.name), 0o700); err != nil {
			return nil, fmt.Errorf("make a directory for verdicts: %w", err)
		}
	}
	return v, v.read()
}

func (v *Verdicts) read() error {
	if info, err := os.Stat(v.name); err != nil || info.Size() > maxVerdicts {
		v.rewrite = err == nil
		return nil
	}
	data, err := os.ReadFile(v.name)
	if err != nil {
		return fmt.Errorf("read the verdicts: %w", err)
	}
	rest, ok := bytes.CutPrefix(data, []byte(verdictsHead))
	for ok && len(rest) > 0 {
		if ok = len(rest) >= atText; !ok {
			break
		}
		size := int64(binary.LittleEndian.Uint32(rest[atSize:]))
		if ok = size >= atText && size <= int64(len(rest)); !ok {
			break
		}
		v.add(record(rest[:size:size])) // its checksum is compared when it is used
		rest = rest[size:]
	}
	v.size, v.old, v.rewrite = len(data), len(v.records), !ok
	return nil
}

func (v *Verdicts) add(r record) {
	v.byKey[r.key()] = len(v.records)
	v.records = append(v.records, r)
}

// Get returns the text kept under key.
func (v *Verdicts) Get(key [32]byte) ([]byte, bool) {
	v.lock.Lock()
	defer v.lock.Unlock()
	i, ok := v.byKey[key]
	if !ok {
		return nil, false
	}
	r := v.records[i]
	if r.checksum() != binary.LittleEndian.Uint32(r) {
		v.rewrite = true
		delete(v.byKey, key)
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
	v.add(r)
}

// Close writes the new verdicts: behind the others, or with the current ones into a new file when too many are outdated. An
// error costs the next run the time to check again.
func (v *Verdicts) Close() error {
	v.lock.Lock()
	defer v.lock.Unlock()
	if v.readOnly {
		return nil
	}
	current, outdated := v.current()
	added := v.records[v.old:]
	switch {
	case v.rewrite, len(added) > 0 && v.size == 0, outdated > v.size/2:
		return atomicfile.Write(v.name, append([]byte(verdictsHead), slices.Concat(current...)...), 0o600)
	case len(added) > 0:
		return v.extend(added)
	}
	touch(v.name)
	return nil
}

// current returns the last records of every slot, and how many bytes the others take.
func (v *Verdicts) current() (list []record, outdated int) {
	count := map[[8]byte]int{}
	for i, r := range slices.Backward(v.records) {
		slot := r.slot()
		if count[slot]++; count[slot] > keepPerSlot || v.byKey[r.key()] != i {
			outdated += len(r)
			continue
		}
		list = append(list, r)
	}
	slices.Reverse(list)
	return list, outdated
}

// extend appends in one write, so that two processes do not mix.
func (v *Verdicts) extend(records []record) error {
	f, err := os.OpenFile(v.name, os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(slices.Concat(records...))
	return errors.Join(err, f.Close())
}

package cache

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/stategate/stategate/host/atomicfile"
)

// A Verdict is what was said of one instance in one state of its files.
type Verdict struct {
	Key  [32]byte  // digest of all that it depends on but the clock
	Slot [8]byte   // names the instance: a few verdicts are kept for each
	From time.Time // it holds from here (zero: always)
	To   time.Time // up to but not including here (zero: for ever)
	Said []byte
}

// Verdicts keep what was said of the instances of one tree, in one file: two
// thousand small files cost more than looking again. Like the compiled plugins they
// guard against damage, not malice. They may be used by many goroutines; of
// processes that write at once, none damages what the others wrote.
type Verdicts struct {
	name string

	lock    sync.Mutex
	records []record // in the order of the file, new ones last
	byKey   map[[32]byte]int
	size    int  // bytes of the file as it was read
	old     int  // records that the file has
	rewrite bool // the file is damaged, or holds too much that is dead
	discard bool // nothing is written
	packer  packer
}

// maxVerdicts is the greatest file that is read, in bytes. A larger one is begun anew.
const maxVerdicts = 64 << 20

// keepPerSlot is how many verdicts of one instance stay: those with and without
// a base, of two branches.
const keepPerSlot = 4

// OpenVerdicts returns the verdicts of the tree that name, a plain file name,
// stands for, below the cache directory dir, which must be as Open demands. A
// damaged file counts as far as it is whole.
func OpenVerdicts(dir, name string) (*Verdicts, error) {
	if _, err := Open(dir, 0); err != nil {
		return nil, err
	}
	v := newVerdicts(dir, name)
	if err := os.MkdirAll(filepath.Dir(v.name), 0o700); err != nil {
		return nil, fmt.Errorf("make a directory for verdicts: %w", err)
	}
	return v, v.read()
}

// OpenVerdictsReadOnly is OpenVerdicts for a caller that must leave no trace: Close writes nothing.
func OpenVerdictsReadOnly(dir, name string) (*Verdicts, error) {
	if _, err := OpenReadOnly(dir); err != nil {
		return nil, err
	}
	v := newVerdicts(dir, name)
	v.discard = true
	return v, v.read()
}

func newVerdicts(dir, name string) *Verdicts {
	return &Verdicts{name: filepath.Join(dir, verdictsName, name), byKey: map[[32]byte]int{}}
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
	var whole bool
	v.records, whole = readRecords(data)
	v.size, v.old, v.rewrite = len(data), len(v.records), !whole
	for i, r := range v.records {
		v.byKey[r.key()] = i
	}
	return nil
}

// verdictsName holds a dot, which no key of a compiled plugin does.
const verdictsName = "verdicts.d"

// Get returns what was kept under key if it holds at now.
func (v *Verdicts) Get(key [32]byte, now time.Time) ([]byte, bool) {
	v.lock.Lock()
	defer v.lock.Unlock()
	i, ok := v.byKey[key]
	if !ok {
		return nil, false
	}
	r := v.records[i]
	if !r.whole() {
		v.rewrite = true
		delete(v.byKey, key)
		return nil, false
	}
	if !r.holds(now) {
		return nil, false
	}
	said, err := v.packer.unpack(r.packed())
	return said, err == nil
}

// Put keeps a verdict until Close writes it.
func (v *Verdicts) Put(verdict Verdict) {
	v.lock.Lock()
	defer v.lock.Unlock()
	v.byKey[verdict.Key] = len(v.records)
	v.records = append(v.records, newRecord(verdict, v.packer.pack(verdict.Said)))
}

// Close writes the new verdicts: behind the others, or with those that are
// alive into a new file when too much is dead. A cache that cannot be written is no
// failure of a look: the next one looks again.
func (v *Verdicts) Close() error {
	v.lock.Lock()
	defer v.lock.Unlock()
	if v.discard {
		return nil
	}
	alive, dead := v.living()
	added := len(v.records) > v.old
	switch {
	case v.rewrite, added && v.size == 0, dead > v.size/2:
		return v.replace(alive)
	case added:
		return v.extend(v.records[v.old:])
	}
	v.touch()
	return nil
}

// living returns the last records of every slot, and how many bytes the others
// take.
func (v *Verdicts) living() (alive []record, dead int) {
	count := map[[8]byte]int{}
	for i := len(v.records) - 1; i >= 0; i-- {
		r := v.records[i]
		slot := r.slot()
		if count[slot]++; count[slot] > keepPerSlot || v.byKey[r.key()] != i {
			dead += len(r)
			continue
		}
		alive = append(alive, r)
	}
	for i, j := 0, len(alive)-1; i < j; i, j = i+1, j-1 {
		alive[i], alive[j] = alive[j], alive[i]
	}
	return alive, dead
}

// extend appends in one write, so that two processes do not mix.
func (v *Verdicts) extend(records []record) error {
	f, err := os.OpenFile(v.name, os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	var data []byte
	for _, r := range records {
		data = append(data, r...)
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// replace makes the new file appear whole or not at all.
func (v *Verdicts) replace(records []record) error {
	data := []byte(recordsHead)
	for _, r := range records {
		data = append(data, r...)
	}
	return atomicfile.Write(v.name, data, 0o600)
}

// touch spares what is in use from eviction, at most once an hour.
func (v *Verdicts) touch() {
	if info, err := os.Lstat(v.name); err == nil && time.Since(info.ModTime()) > touchEvery {
		now := time.Now()
		_ = os.Chtimes(v.name, now, now)
	}
}

// staleVerdicts is the age at which the verdicts of a tree are removed.
const staleVerdicts = 30 * 24 * time.Hour

// evictVerdicts removes the verdicts of trees that nobody looks at any more.
func (c *Cache) evictVerdicts() {
	dir := filepath.Join(c.dir, verdictsName)
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		if info, err := f.Info(); err == nil && time.Since(info.ModTime()) > staleVerdicts {
			os.Remove(filepath.Join(dir, f.Name()))
		}
	}
}

// number reads a little-endian 64-bit integer.
func number(b []byte) int64 { return int64(binary.LittleEndian.Uint64(b)) }

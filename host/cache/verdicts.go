package cache

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// VerdictsSize is the number of bytes of verdicts beyond which the least
// recently used are removed.
const VerdictsSize = 64 << 20

// Verdicts keep what was said of unchanged instances, a file each. Like the
// compiled plugins they guard against damage, not malice. They may be used by many
// processes and goroutines at once.
type Verdicts struct{ dir string }

// OpenVerdicts returns the verdicts below the cache directory dir, which must be
// as Open demands.
func OpenVerdicts(dir string) (*Verdicts, error) {
	if _, err := Open(dir, 0); err != nil {
		return nil, err
	}
	v := &Verdicts{filepath.Join(dir, verdictsName)}
	return v, os.MkdirAll(v.dir, 0o700)
}

// verdictsName holds a dot, which no key of a compiled plugin does.
const verdictsName = "verdicts.d"

// A verdict's file is its checksum, the two times as Unix nanoseconds, and what was said.
const verdictHead = 4 + 8 + 8

// Get returns what was kept under key, a hex digest, if it holds at now.
func (v *Verdicts) Get(key string, now time.Time) ([]byte, bool) {
	name := v.file(key)
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, false
	}
	if len(data) < verdictHead || crc32.Checksum(data[4:], castagnoli) != binary.LittleEndian.Uint32(data) {
		os.Remove(name)
		return nil, false
	}
	from, until := int64(binary.LittleEndian.Uint64(data[4:])), int64(binary.LittleEndian.Uint64(data[12:]))
	if n := now.UnixNano(); from != 0 && n < from || until != 0 && n >= until {
		return nil, false
	}
	v.touch(name)
	return data[verdictHead:], true
}

// touch spares what is in use from eviction, at most once an hour.
func (v *Verdicts) touch(name string) {
	if info, err := os.Lstat(name); err == nil && time.Since(info.ModTime()) > touchEvery {
		now := time.Now()
		_ = os.Chtimes(name, now, now)
	}
}

// Put keeps what was said under key. It holds from one time up to but not
// including the other; a zero time is open. A cache that cannot be written is no error
// of the caller's: the next run looks again.
func (v *Verdicts) Put(key string, from, until time.Time, said []byte) error {
	data := make([]byte, verdictHead, verdictHead+len(said))
	binary.LittleEndian.PutUint64(data[4:], nanoseconds(from))
	binary.LittleEndian.PutUint64(data[12:], nanoseconds(until))
	data = append(data, said...)
	binary.LittleEndian.PutUint32(data, crc32.Checksum(data[4:], castagnoli))
	name := v.file(key)
	if err := v.write(name, data); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return v.write(name, data)
}

// write makes the file appear whole or not at all.
func (v *Verdicts) write(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), tmpPrefix)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

func (v *Verdicts) file(key string) string { return filepath.Join(v.dir, key[:2], key[2:]) }

func nanoseconds(t time.Time) uint64 {
	if t.IsZero() {
		return 0
	}
	return uint64(t.UnixNano())
}

// Evict removes the least recently used verdicts until the rest has at most size
// bytes, and what killed processes have left. It is for the caller to choose
// when: it lists every file.
func (v *Verdicts) Evict(size int64) {
	var files []aged
	var total int64
	_ = filepath.WalkDir(v.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			files, total = append(files, aged{name, info.Size(), info.ModTime()}), total+info.Size()
		}
		return nil
	})
	sortByAge(files)
	for _, f := range files {
		if total <= size {
			return
		}
		if os.Remove(f.key) == nil {
			total -= f.size
		}
	}
}

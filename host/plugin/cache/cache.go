// Package cache keeps compiled plugins and verdicts in a directory, and repairs damage on its own.
//
// The directory contains executable code, so it must belong to this user and must not be writable by others. Each
// compiled plugin is a directory with checksums of its files, which are verified before each use, because the
// engine's own cache fails permanently, or crashes, on a truncated or flipped byte. Get returns a complete entry, or
// else takes the entry's lock, so that only one of many processes compiles. It has the entry filled in a temporary
// directory, adds the checksums and renames the directory. If the process is killed in between, a later Get removes
// the temporary directory. A damaged entry is created again, with a warning.
//
// The CRC-32C checksum protects against damage, not against attacks, because anyone who can write here as this user
// can already run code. SHA-256 would add 20 ms to a warm start on processors without instructions for it.
package cache

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/stategate/stategate/host/atomicfile"
	"github.com/stategate/stategate/host/private"
)

const (
	// maxSize is the number of bytes above which the least recently used entries are removed.
	maxSize = 512 << 20

	sumsName    = "sums"
	tmpPrefix   = "tmp-"
	askedPrefix = "asked-" // marks keys that were requested once, see FirstAsked
	// SaltLength is the length of the end of a key, which identifies the host and engine that compiled the code.
	SaltLength = 8
	// unused is the time since the last use after which an entry or a request is removed. staleOther is the same
	// time for an entry of another version of the program.
	unused     = 30 * 24 * time.Hour
	staleOther = 24 * time.Hour
	// staleAfter is the age at which a temporary directory is no longer in use. It is far beyond any compile
	// deadline.
	staleAfter = time.Hour
	// lockWait is how long Get waits for an entry that another process creates. It is longer than any compile
	// deadline.
	lockWait = time.Minute
	// touchEvery avoids a write on every use, because the order of eviction need not be exact.
	touchEvery = time.Hour
)

// Cache is a directory of compiled plugins. Many processes may use it at once.
type Cache struct {
	dir      string
	size     int64
	readOnly bool
}

// ErrNotCached means that a read-only cache does not contain an entry.
var ErrNotCached = errors.New("it is not in the cache")

// Open returns the cache in dir, an absolute path, and creates dir if the mode permits. It rejects a dir that is a
// symbolic link, is not a directory, is writable by others, or belongs to another user. After an error, the caller
// continues without a cache. A read-only cache is not created, and its Get returns a complete entry or ErrNotCached.
func Open(dir string, readOnly bool) (*Cache, error) {
	const what = "the compile cache"
	c := &Cache{dir: dir, size: maxSize, readOnly: readOnly}
	if !filepath.IsAbs(dir) {
		return nil, fmt.Errorf("%s %q is not an absolute path", what, dir)
	}
	if !readOnly {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("create %s: %w", what, err)
		}
	}
	return c, private.Check(what, dir)
}

// Entry is one compiled plugin.
type Entry struct {
	Dir     string // its files, which were verified
	Warning string // what was damaged and removed; "" if nothing was

	cache *Cache
	key   string
}

// Get returns the entry for key, which must be a plain file name. If there is none, or it is damaged, fill writes
// its files to an empty directory. If another process is already filling it, Get waits for at most lockWait. The
// error comes from fill, or says why the cache cannot be used.
func (c *Cache) Get(key string, fill func(dir string) error) (*Entry, error) {
	if key == "" || strings.ContainsAny(key, `/\.`) || strings.HasPrefix(key, tmpPrefix) {
		return nil, fmt.Errorf("cache key %q is not a plain name", key)
	}
	if e, err := c.find(key); err == nil && e != nil {
		return e, nil
	}
	if c.readOnly {
		return nil, ErrNotCached
	}
	// Keys share 256 locks, so that locks never need to be removed. Two plugins that share a lock are compiled one
	// after the other.
	unlock, err := private.Lock(filepath.Join(c.dir, "lock-"+key[:min(2, len(key))]), lockWait)
	if err != nil {
		return nil, fmt.Errorf("lock the compile cache: %w", err)
	}
	defer unlock()
	found, damage := c.find(key)
	if found != nil {
		return found, nil
	}
	warning := ""
	if damage != nil {
		warning = fmt.Sprintf("a compiled plugin in %s was damaged (%v); it is compiled again", c.dir, damage)
		if err := c.remove(key); err != nil {
			return nil, fmt.Errorf("remove a damaged entry of the compile cache: %w", err)
		}
	}
	if err := c.put(key, fill); err != nil {
		return nil, err
	}
	return &Entry{Dir: filepath.Join(c.dir, key), Warning: warning, cache: c, key: key}, nil
}

// Holds reports whether there is an entry for key, even if it is damaged.
func (c *Cache) Holds(key string) bool {
	_, err := os.Lstat(filepath.Join(c.dir, key))
	return err == nil
}

// FirstAsked reports whether there is no entry for key and this is the first request for it. It records the request
// unless the cache is read-only.
func (c *Cache) FirstAsked(key string) bool {
	if held := c.Holds(key); held || c.readOnly {
		return !held
	}
	f, err := os.OpenFile(filepath.Join(c.dir, askedPrefix+key), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return false
	}
	f.Close()
	return true
}

// put creates an entry. The caller holds its lock.
func (c *Cache) put(key string, fill func(dir string) error) error {
	tmp, err := os.MkdirTemp(c.dir, tmpPrefix)
	if err != nil {
		return fmt.Errorf("write to the compile cache: %w", err)
	}
	defer os.RemoveAll(tmp)
	if err := fill(tmp); err != nil {
		return err
	}
	to := filepath.Join(c.dir, key)
	if err = seal(tmp); err == nil {
		err = os.Rename(tmp, to)
	}
	if _, missing := os.Lstat(to); missing != nil { // on systems without locks, another process may have created it
		return fmt.Errorf("write to the compile cache: %w", err)
	}
	c.evict(key)
	return nil
}

// find returns the verified entry, or nil if there is none. It returns an error if the entry is damaged.
func (c *Cache) find(key string) (*Entry, error) {
	dir := filepath.Join(c.dir, key)
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err := verify(dir); err != nil {
		return nil, err
	}
	if !c.readOnly {
		touch(filepath.Join(dir, sumsName))
	}
	return &Entry{Dir: dir, cache: c, key: key}, nil
}

// Drop removes an entry that the engine does not use.
func (e *Entry) Drop() {
	if !e.cache.readOnly {
		_ = e.cache.remove(e.key)
	}
}

// remove renames an entry, so that no reader sees half of it, and deletes it.
func (c *Cache) remove(key string) error {
	tmp, err := os.MkdirTemp(c.dir, tmpPrefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	return os.Rename(filepath.Join(c.dir, key), filepath.Join(tmp, key))
}

// touch marks an entry as used, which protects it from eviction.
func touch(path string) {
	if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > touchEvery {
		now := time.Now()
		_ = os.Chtimes(path, now, now)
	}
}

// codeHead exceeds the number of bytes that precede the machine code in an engine file: eight for each function.
const codeHead = 1 << 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Files returns the sizes of an entry's files by relative path, without the checksum list.
func Files(dir string) (map[string]int64, error) {
	files := map[string]int64{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil || strings.HasPrefix(rel, sumsName) {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is not a regular file", path)
		}
		files[filepath.ToSlash(rel)] = info.Size()
		return nil
	})
	return files, err
}

// seal writes the checksums of an entry's files. The format is a JSON object. Any changed byte in it leads to
// a syntax error, a wrong checksum or the name of a missing file.
func seal(dir string) error {
	files, err := Files(dir)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return errors.New("the engine wrote nothing")
	}
	sums := map[string]uint32{}
	for path, size := range files {
		if sums[path], err = sum(dir, path, size); err != nil {
			return err
		}
	}
	text, err := json.Marshal(sums)
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, sumsName), text, 0o600)
}

// verify compares an entry's files with their checksums. It rejects additional files, because the engine might use
// them.
func verify(dir string) error {
	list := filepath.Join(dir, sumsName)
	if info, err := os.Stat(list); err != nil || !info.Mode().IsRegular() {
		return cmp.Or(err, errors.New("the checksum list is not a regular file"))
	}
	text, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	var sums map[string]uint32
	if err := json.Unmarshal(text, &sums); err != nil || len(sums) == 0 {
		return errors.New("the checksum list cannot be read")
	}
	files, err := Files(dir)
	if err != nil || len(files) != len(sums) {
		return cmp.Or(err, errors.New("its files are not the ones on its checksum list"))
	}
	for path, want := range sums {
		if got, err := sum(dir, path, files[path]); err != nil || got != want {
			return cmp.Or(err, fmt.Errorf("%s has the checksum %08x, expected %08x", path, got, want))
		}
	}
	return nil
}

// sum returns the checksum of a file and its size. For a file in a subdirectory, which the engine wrote, it covers
// only the beginning, because the machine code after it has the engine's own checksum, and reading it twice takes 5
// ms.
func sum(dir, path string, size int64) (uint32, error) {
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(path)))
	if err != nil {
		return 0, err
	}
	defer f.Close()
	hash, most := crc32.New(castagnoli), size
	if strings.Contains(path, "/") {
		most = min(size, codeHead)
	}
	_ = binary.Write(hash, binary.LittleEndian, size)
	_, err = io.Copy(hash, io.LimitReader(f, most))
	return hash.Sum32(), err
}

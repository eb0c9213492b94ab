// Package cache keeps compiled plugins and verdicts in a directory and repairs damage by itself.
//
// The directory holds executable code, so it must belong to this user and not be writable by others. Each compiled
// plugin is a directory with the checksums of its files, verified before each use: the engine's own cache fails for
// good, or crashes, on a truncated or flipped byte. Get finds an entry whole, or takes its lock, so that of many
// processes one compiles, and has it filled in a temporary directory, which it seals with checksums and renames to its
// place. Killed in between, it leaves a temporary directory that a later Get removes. A damaged entry is made again,
// with a warning.
//
// The checksum is CRC-32C and guards against damage, not malice: who can write here as this user can run code anyway.
// SHA-256 would cost 20 ms of a warm start on processors without instructions for it.
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
	// maxSize is the number of bytes beyond which the least recently used entries are removed.
	maxSize = 512 << 20

	sumsName    = "sums"
	tmpPrefix   = "tmp-"
	askedPrefix = "asked-" // what was asked for once, see FirstAsked
	// SaltLength is how many characters at the end of a key say what made the code.
	SaltLength = 8
	// unused is the age since its last use at which an entry, or what was asked for once, is forgotten; staleOther that
	// of an entry that another version of the program made.
	unused     = 30 * 24 * time.Hour
	staleOther = 24 * time.Hour
	// staleAfter is the age at which a temporary directory is unused: far beyond any compile deadline.
	staleAfter = time.Hour
	// lockWait is how long an entry that another process makes is waited for: longer than any compile deadline.
	lockWait = time.Minute
	// touchEvery spares a write per use: the order of eviction need not be exact.
	touchEvery = time.Hour
)

// A Mode is whose cache a directory is, and what may be done with it.
type Mode int

// The modes.
const (
	Private  Mode = iota // this user's, which is filled as entries are needed
	ReadOnly             // this user's, in which no trace is left
	Shared               // for all users, which this process fills
	System               // for all users, which an administrator has filled
)

// Cache is a directory of compiled plugins. It may be used by many processes at once.
type Cache struct {
	dir  string
	size int64
	mode Mode
}

// ErrNotCached means that a cache that is only read does not hold an entry.
var ErrNotCached = errors.New("it is not in the cache")

// Open returns the cache in dir, an absolute path, which it creates if it may write there. It refuses a dir that is a
// symbolic link, not a directory, or writable by others, and one of another user, unless all use it and it is the
// administrator's. The error says so, and the caller runs without a cache. What is only read is not created, and Get
// returns what is whole or else ErrNotCached.
func Open(dir string, mode Mode) (*Cache, error) {
	what, permissions := "the compile cache", fs.FileMode(0o700)
	if mode == Shared || mode == System {
		what, permissions = private.System, 0o755
	}
	c := &Cache{dir: dir, size: maxSize, mode: mode}
	if !filepath.IsAbs(dir) {
		return nil, fmt.Errorf("%s %q is not an absolute path", what, dir)
	}
	if !c.readOnly() {
		if err := os.MkdirAll(dir, permissions); err != nil {
			return nil, fmt.Errorf("create %s: %w", what, err)
		}
	}
	return c, private.Check(what, dir)
}

func (c *Cache) readOnly() bool { return c.mode == ReadOnly || c.mode == System }

// share lets all users read an entry.
func share(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return errors.Join(err, os.Chmod(path, 0o644))
	})
}

// Entry is one compiled plugin.
type Entry struct {
	Dir     string // its files, which were verified
	Warning string // what had to be removed as damaged; "" for nothing

	cache *Cache
	key   string
}

// Get returns the entry for key, which must be a plain file name. If there is none, or a damaged one, fill makes its
// files in an empty directory. Get may wait for another process that does so, for lockWait at most. The error is that
// of fill, or says why the cache cannot be used.
func (c *Cache) Get(key string, fill func(dir string) error) (*Entry, error) {
	if key == "" || strings.ContainsAny(key, `/\.`) || strings.HasPrefix(key, tmpPrefix) {
		return nil, fmt.Errorf("cache key %q is not a plain name", key)
	}
	if e, err := c.find(key); err == nil && e != nil {
		return e, nil
	}
	if c.readOnly() {
		return nil, ErrNotCached
	}
	// Keys share 256 locks, so that locks need no removal; two plugins that share one compile in turn.
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

// Holds reports whether there is an entry for key, whole or not.
func (c *Cache) Holds(key string) bool {
	_, err := os.Lstat(filepath.Join(c.dir, key))
	return err == nil
}

// FirstAsked reports whether there is no entry for key and this is the first request, which it remembers unless the
// cache is read-only.
func (c *Cache) FirstAsked(key string) bool {
	if held := c.Holds(key); held || c.readOnly() {
		return !held
	}
	f, err := os.OpenFile(filepath.Join(c.dir, askedPrefix+key), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return false
	}
	f.Close()
	return true
}

// put makes an entry, under its lock.
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
	if err = seal(tmp); err == nil && c.mode == Shared {
		err = share(tmp)
	}
	if err == nil {
		err = os.Rename(tmp, to)
	}
	if _, missing := os.Lstat(to); missing != nil { // where there are no locks another process may have made it
		return fmt.Errorf("write to the compile cache: %w", err)
	}
	c.evict(key)
	return nil
}

// find returns the verified entry, nil if there is none, and an error for one that is damaged.
func (c *Cache) find(key string) (*Entry, error) {
	dir := filepath.Join(c.dir, key)
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if c.mode == System {
		if err := private.CheckWithin(private.System, dir); err != nil {
			return nil, err
		}
	}
	if err := verify(dir); err != nil {
		return nil, err
	}
	if !c.readOnly() {
		touch(filepath.Join(dir, sumsName))
	}
	return &Entry{Dir: dir, cache: c, key: key}, nil
}

// Drop removes an entry that the engine does not use.
func (e *Entry) Drop() {
	if !e.cache.readOnly() {
		_ = e.cache.remove(e.key)
	}
}

// remove moves an entry out of the way in one step, so that no reader sees half of it, and deletes it.
func (c *Cache) remove(key string) error {
	tmp, err := os.MkdirTemp(c.dir, tmpPrefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	return os.Rename(filepath.Join(c.dir, key), filepath.Join(tmp, key))
}

// touch spares what is in use from eviction.
func touch(path string) {
	if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > touchEvery {
		now := time.Now()
		_ = os.Chtimes(path, now, now)
	}
}

// codeHead is more bytes than precede the machine code in a file of the engine: eight for each function.
const codeHead = 1 << 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Files returns the sizes of an entry's files, by path below it, the list of checksums left out.
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

// seal writes the checksums of an entry's files: a JSON object in which a changed byte is a syntax error, another sum
// or the name of no file.
func seal(dir string) error {
	files, err := Files(dir)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return errors.New("the engine has written nothing")
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

// verify compares an entry's files with their checksums. It refuses files beside them, which the engine might use.
func verify(dir string) error {
	list := filepath.Join(dir, sumsName)
	if info, err := os.Stat(list); err != nil || !info.Mode().IsRegular() {
		return cmp.Or(err, errors.New("the list of checksums is not a regular file"))
	}
	text, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	var sums map[string]uint32
	if err := json.Unmarshal(text, &sums); err != nil || len(sums) == 0 {
		return errors.New("the list of checksums cannot be read")
	}
	files, err := Files(dir)
	if err != nil || len(files) != len(sums) {
		return cmp.Or(err, errors.New("it holds other files than are on its list"))
	}
	for path, want := range sums {
		if got, err := sum(dir, path, files[path]); err != nil || got != want {
			return cmp.Or(err, fmt.Errorf("%s has the checksum %08x, want %08x", path, got, want))
		}
	}
	return nil
}

// sum returns the checksum of a file and its size. Of a file in a directory below the entry, which is the engine's,
// only the head counts: the machine code after it has the engine's own checksum, and reading it twice takes 5 ms.
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

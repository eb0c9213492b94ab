// Package cache keeps compiled plugins and verdicts in a directory and heals itself.
//
// The directory holds executable code, so it must belong to this user and not be writable by others. Each compiled plugin
// is a directory with the checksums of its files, verified before each use: the engine's own cache fails for good, or
// crashes, on a truncated or flipped byte. The life of an entry:
//
//  1. Entry finds it whole: use it as it is, then Keep.
//  2. Entry finds it damaged: removes it, reports that in Warning, goes on as in 3.
//  3. Entry finds none: takes the entry's lock (so that of many processes one compiles) and tries again; if there is still
//     none it returns an empty temporary directory.
//  4. The caller compiles into Dir and calls Keep, which writes the checksums and renames the directory to its place, or
//     Drop, which removes it. Killed in between, it leaves a temporary directory that a later Keep removes.
//
// The checksum is CRC-32C and guards against damage, not malice: who can write here as this user can run code anyway.
// SHA-256 would cost 20 ms of a warm start on processors without instructions for it.
package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	// maxSize is the number of bytes beyond which the least recently used entries are removed.
	maxSize = 512 << 20

	sumsName  = "sums"
	tmpPrefix = "tmp-"
	// staleAfter is the age at which a temporary directory is unused: far beyond any compile deadline.
	staleAfter = time.Hour
	// touchEvery spares a write per use: the order of eviction need not be exact.
	touchEvery = time.Hour
)

// Cache is a directory of compiled plugins. It may be used by many processes at once.
type Cache struct {
	dir      string
	size     int64
	readOnly bool
}

// ErrNotKept means that a cache that is only read does not hold an entry.
var ErrNotKept = errors.New("it is not in the cache")

// Open returns the cache in dir, which it creates with mode 0700. It refuses a dir that is a symbolic link, not a
// directory, another user's or writable by others; the error says so, and the caller runs without a cache. One that is only
// read leaves no trace: nothing is created, and Entry returns what is whole or else ErrNotKept.
func Open(dir string, readOnly bool) (*Cache, error) {
	if !filepath.IsAbs(dir) {
		return nil, fmt.Errorf("the compile cache %q is not an absolute path", dir)
	}
	if !readOnly {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("create the compile cache: %w", err)
		}
	}
	return &Cache{dir: dir, size: maxSize, readOnly: readOnly}, trusted(dir)
}

func trusted(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return fmt.Errorf("open the compile cache: %w", err)
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("the compile cache %s is a symbolic link; remove it", dir)
	case !info.IsDir():
		return fmt.Errorf("the compile cache %s is not a directory; remove it", dir)
	case writableByOthers(info):
		return fmt.Errorf("the compile cache %s is writable by others (mode %04o); run `chmod 700` on it", dir, info.Mode().Perm())
	case !ownedByUs(info):
		return fmt.Errorf("the compile cache %s belongs to another user; remove it", dir)
	}
	return nil
}

// Entry is one compiled plugin, or the place where it is going to be. End it with Keep or Drop.
type Entry struct {
	Dir     string // where the engine reads and writes
	Found   bool   // Dir holds compiled code that has been verified
	Warning string // what had to be healed; "" for nothing

	cache  *Cache
	key    string
	files  map[string]int64 // those that were verified, if found; see list
	unlock func()
}

// Entry returns the entry for key, which must be a plain file name (see the package's comment for its life). It may wait
// for another process that compiles the same. On an error there is nothing to end: run uncached.
func (c *Cache) Entry(key string) (*Entry, error) {
	if key == "" || strings.ContainsAny(key, `/\.`) || strings.HasPrefix(key, tmpPrefix) {
		return nil, fmt.Errorf("cache key %q is not a plain name", key)
	}
	if e, err := c.find(key); err == nil && e != nil {
		return e, nil
	}
	if c.readOnly {
		return nil, ErrNotKept
	}
	// Keys share 256 locks, so that locks need no removal; two plugins that share one compile in turn.
	unlock, err := lock(filepath.Join(c.dir, "lock-"+key[:min(2, len(key))]))
	if err != nil {
		return nil, fmt.Errorf("lock the compile cache: %w", err)
	}
	e, err := c.findOrMake(key)
	if err != nil || e.Found {
		unlock()
		return e, err
	}
	e.unlock = unlock
	return e, nil
}

// find returns the verified entry, nil if there is none, and an error for one that is damaged.
func (c *Cache) find(key string) (*Entry, error) {
	dir := filepath.Join(c.dir, key)
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	files, err := verify(dir)
	if err != nil {
		return nil, err
	}
	if !c.readOnly {
		touch(filepath.Join(dir, sumsName))
	}
	return &Entry{Dir: dir, Found: true, cache: c, key: key, files: files}, nil
}

// findOrMake is called under the lock.
func (c *Cache) findOrMake(key string) (*Entry, error) {
	found, damage := c.find(key)
	if found != nil {
		return found, nil
	}
	e := &Entry{cache: c, key: key}
	if damage != nil {
		e.Warning = fmt.Sprintf("a compiled plugin in %s was damaged (%v); it is compiled again", c.dir, damage)
		if err := c.remove(key); err != nil {
			return nil, fmt.Errorf("remove a damaged entry of the compile cache: %w", err)
		}
	}
	var err error
	if e.Dir, err = os.MkdirTemp(c.dir, tmpPrefix); err != nil {
		return nil, fmt.Errorf("write to the compile cache: %w", err)
	}
	return e, nil
}

// Unchanged reports whether a found entry still has the files that were verified, and no other.
func (e *Entry) Unchanged() bool {
	files, err := list(e.Dir)
	return err == nil && maps.Equal(files, e.files)
}

// Keep ends the entry and leaves it for the next user. It returns an error if it could not be written, which costs the
// next user a compilation and nothing else.
func (e *Entry) Keep() error {
	if e.cache.readOnly || e.Found {
		return nil
	}
	defer e.release()
	err := seal(e.Dir)
	if err == nil {
		err = os.Rename(e.Dir, filepath.Join(e.cache.dir, e.key))
	}
	if err != nil {
		os.RemoveAll(e.Dir)
		if _, missing := os.Lstat(filepath.Join(e.cache.dir, e.key)); missing == nil {
			return nil // another process has kept it, where there are no locks
		}
		return fmt.Errorf("write to the compile cache: %w", err)
	}
	e.cache.evict(e.key)
	return nil
}

// Drop ends the entry and removes it. Use it when nothing was compiled, or when the engine refuses a found entry.
func (e *Entry) Drop() {
	defer e.release()
	switch {
	case e.cache.readOnly:
	case e.Found:
		_ = e.cache.remove(e.key)
	default:
		os.RemoveAll(e.Dir)
	}
}

func (e *Entry) release() {
	if e.unlock != nil {
		e.unlock()
		e.unlock = nil
	}
}

// remove takes an entry out of the way in one step, so that no reader sees half of it, and deletes it.
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

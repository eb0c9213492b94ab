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
	"slices"
	"strings"
	"time"

	"github.com/stategate/stategate/host/atomicfile"
)

// codeHead is more bytes than stand before the machine code in a file of the engine: eight for each function.
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
		if err == nil {
			files[filepath.ToSlash(rel)] = info.Size()
		}
		return err
	})
	return files, err
}

// seal writes the checksums of an entry's files: a JSON object in which a changed byte is a syntax error, another sum or the
// name of no file.
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
	text, err := os.ReadFile(filepath.Join(dir, sumsName))
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

// sum returns the checksum of a file and its size. Of a file in a directory below the entry, which is the engine's, only the head
// counts: what follows is machine code, of which the engine holds a checksum of its own, and reading it twice takes 5 ms.
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

// evict removes the least recently used entries until the rest fits, never the one just kept, and what killed
// processes have left. What it cannot remove it leaves.
func (c *Cache) evict(kept string) {
	removeOlder(filepath.Join(c.dir, verdictsName), "", staleVerdicts)
	removeOlder(c.dir, tmpPrefix, staleAfter)
	type entry struct {
		key  string
		size int64
		used time.Time
	}
	var entries []entry
	var total int64
	dirs, _ := os.ReadDir(c.dir)
	for _, d := range dirs {
		if !d.IsDir() || d.Name() == verdictsName || strings.HasPrefix(d.Name(), tmpPrefix) {
			continue
		}
		e := entry{key: d.Name()}
		if info, err := os.Stat(filepath.Join(c.dir, e.key, sumsName)); err == nil {
			e.used = info.ModTime()
		}
		files, _ := Files(filepath.Join(c.dir, e.key))
		for _, size := range files {
			e.size += size
		}
		entries, total = append(entries, e), total+e.size
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.key, b.key)) })
	for _, e := range entries {
		if total > c.size && e.key != kept && c.remove(e.key) == nil {
			total -= e.size
		}
	}
}

// removeOlder removes what a directory holds under names of that beginning and was not changed for so long.
func removeOlder(dir, prefix string, age time.Duration) {
	found, _ := os.ReadDir(dir)
	for _, d := range found {
		if info, err := d.Info(); err == nil && strings.HasPrefix(d.Name(), prefix) && time.Since(info.ModTime()) > age {
			os.RemoveAll(filepath.Join(dir, d.Name()))
		}
	}
}

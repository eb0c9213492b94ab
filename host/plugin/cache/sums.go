package cache

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/atomicfile"
)

// file is one line of an entry's list of checksums.
type file struct {
	path string // slash-separated, below the entry
	size int64  // bytes
	sum  uint32 // CRC-32C
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// verify reads the list of an entry and every file on it, and refuses files beside them, which the engine might use. A
// missing list is fs.ErrNotExist.
func verify(dir string) ([]file, error) {
	text, err := os.ReadFile(filepath.Join(dir, sumsName))
	if err != nil {
		return nil, err
	}
	files, err := parseSums(text)
	if err != nil {
		return nil, err
	}
	for _, want := range files {
		got, err := sum(dir, want.path)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", want.path, err)
		}
		if got != want {
			return nil, fmt.Errorf("%s has %d bytes with checksum %08x, want %d with %08x", want.path, got.size, got.sum, want.size, want.sum)
		}
	}
	if !holdsOnly(dir, files) {
		return nil, errors.New("it holds files that are not on its list")
	}
	return files, nil
}

// holdsOnly reports whether an entry has the files of its list and no other.
func holdsOnly(dir string, known []file) bool {
	files, err := list(dir)
	return err == nil && slices.EqualFunc(files, known, func(a, b file) bool { return a.path == b.path && a.size == b.size })
}

// parseSums reads the list. Its last line is its own checksum, so that a truncated list is found out.
func parseSums(text []byte) ([]file, error) {
	cut := bytes.LastIndexByte(bytes.TrimSuffix(text, []byte("\n")), '\n') + 1
	if string(text[cut:]) != lastLine(text[:cut]) {
		return nil, errors.New("the list of checksums is damaged")
	}
	var files []file
	lines := bufio.NewScanner(bytes.NewReader(text[:cut]))
	for lines.Scan() {
		var f file
		if n, err := fmt.Sscanf(lines.Text(), "%08x %d %s", &f.sum, &f.size, &f.path); n != 3 || err != nil {
			return nil, errors.New("the list of checksums cannot be read")
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil, errors.New("the list of checksums is empty")
	}
	return files, nil
}

func lastLine(list []byte) string { return fmt.Sprintf("end %08x\n", crc32.Checksum(list, castagnoli)) }

// seal writes the list of an entry's files.
func seal(dir string) error {
	files, err := list(dir)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return errors.New("the engine has written nothing")
	}
	var text bytes.Buffer
	for _, f := range files {
		got, err := sum(dir, f.path)
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%08x %d %s\n", got.sum, got.size, got.path)
	}
	text.WriteString(lastLine(text.Bytes()))
	return atomicfile.Write(filepath.Join(dir, sumsName), text.Bytes(), 0o600)
}

// list names the files of an entry with their sizes, in order, the list of checksums left out.
func list(dir string) ([]file, error) {
	var files []file
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
		files = append(files, file{path: filepath.ToSlash(rel), size: info.Size()})
		return nil
	})
	return files, err
}

func sum(dir, path string) (file, error) {
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(path)))
	if err != nil {
		return file{}, err
	}
	defer f.Close()
	hash := crc32.New(castagnoli)
	size, err := io.CopyBuffer(hash, onlyReader{f}, make([]byte, 256<<10))
	return file{path: path, size: size, sum: hash.Sum32()}, err
}

// onlyReader hides WriteTo, which would ignore the buffer.
type onlyReader struct{ io.Reader }

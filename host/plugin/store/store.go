// Package store keeps fetched plugins under the digests of their bytes, so that check reads exactly the pinned
// bytes and never opens a socket.
package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/stategate/stategate/host/atomicfile"
	"github.com/stategate/stategate/host/plugin"
)

// A Store is a directory of files that are named after their digests. The zero Store is empty and stores
// nothing.
type Store struct {
	Dir string // absolute; created by the first write
}

// ErrMissing means that the store does not contain a plugin.
var ErrMissing = errors.New("it is not in the store")

// A TamperedError reports that a file in the store was changed.
type TamperedError struct {
	Path        string
	Want, Found string // hex SHA-256
}

func (e *TamperedError) Error() string {
	return fmt.Sprintf("%s was changed after it was fetched: its sha256 is %s, expected %s; remove it and run "+
		"`stategate plugin sync`", e.Path, e.Found, e.Want)
}

// Get returns the plugin with the given hex SHA-256. The error is ErrMissing, a *TamperedError, or a read error. A
// file of more than max bytes counts as changed.
func (s Store) Get(sum string, max int64) ([]byte, error) {
	if s.Dir == "" || !isSum(sum) {
		return nil, ErrMissing
	}
	path := s.Path(sum)
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrMissing
	case err != nil:
		return nil, fmt.Errorf("read the store: %w", err)
	case !info.Mode().IsRegular():
		return nil, &TamperedError{path, sum, "of no regular file"}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the store: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, max+1))
	if err != nil {
		return nil, fmt.Errorf("read the store: %w", err)
	}
	if found := plugin.Digest(data); found != sum {
		return nil, &TamperedError{path, sum, found}
	}
	return data, nil
}

// Put stores a plugin, unless an intact copy exists.
func (s Store) Put(wasm []byte) error {
	sum := plugin.Digest(wasm)
	if s.Dir == "" {
		return errors.New("there is no directory for fetched plugins; set HOME, or XDG_CACHE_HOME")
	}
	if _, err := s.Get(sum, int64(len(wasm))); err == nil {
		return nil
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return fmt.Errorf("create the store: %w", err)
	}
	if err := atomicfile.Write(s.Path(sum), wasm, 0o600); err != nil {
		return fmt.Errorf("write to the store: %w", err)
	}
	return nil
}

// Attested reports whether the store has a note that the repository built the plugin with the given hex SHA-256.
func (s Store) Attested(sum, repository string) bool {
	info, err := os.Lstat(s.note(sum, repository))
	return s.Dir != "" && isSum(sum) && err == nil && info.Mode().IsRegular()
}

// Attest adds a note that the repository built the plugin.
func (s Store) Attest(sum, repository string) error {
	if err := atomicfile.Write(s.note(sum, repository), nil, 0o600); err != nil {
		return fmt.Errorf("write to the store: %w", err)
	}
	return nil
}

// note returns the path of the note that the repository (OWNER/NAME) built the plugin. GitHub ignores case in
// repository names.
func (s Store) note(sum, repository string) string {
	return filepath.Join(s.Dir, sum+"."+strings.ReplaceAll(strings.ToLower(repository), "/", "+")+".attested")
}

// Path returns the path of the plugin with the given hex SHA-256.
func (s Store) Path(sum string) string { return filepath.Join(s.Dir, sum+".wasm") }

func isSum(s string) bool {
	raw, err := hex.DecodeString(s)
	return err == nil && len(raw) == sha256.Size && hex.EncodeToString(raw) == s
}

package cache

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// said is a test verdict.
type said struct {
	key, slot byte
	text      string
}

// store is a directory for one tree's verdicts.
type store struct {
	t   *testing.T
	dir string
}

func newStore(t *testing.T) store { return store{t, filepath.Join(t.TempDir(), "cache")} }

func (s store) open() *Verdicts {
	s.t.Helper()
	v, err := OpenVerdicts(s.dir, "tree", false)
	if err != nil {
		s.t.Fatal(err)
	}
	return v
}

func (s store) file() string { return filepath.Join(s.dir, verdictsName, "tree") }

// put stores verdicts in one run.
func (s store) put(list ...said) {
	s.t.Helper()
	v := s.open()
	for _, verdict := range list {
		v.Put([32]byte{verdict.key}, [8]byte{verdict.slot}, []byte(verdict.text))
	}
	if err := v.Close(); err != nil {
		s.t.Fatal(err)
	}
}

func verdict(key, slot byte, text string) said { return said{key, slot, text} }

// found lists the keys that a new run finds, with their texts.
func (s store) found(keys ...byte) string {
	s.t.Helper()
	v, list := s.open(), ""
	for _, key := range keys {
		if text, ok := v.Get([32]byte{key}); ok {
			list += fmt.Sprintf("%d:%s ", key, text)
		}
	}
	if err := v.Close(); err != nil {
		s.t.Fatal(err)
	}
	return list
}

func TestVerdictsAreFoundAgain(t *testing.T) {
	s := newStore(t)
	s.put(verdict(1, 1, "one"), verdict(2, 2, ""))
	s.put(verdict(3, 3, "three"))
	if got, want := s.found(1, 2, 3, 4), "1:one 2: 3:three "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestDamageCostsOnlyDamagedVerdicts damages every byte of a file. Only intact verdicts are found, and the next run
// finds an intact file.
func TestDamageCostsOnlyDamagedVerdicts(t *testing.T) {
	s := newStore(t)
	s.put(verdict(1, 1, "one"), verdict(2, 2, "two"))
	good, err := os.ReadFile(s.file())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 * len(good) {
		data := bytes.Clone(good)
		if i < len(good) {
			data[i] ^= 0x41
		} else {
			data = data[:i-len(good)]
		}
		if err := os.WriteFile(s.file(), data, 0o600); err != nil {
			t.Fatal(err)
		}
		switch got := s.found(1, 2); got {
		case "", "1:one ", "2:two ", "1:one 2:two ":
		default:
			t.Fatalf("damage %d: found %q", i, got)
		}
		s.put(verdict(1, 1, "one"), verdict(2, 2, "two"))
		if got := s.found(1, 2); got != "1:one 2:two " {
			t.Fatalf("damage %d remains: found %q", i, got)
		}
	}
}

func TestOldVerdictsAreDropped(t *testing.T) {
	s := newStore(t)
	s.put(verdict(200, 2, "another instance"))
	long := strings.Repeat("the same instance ", 1000)
	most := int64(2*keepPerSlot*len(long) + verdictsSpare + 4096)
	for key := range byte(100) {
		s.put(verdict(key, 1, long))
		if info, err := os.Stat(s.file()); err != nil || info.Size() > most {
			t.Fatalf("%d states of one instance take %d bytes, want at most %d; %v", key+1, info.Size(), most, err)
		}
	}
	if got, want := s.found(200, 99, 96, 5), "200:another instance 99:"+long+" 96:"+long+" "; got != want {
		t.Errorf("got %.60q, want %.60q", got, want)
	}
}

// TestNewVerdictsAreAppended: a file from many runs is not rewritten for one more.
func TestNewVerdictsAreAppended(t *testing.T) {
	s := newStore(t)
	s.put(verdict(1, 1, "one"))
	before, err := os.ReadFile(s.file())
	if err != nil {
		t.Fatal(err)
	}
	s.put(verdict(2, 2, "two"))
	if after, err := os.ReadFile(s.file()); err != nil || !bytes.HasPrefix(after, before) || len(after) == len(before) {
		t.Errorf("%q, then %q, %v", before, after, err)
	}
	if err := os.WriteFile(s.file(), before[:len(before)-1], 0o600); err != nil { // truncated
		t.Fatal(err)
	}
	s.put(verdict(2, 2, "two"))
	s.put(verdict(3, 3, "three"))
	if got, want := s.found(1, 2, 3), "2:two 3:three "; got != want {
		t.Errorf("behind a broken record: got %q, want %q", got, want)
	}
}

// TestVerdictsStayReadable: old verdicts are dropped before the file exceeds the maximum size for reading.
func TestVerdictsStayReadable(t *testing.T) {
	s := newStore(t)
	long := strings.Repeat("-", maxVerdicts/8)
	for _, first := range []byte{0, keepPerSlot} {
		var list []said
		for key := range byte(keepPerSlot) {
			list = append(list, verdict(first+key, 1, long))
		}
		s.put(list...)
	}
	if got := len(s.found(4, 5, 6, 7)); got < 4*len(long) {
		t.Errorf("%d bytes are found, want %d", got, 4*len(long))
	}
}

// TestTwoWriters: processes that run at the same time find existing verdicts and do not damage each other's.
func TestTwoWriters(t *testing.T) {
	s := newStore(t)
	s.put(verdict(1, 1, "one"))
	a, b := s.open(), s.open()
	a.Put([32]byte{2}, [8]byte{2}, []byte("two"))
	b.Put([32]byte{3}, [8]byte{3}, []byte("three"))
	for _, v := range []*Verdicts{a, b} {
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := s.found(1, 2, 3), "1:one 2:two 3:three "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOtherUsersVerdictsAreRejected(t *testing.T) {
	s := newStore(t)
	if err := os.Mkdir(s.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(s.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenVerdicts(s.dir, "tree", false); err == nil {
		t.Error("a directory that others may write is taken")
	}
}

// TestSeen: the stored view of the tree is kept either completely or not at all.
func TestSeen(t *testing.T) {
	s := newStore(t)
	if v := s.open(); v.Seen() != "" {
		t.Error("something was seen before the first run")
	}
	for _, text := range []string{"what was seen", ""} {
		v := s.open()
		v.KeepSeen(text)
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.open().Seen(); got != "what was seen" {
		t.Fatalf("got %q", got)
	}
	good, err := os.ReadFile(s.file())
	if err != nil {
		t.Fatal(err)
	}
	for i := len(verdictsHead); i < len(good); i++ {
		damaged := bytes.Clone(good)
		damaged[i] ^= 1
		for _, data := range [][]byte{damaged, good[:i]} {
			if err := os.WriteFile(s.file(), data, 0o600); err != nil {
				t.Fatal(err)
			}
			if got := s.open().Seen(); got != "" {
				t.Errorf("byte %d: got %q", i, got)
			}
		}
	}
}

// TestSharedVerdictsAreNotUsed: verdicts that are reached through a link, or that others can write to, are neither
// read nor written.
func TestSharedVerdictsAreNotUsed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	s := newStore(t)
	s.put(verdict(1, 1, "said"))
	dir := filepath.Dir(s.file())
	refused := func(what string) {
		t.Helper()
		for _, readOnly := range []bool{false, true} {
			if v, err := OpenVerdicts(s.dir, "tree", readOnly); err == nil {
				text, ok := v.Get([32]byte{1})
				t.Errorf("%s, only read %t: it has %q, %t", what, readOnly, text, ok)
			}
		}
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	refused("writable by all")
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	if err := errors.Join(os.Chmod(dir, 0o700), os.Rename(dir, elsewhere), os.Symlink(elsewhere, dir)); err != nil {
		t.Fatal(err)
	}
	refused("a link")
}

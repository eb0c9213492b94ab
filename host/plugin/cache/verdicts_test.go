package cache

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

// store is a directory for verdicts of one tree.
type store struct {
	t   *testing.T
	dir string
}

func newStore(t *testing.T) store { return store{t, filepath.Join(t.TempDir(), "cache")} }

func (s store) open() *Verdicts {
	s.t.Helper()
	v, err := OpenVerdicts(s.dir, "tree")
	if err != nil {
		s.t.Fatal(err)
	}
	return v
}

func (s store) file() string { return filepath.Join(s.dir, verdictsName, "tree") }

// put keeps verdicts in one run.
func (s store) put(list ...Verdict) {
	s.t.Helper()
	v := s.open()
	for _, verdict := range list {
		v.Put(verdict)
	}
	if err := v.Close(); err != nil {
		s.t.Fatal(err)
	}
}

func verdict(key, slot byte, said string) Verdict {
	return Verdict{Key: [32]byte{key}, Slot: [8]byte{slot}, Said: []byte(said)}
}

// found lists the keys that a new run finds, with what was said.
func (s store) found(keys ...byte) string {
	s.t.Helper()
	v, list := s.open(), ""
	for _, key := range keys {
		if said, ok := v.Get([32]byte{key}, noon); ok {
			list += fmt.Sprintf("%d:%s ", key, said)
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

func TestVerdictHoldsForItsTime(t *testing.T) {
	tests := map[string]struct {
		from, to time.Time
		found    bool
	}{
		"always":         {time.Time{}, time.Time{}, true},
		"from then on":   {noon, time.Time{}, true},
		"not before":     {noon.Add(1), time.Time{}, false},
		"just before":    {time.Time{}, noon.Add(1), true},
		"no longer":      {time.Time{}, noon, false},
		"within both":    {noon.Add(-1), noon.Add(1), true},
		"the first time": {noon.Add(1), noon.Add(2), false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			v := verdict(1, 1, "said")
			v.From, v.To = test.from, test.to
			s.put(v)
			if got := s.found(1) != ""; got != test.found {
				t.Errorf("found is %v", got)
			}
		})
	}
}

// TestDamageCostsTheDamaged tries every byte of a file: what is found is what
// was said, and the next run finds the file whole.
func TestDamageCostsTheDamaged(t *testing.T) {
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
			t.Fatalf("damage %d has not healed: found %q", i, got)
		}
	}
}

func TestOldVerdictsGiveWay(t *testing.T) {
	s := newStore(t)
	s.put(verdict(200, 2, "another instance"))
	for key := range byte(100) {
		s.put(verdict(key, 1, "the same instance"))
	}
	info, err := os.Stat(s.file())
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 4096 {
		t.Errorf("a hundred states of one instance take %d bytes", info.Size())
	}
	if got, want := s.found(200, 99), "200:another instance 99:the same instance "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTwoWriters: of runs at the same time, each finds what is there, and none
// damages what the other wrote.
func TestTwoWriters(t *testing.T) {
	s := newStore(t)
	s.put(verdict(1, 1, "one"))
	a, b := s.open(), s.open()
	a.Put(verdict(2, 2, "two"))
	b.Put(verdict(3, 3, "three"))
	for _, v := range []*Verdicts{a, b} {
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := s.found(1, 2, 3), "1:one 2:two 3:three "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestVerdictsOfOthersAreRefused(t *testing.T) {
	s := newStore(t)
	if err := os.Mkdir(s.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(s.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenVerdicts(s.dir, "tree"); err == nil {
		t.Error("a directory that others may write is taken")
	}
}

// TestVerdictsFarAway: times beyond what nanoseconds can hold do not wrap around to ours.
func TestVerdictsFarAway(t *testing.T) {
	year := func(y int) time.Time { return time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		from, to, now int // years
		holds         bool
	}{
		{2600, 0, 2700, false}, // held, but no longer told
		{2600, 0, 2026, false},
		{0, 2600, 2026, true},
		{0, 2600, 2700, false},
		{1500, 0, 2026, true},
		{1500, 0, 1400, false},
		{0, 1500, 2026, false},
		{0, 1970, 1969, true},
		{0, 1970, 2026, false},
	} {
		v := verdict(1, 1, "said")
		if c.from != 0 {
			v.From = year(c.from)
		}
		if c.to != 0 {
			v.To = year(c.to)
		}
		if got := newRecord(v, nil).holds(year(c.now)); got != c.holds {
			t.Errorf("from %d to %d at %d: %t", c.from, c.to, c.now, got)
		}
	}
	if newRecord(Verdict{From: year(1960)}, nil).holds(time.Time{}) {
		t.Error("the zero time is after 1960")
	}
}

package cache

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const verdictKey = "aa11"

func openVerdicts(t *testing.T) *Verdicts {
	t.Helper()
	v, err := OpenVerdicts(filepath.Join(t.TempDir(), "cache"))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func put(t *testing.T, v *Verdicts, key string, from, until time.Time, said string) {
	t.Helper()
	if err := v.Put(key, from, until, []byte(said)); err != nil {
		t.Fatal(err)
	}
}

func TestVerdictHoldsForItsTime(t *testing.T) {
	noon := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	tests := map[string]struct {
		from, until time.Time
		at          time.Time
		found       bool
	}{
		"always":         {time.Time{}, time.Time{}, noon, true},
		"from then on":   {noon, time.Time{}, noon, true},
		"not before":     {noon, time.Time{}, noon.Add(-1), false},
		"just before":    {time.Time{}, noon, noon.Add(-1), true},
		"no longer":      {time.Time{}, noon, noon, false},
		"within both":    {noon.Add(-1), noon.Add(1), noon, true},
		"the first time": {noon.Add(1), noon.Add(2), noon, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			v := openVerdicts(t)
			put(t, v, verdictKey, test.from, test.until, "said")
			said, found := v.Get(verdictKey, test.at)
			if found != test.found || found && string(said) != "said" {
				t.Errorf("got %q, %v", said, found)
			}
		})
	}
}

func TestDamagedVerdictIsForgotten(t *testing.T) {
	for name, damage := range map[string]func([]byte) []byte{
		"truncated": func(b []byte) []byte { return b[:len(b)-1] },
		"empty":     func([]byte) []byte { return nil },
		"flipped":   func(b []byte) []byte { b[len(b)-1] ^= 1; return b },
		"time":      func(b []byte) []byte { b[5] ^= 1; return b },
	} {
		t.Run(name, func(t *testing.T) {
			v := openVerdicts(t)
			put(t, v, verdictKey, time.Time{}, time.Time{}, "said")
			file := v.file(verdictKey)
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, damage(data), 0o600); err != nil {
				t.Fatal(err)
			}
			if said, found := v.Get(verdictKey, time.Now()); found {
				t.Errorf("got %q", said)
			}
			if _, err := os.Stat(file); !os.IsNotExist(err) {
				t.Errorf("the damaged file is still there: %v", err)
			}
		})
	}
}

func TestVerdictsAreEvictedByUse(t *testing.T) {
	v := openVerdicts(t)
	for _, key := range []string{"aa1", "ab2", "ac3"} {
		put(t, v, key, time.Time{}, time.Time{}, strings.Repeat("x", 100))
	}
	old := time.Now().Add(-2 * touchEvery)
	for _, key := range []string{"aa1", "ab2"} {
		if err := os.Chtimes(v.file(key), old, old); err != nil {
			t.Fatal(err)
		}
	}
	v.Get("aa1", time.Now()) // in use again
	v.Evict(250)
	for key, want := range map[string]bool{"aa1": true, "ab2": false, "ac3": true} {
		if _, found := v.Get(key, time.Now()); found != want {
			t.Errorf("%s: found is %v", key, found)
		}
	}
}

func TestVerdictsOfOthersAreRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenVerdicts(dir); err == nil {
		t.Error("a directory that others may write is taken")
	}
}

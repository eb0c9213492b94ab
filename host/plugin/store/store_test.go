package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/store"
)

func TestStoreReturnsWhatWasPut(t *testing.T) {
	s := store.Store{Dir: filepath.Join(t.TempDir(), "plugins")}
	wasm := []byte("\x00asm a plugin")
	if _, err := s.Get(plugin.Digest(wasm), 100); !errors.Is(err, store.ErrMissing) {
		t.Fatalf("an empty store says %v", err)
	}
	for range 2 {
		if err := s.Put(wasm); err != nil {
			t.Fatal(err)
		}
		got, err := s.Get(plugin.Digest(wasm), 100)
		if err != nil || string(got) != string(wasm) {
			t.Fatalf("got %q, %v", got, err)
		}
	}
}

func TestStoreRejectsChangedFiles(t *testing.T) {
	for name, tamper := range map[string]func(path string) error{
		"a flipped byte": func(path string) error { return os.WriteFile(path, []byte("\x00asm A plugin"), 0o600) },
		"cut":            func(path string) error { return os.Truncate(path, 3) },
		"longer":         func(path string) error { return os.WriteFile(path, make([]byte, 1000), 0o600) },
		"a directory":    func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
	} {
		t.Run(name, func(t *testing.T) {
			s := store.Store{Dir: t.TempDir()}
			wasm := []byte("\x00asm a plugin")
			sum := plugin.Digest(wasm)
			if err := s.Put(wasm); err != nil {
				t.Fatal(err)
			}
			if err := tamper(filepath.Join(s.Dir, sum+".wasm")); err != nil {
				t.Fatal(err)
			}
			var tampered *store.TamperedError
			if _, err := s.Get(sum, 100); !errors.As(err, &tampered) || tampered.Want != sum {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestStoreAcceptsOnlyDigests(t *testing.T) {
	s := store.Store{Dir: t.TempDir()}
	for _, sum := range []string{"", "..", "../../etc/passwd", "ABCD", string(make([]byte, 64))} {
		if _, err := s.Get(sum, 100); !errors.Is(err, store.ErrMissing) {
			t.Errorf("%q: %v", sum, err)
		}
	}
	if err := (store.Store{}).Put([]byte("x")); err == nil {
		t.Error("a store without a directory keeps something")
	}
}

package wholefile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stategate/stategate/host/wholefile"
)

func TestWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	for _, text := range []string{"first", "the second, longer", ""} {
		if err := wholefile.Write(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Errorf("got %q, %v, want %q", got, err, text)
		}
	}
	if err := wholefile.Write(name, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	wrong := errors.New("half of it")
	err := wholefile.WriteFrom(name, 0o600, func(w io.Writer) error {
		_, _ = io.WriteString(w, "half")
		return wrong
	})
	if got, _ := os.ReadFile(name); !errors.Is(err, wrong) || string(got) != "kept" {
		t.Errorf("after a failure there is %q, %v", got, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("temporary files are left: %v, %v", entries, err)
	}
	if err := wholefile.Write(filepath.Join(dir, "nowhere", "file"), nil, 0o600); err == nil {
		t.Error("a file is written where there is no directory")
	}
}

package previous

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/sdk/snapshot"
)

func record() Record {
	return Record{
		{Plugin: "one", Root: "a/b"}: Files([]snapshot.File{
			{Path: "state.json", Size: 2, Data: []byte("{}")}, {Path: "empty", Data: []byte{}}, {Path: "deep/er/x.md", Size: 9},
			{Path: "deep/link", Kind: snapshot.Symlink, Detail: "symbolic link"}, {Path: "rounds/1", Kind: snapshot.Directory}, {Path: "large", Size: 99, TooLarge: true},
		}),
		{Plugin: "two", Root: "a/b"}: nil,
	}
}

func TestWriteAndRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "new", "last")
	if r, err := Read(name); r != nil || err != nil {
		t.Errorf("Read of nothing = %v, %v", r, err)
	}
	for range 2 {
		if err := record().Write(name); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Read(name)
	if err != nil || len(got) != 2 || !reflect.DeepEqual(got[discover.Instance{Plugin: "one", Root: "a/b"}][0], record()[discover.Instance{Plugin: "one", Root: "a/b"}][0]) {
		t.Errorf("Read = %+v, %v", got, err)
	}
	a, _ := record().encode()
	b, _ := record().encode()
	if !slices.Equal(a, b) {
		t.Error("two records of the same are not the same bytes")
	}
	if left, _ := os.ReadDir(filepath.Dir(name)); len(left) != 1 {
		t.Errorf("beside the record lie %v", left)
	}
}

// TestDamage: any byte that changes, and any end that is missing, is noticed.
func TestDamage(t *testing.T) {
	data, err := record().encode()
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		bad := slices.Clone(data)
		bad[i] ^= 1
		if _, err := decode(bytes.NewReader(bad)); !errors.Is(err, ErrDamaged) {
			t.Fatalf("byte %d: %v", i, err)
		}
		if _, err := decode(bytes.NewReader(data[:i])); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut at %d: %v", i, err)
		}
	}
}

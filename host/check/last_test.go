package check

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

func aRecord() lastRecord {
	return lastRecord{
		{Plugin: "one", Root: "a/b"}: []snapshot.File{
			{Path: "state.json", Size: 2, Data: []byte("{}")}, {Path: "empty", Data: []byte{}}, {Path: "deep/er/x.md", Size: 9},
			{Path: "deep/link", Kind: snapshot.Symlink, Detail: "symbolic link"}, {Path: "rounds/1", Kind: snapshot.Directory}, {Path: "large", Size: 99, TooLarge: true},
		},
		{Plugin: "two", Root: "a/b"}: nil,
	}
}

func TestRecordIsReadAgain(t *testing.T) {
	name := filepath.Join(t.TempDir(), "new", "last")
	if r, err := readRecord(name); r != nil || err != nil {
		t.Errorf("Read of nothing = %v, %v", r, err)
	}
	for range 2 {
		if err := aRecord().write(name); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readRecord(name)
	if err != nil || len(got) != 2 || !reflect.DeepEqual(got[discover.Instance{Plugin: "one", Root: "a/b"}][0], aRecord()[discover.Instance{Plugin: "one", Root: "a/b"}][0]) {
		t.Errorf("Read = %+v, %v", got, err)
	}
	a, _ := aRecord().encode()
	b, _ := aRecord().encode()
	if !slices.Equal(a, b) {
		t.Error("two records of the same are not the same bytes")
	}
	if left, _ := os.ReadDir(filepath.Dir(name)); len(left) != 1 {
		t.Errorf("beside the record lie %v", left)
	}
}

// TestRecordDamage: any byte that changes, and any end that is missing, is noticed.
func TestRecordDamage(t *testing.T) {
	data, err := aRecord().encode()
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		bad := slices.Clone(data)
		bad[i] ^= 1
		if _, err := decodeRecord(bytes.NewReader(bad)); !errors.Is(err, errDamaged) {
			t.Fatalf("byte %d: %v", i, err)
		}
		if _, err := decodeRecord(bytes.NewReader(data[:i])); !errors.Is(err, errDamaged) {
			t.Fatalf("cut at %d: %v", i, err)
		}
	}
}

// TestRecordIsNoRegularFile: what is no file is not opened, since a named pipe would block for ever.
func TestRecordIsNoRegularFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "last")
	if err := os.Symlink(os.DevNull, name); err != nil {
		t.Skip("no links: " + err.Error())
	}
	if _, err := readRecord(name); !errors.Is(err, errDamaged) {
		t.Errorf("got %v", err)
	}
}

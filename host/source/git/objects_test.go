package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stategate/stategate/testdata/gittest"
)

func TestObjects(t *testing.T) {
	top := gittest.Repository(t, map[string]string{"empty": "", "text": "a\nb", "big": strings.Repeat("x", 1<<20)})
	o := find(t, top).Objects(context.Background())
	defer o.Close()
	id := func(name string) string { return gittest.Run(t, top, "rev-parse", "HEAD:"+name) }
	text, big, empty := id("text"), id("big"), id("empty")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got, err := o.Read(text, 10); err != nil || string(got.Data) != "a\nb" || got.Type != "blob" {
				t.Errorf("text = %+v, %v", got, err)
			}
			if got, err := o.Read(big, 10); err != nil || got.Data != nil || got.Size != 1<<20 {
				t.Errorf("big = %d bytes of %d, %v", len(got.Data), got.Size, err)
			}
			if got, err := o.Read(empty, 0); err != nil || got.Data == nil || got.Size != 0 {
				t.Errorf("empty = %+v, %v", got, err)
			}
			if got, err := o.Info(big); err != nil || got.Size != 1<<20 {
				t.Errorf("info = %+v, %v", got, err)
			}
			if _, err := o.Read(strings.Repeat("0", 40), 10); !errors.Is(err, ErrMissing) {
				t.Errorf("missing = %v", err)
			}
		})
	}
	all.Wait()
	if _, err := o.Read("HEAD\n", 1); err == nil {
		t.Error("Read accepts an invalid object id")
	}
}

// TestObjectWithWrongBytesIsRejected: git trusts a loose object's file name. An object with other bytes is rejected,
// because its results would be cached under that name.
func TestObjectWithWrongBytesIsRejected(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		top := t.TempDir()
		gittest.Run(t, top, "init", "-q", "--object-format="+format)
		gittest.Write(t, top, map[string]string{"good": "good", "bad": "bad"})
		place := func(name string) (id, file string) {
			id = gittest.Run(t, top, "hash-object", "-w", name)
			return id, filepath.Join(top, ".git", "objects", id[:2], id[2:])
		}
		good, of := place("good")
		bad, to := place("bad")
		if err := errors.Join(os.Remove(to), os.Link(of, to)); err != nil {
			t.Fatal(err)
		}
		o := find(t, top).Objects(context.Background())
		defer o.Close()
		if got, err := o.Read(good, 10); err != nil || string(got.Data) != "good" {
			t.Errorf("%s: good is %q, %v", format, got.Data, err)
		}
		if got, err := o.Read(bad, 10); err == nil ||
			!strings.Contains(err.Error(), "does not match its id; see git fsck") {
			t.Errorf("%s: bad is %q, %v", format, got.Data, err)
		}
	}
}

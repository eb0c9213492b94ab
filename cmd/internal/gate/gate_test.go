package gate

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLimited: progress lines are reported even if they arrive in pieces. All other output is kept, up to the limit,
// even if io.Copy writes it.
func TestLimited(t *testing.T) {
	for _, size := range []int{1, 3, 100} {
		var seen []string
		l := &limited{progress: func(done, total int) { seen = append(seen, fmt.Sprint(done, "/", total)) }}
		text := "1/12\nstategate: note: x\n12/12\n"
		for len(text) > 0 {
			n := min(size, len(text))
			if _, err := io.Copy(l, strings.NewReader(text[:n])); err != nil {
				t.Fatal(err)
			}
			text = text[n:]
		}
		if !slices.Equal(seen, []string{"1/12", "12/12"}) || l.kept.String() != "stategate: note: x\n" {
			t.Errorf("in steps of %d: %q, %q", size, seen, l.kept.String())
		}
	}
	l := &limited{}
	if _, err := io.Copy(l, io.LimitReader(endless{}, maxOutput+1)); err != nil || !l.over || l.kept.Len() > maxOutput {
		t.Errorf("%d bytes are kept, over is %v, %v", l.kept.Len(), l.over, err)
	}
}

// TestProgramIsOfTheCaller: a relative program name is relative to the current directory, and never names a file in the
// served directory.
func TestProgramIsOfTheCaller(t *testing.T) {
	top := t.TempDir()
	t.Chdir(top)
	name := filepath.Join("bin", "stategate.exe")
	for _, dir := range []string{"bin", filepath.Join("served", "bin")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "stategate.exe"), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	g, err := New(name, "served")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.Stat(name)
	if got, failed := os.Stat(g.Program); err != nil || failed != nil || !filepath.IsAbs(g.Program) ||
		!os.SameFile(got, want) {
		t.Errorf("the program is %s, %v, %v", g.Program, err, failed)
	}
}

// TestPathsStayBelow: a link may lead anywhere in the served directory, but not out of it.
func TestPathsStayBelow(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "served")
	for _, d := range []string{filepath.Join(dir, "state"), filepath.Join(top, "other", "state")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"in": "state", "out": filepath.Join("..", "other"),
		"far": filepath.Join(top, "other")} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	g := &Gate{Dir: dir}
	for _, path := range []string{"state", "in", "gone/too", "--fix", filepath.Join(dir, "state")} {
		if _, err := g.At(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, path := range []string{"../other", "out", "out/state", "far/state", "out/gone",
		filepath.Join(dir, "out", "state"), filepath.Join(top, "other")} {
		if at, err := g.At(path); err == nil {
			t.Errorf("%s is taken as %q", path, at)
		}
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

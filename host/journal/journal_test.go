//go:build unix

package journal

import (
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/private"
)

func TestJournalMustBeOurs(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(dir string) error
		want  string
	}{
		"writable by others": {func(dir string) error {
			return errors.Join(os.Mkdir(dir, 0o700),
				os.Chmod(dir, 0o777))
		}, "writable by others (mode 0777)"},
		"by the group": {func(dir string) error {
			return errors.Join(os.Mkdir(dir, 0o700),
				os.Chmod(dir, 0o770))
		}, "chmod go-w"},
		"a link": {func(dir string) error {
			return errors.Join(os.Mkdir(dir+"2", 0o700),
				os.Symlink(dir+"2", dir))
		}, "is a symbolic link"},
		"a file": {func(dir string) error { return os.WriteFile(dir, nil, 0o600) }, "directory"},
		"of another": {func(dir string) error {
			return errors.Join(os.Mkdir(dir, 0o700),
				os.Chown(dir, 12345, 12345))
		}, "belongs to another user"},
	} {
		if name == "of another" && os.Geteuid() != 0 {
			continue
		}
		workspace, journal := disk(t)
		must(t, c.spoil(journal))
		if _, err := Open(workspace, journal, journal+"-key"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestLock(t *testing.T) {
	workspace, journal := disk(t)
	s := opens(t, workspace, journal)
	if _, err := Open(workspace, journal, journal+"-key"); !errors.Is(err, ErrLocked) {
		t.Errorf("a second one: %v", err)
	}
	s.Close()
	opens(t, workspace, journal).Close()
	if info, err := os.Stat(journal); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the journal: %v, %v", info.Mode(), err)
	}
}

// A forged journal is a journal that an attacker wrote, with one transaction of one step.
type forged struct {
	header header
	step   step
	name   string // of the step's file
	id     string
	state  string
	sealer string // the transaction that it is sealed for; "" for its own
	key    string // the key's directory; "" for the user's
	sum    bool   // the seals are correct
}

func (f *forged) write(t *testing.T, journal string) {
	t.Helper()
	dir := filepath.Join(journal, f.id+"."+f.state)
	must(t, os.MkdirAll(dir, 0o700))
	key, err := private.Key(cmp.Or(f.key, journal+"-key"))
	must(t, err)
	r, e := &records{key: key}, &entry{id: cmp.Or(f.sealer, f.id)}
	for name, v := range map[string]any{recordName: f.header, f.name: f.step} {
		text, err := json.Marshal(v)
		must(t, err)
		text = slices.Concat(r.seal(e, name, text), []byte("\n"), text, []byte("\n"))
		if !f.sum {
			text[0] ^= 1
		}
		must(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	must(t, os.WriteFile(filepath.Join(dir, backupName(0)), []byte("bad"), 0o600))
}

// hostile returns a journal that would write "bad" to a file if it were trusted.
func hostile() *forged {
	return &forged{
		header: header{Format: format, About: About{Root: "w"}},
		step: step{Path: "w/plan.md", Was: &state{Sum: sumOf([]byte("bad"))},
			Is: &state{Sum: sumOf([]byte(before["w/plan.md"]))}},
		name: stepName(0), id: "0000000123456789", state: open, sum: true,
	}
}

// TestHostileJournal: a journal may do only what a new change of the same paths may do. Everything else is refused,
// and nothing is changed.
func TestHostileJournal(t *testing.T) {
	t.Parallel()
	at := func(name string) func(*forged) { return func(f *forged) { f.step.Path = name } }
	for name, change := range map[string]func(*forged){
		"outside":             at("../plan.md"),
		"absolute":            at("/tmp/plan.md"),
		"git":                 at(".git/hooks/pre-commit"),
		"git in capitals":     at("w/.GIT/config"),
		"the workspace":       at("."),
		"another instance":    at("other/keep.md"),
		"no roots":            func(f *forged) { f.header.About.Root = "" },
		"root in git":         func(f *forged) { f.header.About.To = ".git" },
		"root outside":        func(f *forged) { f.header.About.Root = "../x" },
		"incomplete":          func(f *forged) { f.step.Was, f.step.Is = nil, nil },
		"nothing moved":       func(f *forged) { f.step.From, f.step.Was, f.step.Is = "w/x.md", nil, nil },
		"moved and written":   func(f *forged) { f.step.From = "w/x.md" },
		"no id":               func(f *forged) { f.id = "00000001" },
		"a file outside":      func(f *forged) { f.header.About.Files = [][2]string{{"w/plan.md", "../plan.md"}} },
		"another format":      func(f *forged) { f.header.Format = 1 },
		"move from outside":   func(f *forged) { f.step.From, f.step.Is = "other/keep.md", nil },
		"directory elsewhere": func(f *forged) { f.step = step{Path: "other", Was: &state{Dir: true}} },
		"checksum":            func(f *forged) { f.sum = false },
		"another machine":     func(f *forged) { f.key = t.TempDir() },
		"another transaction": func(f *forged) { f.sealer = "0000000223456789" },
		"count":               func(f *forged) { f.name = stepName(1) },
		"no record":           func(f *forged) { f.state = "other" },
	} {
		t.Run(name, func(t *testing.T) { refusedJournal(t, change) })
	}
	t.Run("empty", func(t *testing.T) {
		workspace, journal := disk(t)
		hostile().write(t, journal)
		must(t, os.Truncate(filepath.Join(journal, hostile().id+"."+open, stepName(0)), 0))
		stillRefused(t, workspace, journal)
	})
	t.Run("believed", func(t *testing.T) {
		workspace, journal := disk(t)
		hostile().write(t, journal)
		opens(t, workspace, journal).Close()
		if data, _ := os.ReadFile(filepath.Join(workspace, "w/plan.md")); string(data) != "bad" {
			t.Errorf("the record of these tests does nothing: %q", data)
		}
	})
}

func refusedJournal(t *testing.T, change func(*forged)) {
	t.Helper()
	workspace, journal := disk(t)
	f := hostile()
	change(f)
	f.write(t, journal)
	stillRefused(t, workspace, journal)
}

func stillRefused(t *testing.T, workspace, journal string) {
	t.Helper()
	want := listed(t, workspace)
	if _, err := Open(workspace, journal, journal+"-key"); err == nil ||
		!strings.Contains(err.Error(), "remove that directory") || !strings.Contains(err.Error(), "00000001") {
		t.Errorf("got %v", err)
	}
	if got := listed(t, workspace); !slices.Equal(got, want) {
		t.Errorf("the tree changed:\n%s", strings.Join(got, "\n"))
	}
}

// TestJournalFollowsNoLinks: links that an attacker put into the tree together with a journal are not followed.
func TestJournalFollowsNoLinks(t *testing.T) {
	workspace, journal := disk(t)
	must(t, os.Rename(filepath.Join(workspace, "w"), filepath.Join(workspace, "real")))
	must(t, os.Symlink("real", filepath.Join(workspace, "w")))
	hostile().write(t, journal)
	want := listed(t, workspace)
	s, err := Open(workspace, journal, journal+"-key")
	if err == nil {
		s.Close()
	}
	if got := listed(t, workspace); !slices.Equal(got, want) {
		t.Errorf("the tree changed (%v):\n%s", err, strings.Join(got, "\n"))
	}
}

package check_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/checktest"
	"github.com/stategate/stategate/testdata/guests"
)

// TestDamageIsNotLowered: if the plugin says that a document whose content it needs does not belong to its run, an
// info still reports that it was not read. Lowering the severity further has no effect, and neither does lowering it if
// the document was readable in the base.
func TestDamageIsNotLowered(t *testing.T) {
	const lenient = `{"overrides":[{"path":"state.json","rule":"unreadable-document","pointer":"*","severity":"off"},{"path":"state.json","rule":"not-a-file","pointer":"*","severity":"info"}]}`
	plugin := checktest.Plugin(t, "one", lenient)
	write := func(text string) func(string) error {
		return func(name string) error { return os.WriteFile(name, []byte(text), 0o644) }
	}
	link := func(name string) error { _ = os.Remove(name); return os.Symlink("elsewhere", name) }
	for name, c := range map[string]struct {
		before, now func(name string) error
		want        wire.Severity // of the only finding; Off if there is none
	}{
		"as it was":           {write(guests.Text), write(guests.Text), wire.Off},
		"emptied":             {write(guests.Text), write(""), wire.Error},
		"cut short":           {write(guests.Text), write(guests.Text[:9]), wire.Error},
		"no longer text":      {write(guests.Text), write("\xff\xfe"), wire.Error},
		"replaced by a link":  {write(guests.Text), link, wire.Error},
		"unreadable before":   {write("{"), write("["), wire.Info},
		"a link before":       {link, link, wire.Error},
		"readable once more":  {write("{"), write(guests.Text), wire.Off},
		"unreadable, a link":  {write("{"), link, wire.Error},
		"written differently": {write(guests.Text), write(`{"phase":"first"}`), wire.Off},
	} {
		t.Run(name, func(t *testing.T) {
			dir := checktest.Tree(t, "a")
			document := filepath.Join(dir, "a", guests.Root, guests.Document)
			git := func(args ...string) {
				args = append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)
				if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
					t.Fatalf("git %v: %v\n%s", args, err, out)
				}
			}
			if err := c.before(document); err != nil {
				t.Fatal(err)
			}
			git("init", "-q")
			git("add", "-A")
			git("commit", "-q", "-m", "before")
			if err := c.now(document); err != nil {
				t.Fatal(err)
			}
			o := checktest.Options(dir, plugin)
			o.Bases = []string{"HEAD"}
			got := wire.Off
			for _, d := range checktest.Check(t, o).Instances[0].Diagnostics {
				got = max(got, d.Severity)
			}
			if got != c.want {
				t.Errorf("the finding is %s, expected %s", got, c.want)
			}
			o.Bases = nil
			for _, d := range checktest.Check(t, o).Instances[0].Diagnostics {
				if d.Severity == wire.Error && result.RuleName(d.Rule) != wire.RuleNotAFile {
					t.Errorf("without a base it is %s: %s", d.Severity, d.Message)
				}
			}
		})
	}
}

// TestUndecodableContentIsNotLowered: a plugin needs a document's content, so lowering the finding does not open the
// gate.
func TestUndecodableContentIsNotLowered(t *testing.T) {
	const lower = `{"overrides":[{"path":"state.json","rule":"unreadable-document","pointer":"*","severity":"warning"}]}`
	plugin := checktest.Plugin(t, "one", lower)
	dir := checktest.Tree(t, "a")
	if err := os.WriteFile(filepath.Join(dir, "a", guests.Root, guests.Document), []byte("\x00"), 0o644); err != nil {
		t.Fatal(err)
	}
	findings := checktest.Check(t, checktest.Options(dir, plugin)).Instances[0].Diagnostics
	if len(findings) != 1 || findings[0].Severity != wire.Error {
		t.Errorf("found %v, expected one error", findings)
	}
}

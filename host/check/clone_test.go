package check_test

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/checktest"
	"github.com/stategate/stategate/testdata/gittest"
	"github.com/stategate/stategate/testdata/guests"
)

// run is the directory of the run that the tests below hide. Its root has two levels and several markers.
const run = ".flow/runs/one"

// inProgress is a report about a run in its only phase.
const inProgress = `{"detections":[{"lifecycle":"life","state":"active","observed":"first"}]}`

// flow returns a plugin without findings, so that all findings come from the host. It may have additional roots.
func flow(t *testing.T, more ...wire.Root) *plugin.Plugin {
	t.Helper()
	m := &wire.Manifest{
		ABI: 1, Name: "flow", Version: "1.0.0", Doc: "A flow.",
		Roots: append([]wire.Root{
			{Dir: ".flow/runs/*", Markers: []string{"state.json", "steps/*/*.md"}, Unique: true},
			{Dir: "Notes", Markers: []string{"INDEX.md"}},
		}, more...),
		Documents: []wire.DocumentSpec{
			{Glob: "state.json", Format: wire.JSON, Need: wire.Content},
			{Glob: "steps/*/*.md", Format: wire.Markdown, Need: wire.Content},
			{Glob: "{INDEX,plan}.md", Format: wire.Markdown, Need: wire.Content},
		},
		Lifecycles: []wire.Lifecycle{{
			Name: "life", Doc: "Its life.", Unit: wire.Run,
			Phases: []wire.Phase{{Name: "first", Number: 1, Title: "First", Doc: "The only one."}},
		}},
		Rules: []wire.Rule{{Name: "told", Doc: "It never is.", Severity: wire.Error}},
	}
	p, err := plugin.ReadPlugin("flow.wasm", guests.Well(string(wire.EncodeManifest(m)), inProgress), "",
		limits.Default())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A clone is a repository with one commit that contains a healthy run.
type clone struct {
	*testing.T
	dir string
}

func newClone(t *testing.T) *clone {
	t.Helper()
	c := &clone{t, t.TempDir()}
	c.git("init", "-q", "--template=")
	c.put(run+"/state.json", "{}")
	c.put(run+"/steps/1/a.md", "# A\n")
	c.put(".flow/runs/two/state.json", "{}")
	c.put("README.md", "")
	c.commit()
	return c
}

func (c *clone) git(args ...string) string {
	c.Helper()
	return gittest.Run(c.T, c.dir, args...)
}

func (c *clone) commit() {
	c.Helper()
	c.git("add", "-A")
	c.git("commit", "-q", "--allow-empty", "-m", "x")
}

func (c *clone) at(name string) string { return filepath.Join(c.dir, filepath.FromSlash(name)) }

func (c *clone) put(name, text string) {
	c.Helper()
	checktest.Write(c.T, c.at(name), text)
}

func (c *clone) must(err error) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
}

func (c *clone) move(from, to string) { c.must(os.Rename(c.at(from), c.at(to))) }

func (c *clone) remove(name string) { c.must(os.RemoveAll(c.at(name))) }

// replace replaces a file or directory with something else.
func (c *clone) replace(name string, by func(path string) error) {
	c.remove(name)
	c.must(by(c.at(name)))
}

func link(to string) func(string) error {
	return func(path string) error { return os.Symlink(to, path) }
}

func file(path string) error { return os.WriteFile(path, nil, 0o644) }

func empty(path string) error { return os.Mkdir(path, 0o755) }

// socket creates a socket in a directory with a short path, and moves it.
func socket(path string) error {
	dir, err := os.MkdirTemp("", "s")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	l, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		return err
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	_ = l.Close()
	return os.Rename(filepath.Join(dir, "s"), path)
}

// notes commits state under a name that is not unique to the workflow.
func (c *clone) notes() {
	c.Helper()
	c.put("Notes/INDEX.md", "")
	c.commit()
}

// module replaces a directory with a submodule.
func (c *clone) module(name string, out bool) {
	c.remove(name)
	other := c.TempDir()
	for _, args := range [][]string{{"init", "-q", other}, {"-C", other, "commit", "-q", "--allow-empty", "-m", "x"}} {
		c.git(args...)
	}
	c.git("rm", "-r", "-q", "--cached", "--ignore-unmatch", name)
	if out {
		c.git("submodule", "--quiet", "add", other, name)
		return
	}
	c.must(os.Mkdir(c.at(name), 0o755))
	c.git("update-index", "--add", "--cacheinfo", "160000,"+c.git("-C", other, "rev-parse", "HEAD")+","+name)
}

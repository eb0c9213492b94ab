// Package author implements the commands for plugin authors: they create a project, compile it, and test it.
package author

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/plugin/wasmfile"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/plugins/build/pack"
	"github.com/stategate/stategate/sdk/engine/scaffold"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

// Build compiles a Go main package to a plugin. Unless fixtures is "", the fixtures in this directory become examples
// for the plugin's rules.
func Build(ctx context.Context, pkg, fixtures string, workers worker.Config) (*plugin.Plugin, error) {
	wasm, output, err := pack.Compile(ctx, pkg)
	switch {
	case output != "":
		return nil, &fault.Failure{Kind: fault.Compile, Message: err.Error() + "; output of the Go command:",
			Stderr: output}
	case err != nil:
		return nil, err
	}
	return Pack(ctx, pkg, wasm, fixtures, workers)
}

// Pack asks a guest for its manifest, in the sandbox. It embeds the manifest and the examples, like Build, and reads
// the result as a host would.
func Pack(
	ctx context.Context, name string, wasm []byte, fixtures string, workers worker.Config,
) (*plugin.Plugin, error) {
	lim := limits.Default()
	if _, err := wasmfile.Check(wasm, lim); err != nil {
		return nil, fault.About(name, err, fault.ABI)
	}
	g, err := newGuest(worker.Plugin{SHA256: plugin.Digest(wasm), Size: len(wasm), Wasm: func() []byte { return wasm }},
		workers)
	if err != nil {
		return nil, err
	}
	defer g.pool.Close()
	manifest, err := g.ask(ctx, exchange.DescribePayload(), false)
	if err != nil {
		return nil, fault.About("describe "+name, err, fault.Protocol)
	}
	var examples []*fixture.Fixture
	if fixtures != "" {
		m, _ := wire.DecodeManifest(manifest) // Finish returns the error
		if examples, err = readFixtures(fixtures, m); err != nil {
			return nil, err
		}
	}
	whole, err := pack.Finish(wasm, manifest, examples)
	if err != nil {
		return nil, fault.About(name, err, fault.Compile)
	}
	p, err := plugin.ReadPlugin(name, whole, "", lim)
	if err == nil {
		err = watch(ctx, lim.Compile+lim.Instance, name, func(func()) error {
			_, err := snapshot.NewBuilder(p.Manifest)
			return err
		})
	}
	if err != nil {
		return nil, fault.About(name, err, fault.ABI)
	}
	return p, nil
}

// A guest is a plugin in a separate worker. Its answers are not validated.
type guest struct {
	pool   *worker.Pool
	plugin worker.Plugin
	wrote  string // its debug output during the last call
}

func newGuest(p worker.Plugin, c worker.Config) (*guest, error) {
	c.Jobs = 1
	pool, err := worker.NewPool(c)
	return &guest{pool: pool, plugin: p}, err
}

// ask returns the plugin's answer. If fresh is set, a new instance of the plugin answers.
func (g *guest) ask(ctx context.Context, payload [][]byte, fresh bool) ([]byte, error) {
	r, failed := g.pool.Do(ctx, worker.Job{Plugin: g.plugin, Payload: payload, Fresh: fresh})
	if failed != nil {
		return nil, failed
	}
	g.wrote = r.Stderr
	return r.Payload, nil
}

// scaffoldGo is the Go version of new projects, the same as the SDK's.
const scaffoldGo = "1.25.0"

// A Project describes a new plugin project.
type Project struct {
	Name    string
	Dir     string // "" means the name
	Module  string // path of the Go module; "" means example.com/NAME
	SDK     string // directory of the stategate source tree to build with; "" means a release
	Version string // version of this stategate
}

// New writes a project into an empty directory, and returns the next steps for the user.
func New(ctx context.Context, p Project) (string, error) {
	if !wire.IsName(p.Name) {
		return "",
			fault.Usagef("invalid plugin name %q; use lowercase letters, digits and "+
				"hyphens, such as field-notes", p.Name)
	}
	s := scaffold.Project{Name: p.Name, Module: cmp.Or(p.Module, "example.com/"+p.Name), Go: scaffoldGo}
	if err := p.chooseSDK(&s); err != nil {
		return "", err
	}
	dir := cmp.Or(p.Dir, p.Name)
	switch entries, err := os.ReadDir(dir); {
	case err == nil && len(entries) > 0:
		return "", fault.Usagef("%s is not empty; choose another directory with --dir", dir)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", fault.Usagef("%s cannot be written to: %v", dir, err)
	}
	if err := s.Write(dir); err != nil {
		return "", fmt.Errorf("write the project: %w", err)
	}
	// -e tolerates missing modules, because a dependency's tests may need unavailable modules that a
	// plugin does not need.
	tidy := exec.CommandContext(ctx, "go", "mod", "tidy", "-e")
	tidy.Dir = dir
	left := ""
	if out, err := tidy.CombinedOutput(); err != nil {
		left = fmt.Sprintf("; go.mod is not complete yet; run `go mod tidy` there (%v: %s)", err,
			strings.TrimSpace(string(out)))
	}
	return dir + ": a plugin for the workflow " + p.Name + left + "\n" +
		"  cd " + dir +
		"\n  make test     # tests fixtures and laws, natively and in the sandbox\n  make sample   # shows " +
		"a closed gate\n" +
		"make uses the stategate in PATH; `make STATEGATE=/path/to/stategate` uses another", nil
}

var released = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+$`)

// chooseSDK decides which SDK the project uses: the named source tree, the tree that this binary was built in, or this
// binary's release.
func (p *Project) chooseSDK(s *scaffold.Project) error {
	s.Version = "v0.0.0"
	if p.SDK != "" {
		dir, err := filepath.Abs(p.SDK)
		if err != nil || !isSourceTree(dir) {
			return fault.Usagef("--sdk %s: not a stategate source tree (go.mod of module %s)", p.SDK,
				scaffold.Module)
		}
		s.Replace = dir
		return nil
	}
	if self, err := os.Executable(); err == nil {
		if dir := filepath.Dir(filepath.Dir(self)); isSourceTree(dir) {
			s.Replace = dir
			return nil
		}
	}
	if s.Version = p.Version; !released.MatchString(p.Version) {
		return fault.Usagef("this stategate is version %s, not a release whose SDK the Go command can fetch; use "+
			"--sdk DIR with a stategate source tree", strings.Trim(p.Version, "()"))
	}
	return nil
}

func isSourceTree(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && strings.HasPrefix(string(text), "module "+scaffold.Module+"\n")
}

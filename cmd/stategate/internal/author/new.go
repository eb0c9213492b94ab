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
	"sync"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/sdk/scaffold"
	"github.com/stategate/stategate/sdk/wire"
)

// scaffoldGo is the language version of new projects: that of the sdk.
const scaffoldGo = "1.25.0"

// A Project is a plugin to begin.
type Project struct {
	Name    string
	Dir     string // "" for the name
	Module  string // path of the Go module, "" for example.com/NAME
	SDK     string // directory of the source tree of stategate to build with, "" for a release
	Version string // of this stategate
}

// New writes a project into a directory that has no content yet, and returns what to do with it, for people.
func New(ctx context.Context, p Project) (string, error) {
	if !wire.IsName(p.Name) {
		return "", fault.Usagef("%q is not a valid plugin name: give lower-case words of letters and digits, joined by hyphens, such as field-notes", p.Name)
	}
	s := scaffold.Project{Name: p.Name, Module: cmp.Or(p.Module, "example.com/"+p.Name), Go: scaffoldGo}
	if err := p.chooseSDK(&s); err != nil {
		return "", err
	}
	dir := cmp.Or(p.Dir, p.Name)
	if err := write(dir, s); err != nil {
		return "", err
	}
	tidy := exec.CommandContext(ctx, "go", "mod", "tidy")
	tidy.Dir = dir
	left := ""
	if out, err := tidy.CombinedOutput(); err != nil {
		left = fmt.Sprintf("; go.mod is not complete yet, run `go mod tidy` there (%v: %s)", err, strings.TrimSpace(string(out)))
	}
	return dir + ": a plugin for the workflow " + p.Name + left + "\n" +
		"  cd " + dir + "\n  make test     # fixtures, laws, and both again in the sandbox\n  make sample   # a closed gate\n" +
		"stategate is looked for in PATH; `make STATEGATE=/path/to/stategate` names another", nil
}

var released = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+$`) })

// chooseSDK decides what the project is built with: the source tree that was named, the one that this binary was built
// in, or the release that it is.
func (p *Project) chooseSDK(s *scaffold.Project) error {
	s.Version = "v0.0.0"
	if p.SDK != "" {
		dir, err := filepath.Abs(p.SDK)
		if err != nil || !isSourceTree(dir) {
			return fault.Usagef("--sdk %s: there is no source tree of stategate (go.mod of module %s)", p.SDK, sdkModule)
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
	if s.Version = p.Version; !released().MatchString(p.Version) {
		return fault.Usagef("this stategate is version %s, not a release whose sdk the Go command can fetch; give --sdk DIR, the source tree of stategate", strings.Trim(p.Version, "()"))
	}
	return nil
}

func isSourceTree(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && strings.HasPrefix(string(text), "module "+sdkModule+"\n")
}

func write(dir string, s scaffold.Project) error {
	switch entries, err := os.ReadDir(dir); {
	case err == nil && len(entries) > 0:
		return fault.Usagef("%s is not empty; name another directory with --dir", dir)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fault.Usagef("%s cannot be written to: %v", dir, err)
	}
	files, err := s.Files()
	for _, file := range files {
		path := filepath.Join(dir, filepath.FromSlash(file.Path))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o755)
		}
		if err == nil {
			err = os.WriteFile(path, file.Data, 0o644)
		}
	}
	if err != nil {
		return fmt.Errorf("write the project: %w", err)
	}
	return nil
}

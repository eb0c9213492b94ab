package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/sdk/scaffold"
	"github.com/stategate/stategate/sdk/wire"
)

// scaffoldGo is the language version of new projects: that of the sdk.
const scaffoldGo = "1.25.0"

type newFlags struct{ dir, module, sdk string }

func (a *app) newVerb() *cobra.Command {
	f := &newFlags{}
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "Begin a plugin in Go",
		Long: `new writes a Go module that is a whole plugin: a small workflow with phases, rules,
remedies, recovery and a brief, its fixtures and tests, a Makefile, and a sample
repository with a fault in it. It builds and passes its tests as it is; change it
from there.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.newPlugin(c.Context(), f, args[0]) },
	}
	c.Flags().StringVar(&f.dir, "dir", "", "write to `DIR` (default: NAME in the current directory)")
	completeFlag(c, "dir", directories())
	c.Flags().StringVar(&f.module, "module", "", "the `PATH` of the Go module (default: example.com/NAME)")
	c.Flags().StringVar(&f.sdk, "sdk", "", "use the stategate source tree in `DIR` instead of a released version")
	completeFlag(c, "sdk", directories())
	return c
}

func (a *app) newPlugin(ctx context.Context, f *newFlags, name string) error {
	if !wire.IsName(name) {
		return usagef("%q is not a valid plugin name: give lower-case words of letters and digits, joined by hyphens, such as field-notes", name)
	}
	project := scaffold.Project{Name: name, Module: f.module, Go: scaffoldGo}
	if project.Module == "" {
		project.Module = "example.com/" + name
	}
	if err := chooseSDK(&project, f.sdk); err != nil {
		return err
	}
	dir := f.dir
	if dir == "" {
		dir = name
	}
	if err := a.writeProject(dir, project); err != nil {
		return err
	}
	tidy := tidied(ctx, dir)
	return a.printed(print.Lines(a.stdout, "", "", dir+": a plugin for the workflow "+name+tidy+"\n"+
		"  cd "+dir+"\n  make test     # fixtures, laws, and both again in the sandbox\n  make sample   # a closed gate\n"+
		"stategate is looked for in PATH; `make STATEGATE=/path/to/stategate` names another"))
}

// chooseSDK decides what the project is built with: the source tree that was
// named, the one that this binary lies in, or the release that it is.
func chooseSDK(p *scaffold.Project, named string) error {
	p.Version = "v0.0.0"
	if named != "" {
		dir, err := filepath.Abs(named)
		if err != nil || !isSourceTree(dir) {
			return usagef("--sdk %s: there is no source tree of stategate (go.mod of module %s)", named, sdkModule)
		}
		p.Replace = dir
		return nil
	}
	if self, err := os.Executable(); err == nil {
		if dir := filepath.Dir(filepath.Dir(self)); isSourceTree(dir) {
			p.Replace = dir
			return nil
		}
	}
	released := `^v[0-9]+\.[0-9]+\.[0-9]+$`
	if p.Version = version(); !regexp.MustCompile(released).MatchString(p.Version) {
		return usagef("this stategate is version %s, not a release whose sdk the Go command can fetch; give --sdk DIR, the source tree of stategate", strings.Trim(p.Version, "()"))
	}
	return nil
}

func isSourceTree(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && strings.HasPrefix(string(text), "module "+sdkModule+"\n")
}

// writeProject writes into a directory that holds nothing yet.
func (a *app) writeProject(dir string, project scaffold.Project) error {
	switch entries, err := os.ReadDir(dir); {
	case err == nil && len(entries) > 0:
		return usagef("%s is not empty; name another directory with --dir", dir)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return usagef("%s cannot be written to: %v", dir, err)
	}
	files, err := project.Files()
	if err != nil {
		return brokenf("write the project: %v", err)
	}
	for _, file := range files {
		path := filepath.Join(dir, filepath.FromSlash(file.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return brokenf("write the project: %v", err)
		}
		if err := os.WriteFile(path, file.Data, 0o644); err != nil {
			return brokenf("write the project: %v", err)
		}
	}
	return nil
}

// tidied has the Go command complete go.mod and go.sum, and says what remains to
// be done if it could not.
func tidied(ctx context.Context, dir string) string {
	cmd := exec.CommandContext(ctx, "go", "mod", "tidy")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err == nil {
		return ""
	}
	return fmt.Sprintf("; go.mod is not complete yet, run `go mod tidy` there (%v: %s)", err, strings.TrimSpace(string(out)))
}

// Package scaffold contains a complete plugin project to start from: the example workflow in package fieldnotes,
// which is built and tested like any other, and the project files around it.
package scaffold

import (
	"embed"
	"go/format"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

//go:embed fieldnotes project
var files embed.FS

// Module is the path of the module that contains the sdk.
const Module = "github.com/stategate/stategate"

// The example's name, which the new project's name replaces, and its import path.
const (
	example = "fieldnotes"
	source  = Module + "/sdk/engine/scaffold/" + example
)

// A Project describes the new plugin and the module that it is built with.
type Project struct {
	Name    string // of the workflow: lowercase words joined by hyphens
	Module  string // path of the Go module
	Version string // of the sdk's module, such as v0.1.0
	Replace string // a directory with the sdk's module to use instead; may be ""
	Go      string // the language version, such as 1.25.0
}

// A File is a file of the project, with a slash-separated path relative to its directory.
type File struct {
	Path string
	Data []byte
}

// Files returns the project's files.
func (p Project) Files() ([]File, error) {
	list, err := p.modules()
	if err != nil {
		return nil, err
	}
	for _, dir := range []string{example, "project"} {
		err := fs.WalkDir(files, dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			file, err := p.file(name, strings.TrimPrefix(name, dir+"/"))
			list = append(list, file)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return append(list, p.sample()...), nil
}

// Write writes the files to a directory, which it creates.
func (p Project) Write(dir string) error {
	files, err := p.Files()
	for _, file := range files {
		name := filepath.Join(dir, filepath.FromSlash(file.Path))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(name), 0o755)
		}
		if err == nil {
			err = os.WriteFile(name, file.Data, 0o644)
		}
	}
	return err
}

func (p Project) file(name, to string) (File, error) {
	data, err := files.ReadFile(name)
	if err != nil {
		return File{}, err
	}
	data = []byte(p.renamed(string(data)))
	if strings.HasSuffix(name, ".go") {
		data, err = format.Source(data) // other names change the order of imports
	}
	return File{p.place(to), data}, err
}

// place returns the project path of a file in the example.
func (p Project) place(name string) string {
	if name == "gitignore" {
		return ".gitignore"
	}
	return strings.ReplaceAll(name, example, p.Name)
}

// renamed replaces the example's names in a text with the project's.
func (p Project) renamed(text string) string {
	pkg := p.Package()
	return strings.NewReplacer(
		source, p.Module,
		"package "+example, "package "+pkg,
		"Package "+example, "Package "+pkg,
		example+".Workflow", pkg+".Workflow",
		example, p.Name,
	).Replace(text)
}

// Package returns the name of the Go package.
func (p Project) Package() string {
	name := strings.ReplaceAll(p.Name, "-", "")
	if token.IsKeyword(name) || name == "main" || name == "sdk" || name == "init" {
		return name + "flow"
	}
	return name
}

// modules returns go.mod, and go.sum if the sdk's module is a directory. The project then begins with all
// requirements of that module, so that Go does not download modules that already exist; `go mod tidy` removes the
// unneeded ones.
func (p Project) modules() ([]File, error) {
	text := "module " + p.Module + "\n\ngo " + p.Go + "\n\nrequire " + Module + " " + p.Version + "\n"
	if p.Replace == "" {
		return []File{{"go.mod", []byte(text)}}, nil
	}
	sdk, err := os.ReadFile(filepath.Join(p.Replace, "go.mod"))
	if err != nil {
		return nil, err
	}
	sums, err := os.ReadFile(filepath.Join(p.Replace, "go.sum"))
	if err != nil {
		return nil, err
	}
	if _, required, ok := strings.Cut(string(sdk), "\nrequire ("); ok {
		text += "\nrequire (" + required
	}
	text += "\nreplace " + Module + " => " + p.Replace + "\n"
	return []File{{"go.mod", []byte(text)}, {"go.sum", sums}}, nil
}

// sample returns a run whose state file claims more than its files prove.
func (p Project) sample() []File {
	run := path.Join("sample", "."+p.Name, "heron")
	return []File{
		{path.Join(run, "notes/nests.md"), []byte("# Nests\n\nThree nests in the old alder, seen from the north " +
			"bank.\n")},
		{path.Join(run, "plan.md"), []byte("# Plan\n\n- [x] Where do the herons nest?\n- [ ] What do they eat?\n")},
		{path.Join(run, "state.json"), []byte("{\n  \"phase\": \"done\",\n  \"updated_at\": " +
			"\"2026-01-01T09:00:00Z\"\n}\n")},
	}
}

package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/stategate/stategate/plugins/build"
)

// A module is a Go module linked into the programs.
type module struct{ path, version, sum string }

// plain returns an environment without the user's settings that would change the built programs.
func plain(t target) string {
	return "CGO_ENABLED=0 GOFLAGS=-mod=readonly GOEXPERIMENT= GODEBUG= GOFIPS140=off GOAMD64=v1 GOARM64=v8.0 GOOS=" +
		t.os + " GOARCH=" + t.arch
}

// build compiles the programs for every target. It reads the version and the modules from the build information that
// the Go command recorded.
func (r *release) build() error {
	if info, err := os.Stat(".git"); err != nil || !info.IsDir() {
		return errors.New("this is not the top of a clone, and the Go command stamps nothing elsewhere, not even in " +
			"a work tree of git's: clone the repository")
	}
	files := build.Files()
	guest, ok := build.Declared()
	if err := everyPlugin(files, ok); err != nil {
		return err
	}
	r.guest = file{guest.Name + ".wasm", 0o644, guest.Wasm()}
	for _, f := range files {
		r.plugins = append(r.plugins, file{f.Name + ".wasm", 0o644, f.Wasm()})
	}
	programs, err := filepath.Glob("cmd/*/main.go")
	if err != nil {
		return err
	}
	linked := map[module]bool{}
	for _, t := range r.targets {
		for _, program := range programs {
			name := filepath.Base(filepath.Dir(program))
			data, err := compile(t, "./"+filepath.ToSlash(filepath.Dir(program)), "-ldflags=-s -w")
			if err == nil {
				err = r.read(data, linked)
			}
			if err != nil {
				return fmt.Errorf("%s for %s: %w", name, t, err)
			}
			if name == "stategate" {
				r.built[t] = data
			} else {
				r.others[t] = append(r.others[t], file{name + t.suffix(), 0o755, data})
			}
		}
	}
	for m := range linked {
		r.modules = append(r.modules, m)
	}
	slices.SortFunc(r.modules, func(a, b module) int { return strings.Compare(a.path, b.path) })
	return nil
}

func compile(t target, from string, flags ...string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "stategate-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "program")
	if _, err := output(plain(t), "go", append(append([]string{"build", "-trimpath", "-buildvcs=true", "-o", path},
		flags...), from)...); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// everyPlugin returns an error if a plugin with sources, or the guest for declared workflows, was not built, because a
// release must contain all of them.
func everyPlugin(have []build.File, guest bool) error {
	sources, err := filepath.Glob("plugins/*/cmd/*/main.go")
	if err != nil {
		return err
	}
	if !guest || len(have)+1 != len(sources) {
		return fmt.Errorf("%d plugins are built, expected %d and the guest of declared workflows; run `make plugins`",
			len(have), len(sources)-1)
	}
	return nil
}

func (r *release) read(program []byte, linked map[module]bool) error {
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return err
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && s.Value != r.commit {
			return fmt.Errorf("the program was built from commit %s, expected %s: do not change the checkout meanwhile",
				s.Value, r.commit)
		}
	}
	v, err := parseVersion(info.Main.Version)
	if err != nil {
		return err
	}
	r.version = v
	for _, m := range info.Deps {
		if m.Replace != nil {
			return fmt.Errorf("%s is replaced by %s: a release is made from published modules", m.Path, m.Replace.Path)
		}
		linked[module{m.Path, m.Version, m.Sum}] = true
	}
	return nil
}

// documents creates the other files in an archive: licenses, README, manual pages and completions.
func (r *release) documents() error {
	for _, name := range []string{"LICENSE", "README.md"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		r.extra = append(r.extra, file{name, 0o644, data})
	}
	notices, err := r.notices()
	if err != nil {
		return err
	}
	r.extra = append(r.extra, file{"THIRD-PARTY-LICENSES.txt", 0o644, notices})
	dir, err := os.MkdirTemp("", "stategate-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	here := target{os: runtime.GOOS, arch: runtime.GOARCH}
	program := filepath.Join(dir, here.program())
	if _, err := output(plain(here), "go", "build", "-trimpath", "-buildvcs=true", "-tags=man", "-o", program,
		"./cmd/stategate"); err != nil {
		return err
	}
	pages := filepath.Join(dir, "man")
	if err := os.Mkdir(pages, 0o755); err != nil {
		return err
	}
	if _, err := output(fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.time.Unix()), program, "man", pages); err != nil {
		return err
	}
	list, err := os.ReadDir(pages)
	if err != nil {
		return err
	}
	for _, page := range list {
		data, err := os.ReadFile(filepath.Join(pages, page.Name()))
		if err != nil {
			return err
		}
		r.extra = append(r.extra, file{"man/man1/" + page.Name(), 0o644, data})
	}
	for _, c := range [][2]string{{"bash", "stategate.bash"}, {"zsh", "_stategate"}, {"fish", "stategate.fish"},
		{"powershell", "stategate.ps1"}} {
		text, err := output("", program, "completion", c[0])
		if err != nil {
			return err
		}
		r.extra = append(r.extra, file{"completions/" + c[1], 0o644, []byte(text)})
	}
	return nil
}

// notices returns the licenses of all linked modules, which must be distributed with the programs.
func (r *release) notices() ([]byte, error) {
	root, err := output("", "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := appendLicenses(&b, "Go "+runtime.Version(), strings.TrimSpace(root)); err != nil {
		return nil, err
	}
	args := []string{"mod", "download", "-json"}
	for _, m := range r.modules {
		args = append(args, m.path+"@"+m.version)
	}
	text, err := exec.Command("go", args...).Output()
	if err != nil {
		return nil, fmt.Errorf("go mod download: %w", err)
	}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var m struct{ Path, Version, Dir string }
		if err := d.Decode(&m); err == io.EOF {
			return b.Bytes(), nil
		} else if err != nil {
			return nil, err
		}
		if err := appendLicenses(&b, m.Path+" "+m.Version, m.Dir); err != nil {
			return nil, err
		}
	}
}

func appendLicenses(b *bytes.Buffer, name, dir string) error {
	found := false
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		upper := strings.ToUpper(e.Name())
		if e.IsDir() || !strings.HasPrefix(upper, "LICENSE") && !strings.HasPrefix(upper, "LICENCE") &&
			!strings.HasPrefix(upper, "NOTICE") && !strings.HasPrefix(upper, "COPYING") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "==== %s: %s ====\n\n%s\n\n", name, e.Name(), bytes.TrimSpace(text))
		found = true
	}
	if !found {
		return fmt.Errorf("%s has no license in %s: state its license in the release", name, dir)
	}
	return nil
}

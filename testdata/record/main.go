// Command record writes stategate's output and exit code for every fixture and sample tree, so that two builds can be
// compared byte for byte before and after a change that must not alter behavior:
//
//	go run ./testdata/record bin/stategate after.txt
//	diff before.txt after.txt
//
// Stories record their steps if STATEGATE_RECORD names a directory:
//
//	STATEGATE_RECORD=/tmp/after go test ./cmd/stategate -count=1 -run '^TestScript$'
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/fixture"
)

// now is the time for every recorded command: the day after the last event in the sample trees.
const now = "--now=2026-03-12T16:00:00Z"

// digest matches a plugin's digest, which changes with the plugin's code.
var digest = regexp.MustCompile(`("sha256": *")[0-9a-f]{64}`)

// commands lists the commands that run in each repository. The base contains the fixtures' base documents.
var commands = [][]string{
	{"check", "--format=json", now},
	{"check", "--show=info", now},
	{"check", "--format=json", "--base=HEAD", now},
	{"check", "--show=info", "--base=HEAD", now},
	{"check", "--format=sarif", now},
	{"status", "--all", "--format=json", now},
	{"status", "--all", now},
	{"recover", "--format=json", now},
}

func main() {
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: record BINARY FILE")
		os.Exit(2)
	}
	if err := record(flag.Arg(0), flag.Arg(1)); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

func record(binary, file string) error {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "record")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	var out bytes.Buffer
	r := recorder{binary: binary, work: work, out: &out}
	plugins, err := filepath.Glob("plugins/*/testdata")
	if err != nil {
		return err
	}
	for _, dir := range plugins {
		if err := r.fixtures(filepath.Dir(dir)); err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
	}
	trees, err := filepath.Glob("testdata/trees/*")
	if err != nil {
		return err
	}
	for _, tree := range trees {
		repository := filepath.Join(work, "tree-"+filepath.Base(tree))
		if err := os.CopyFS(repository, os.DirFS(tree)); err != nil {
			return err
		}
		if err := errors.Join(r.git(repository, "init", "-q"), r.commit(repository), r.run(repository)); err != nil {
			return err
		}
	}
	return os.WriteFile(file, out.Bytes(), 0o644)
}

// A recorder runs one binary in repositories below a working directory.
type recorder struct {
	binary, work string
	out          io.Writer
}

// fixtures records one repository with a directory for each of a plugin's fixtures. The commit contains the base
// documents.
func (r recorder) fixtures(plugin string) error {
	list, err := fixture.LoadAll(os.DirFS(plugin), "testdata")
	if err != nil || len(list) == 0 {
		return err
	}
	repository := filepath.Join(r.work, filepath.Base(plugin))
	lay := func(base bool) error {
		for _, f := range list {
			root, entries, paths := f.Header.Root, f.Files, f.Header.Paths
			if base {
				root, entries, paths = f.Header.BaseRoot, f.Base, f.Header.BasePaths
			}
			dir := filepath.Join(repository, f.Name)
			if err := errors.Join(layPaths(dir, paths), layEntries(filepath.Join(dir, root), entries)); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
		}
		return nil
	}
	if err := os.Mkdir(repository, 0o755); err != nil {
		return err
	}
	if err := errors.Join(r.git(repository, "init", "-q"), lay(true), r.commit(repository)); err != nil {
		return err
	}
	for _, f := range list {
		if err := os.RemoveAll(filepath.Join(repository, f.Name)); err != nil {
			return err
		}
	}
	if err := lay(false); err != nil {
		return err
	}
	return r.run(repository)
}

// layPaths writes empty files for the paths outside the instance.
func layPaths(dir string, paths []string) (err error) {
	for _, path := range paths {
		if strings.HasSuffix(path, "/") {
			continue
		}
		err = errors.Join(err, put(filepath.Join(dir, path), nil))
	}
	return err
}

func put(name string, data []byte) error {
	return errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, data, 0o644))
}

// layEntries writes the documents in a fixture that a file system can represent.
func layEntries(root string, entries []fixture.Entry) error {
	for _, e := range entries {
		at := filepath.Join(root, filepath.FromSlash(e.Path))
		var err error
		switch {
		case e.Kind == snapshot.Directory:
			err = os.MkdirAll(at, 0o755)
		case e.Kind == snapshot.Symlink:
			err = errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.Symlink("elsewhere", at))
		case e.Kind == snapshot.Regular:
			data := e.Data
			if e.TooLarge {
				data = bytes.Repeat([]byte("# Large\n"), 1<<18)
			}
			err = put(at, data)
		}
		if err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	return nil
}

func (r recorder) run(repository string) error {
	for _, args := range commands {
		cmd := exec.Command(r.binary, args...)
		cmd.Dir, cmd.Env = repository, environment()
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
			return err
		}
		text := fmt.Sprintf("== %s: %s: exit %d\n%s\n-- stderr\n%s\n", filepath.Base(repository),
			strings.Join(args, " "),
			cmd.ProcessState.ExitCode(), &stdout, &stderr)
		text = digest.ReplaceAllString(strings.NewReplacer(r.work, "$WORK", r.binary, "stategate").Replace(text),
			"$1$$DIGEST")
		if _, err := io.WriteString(r.out, text); err != nil {
			return err
		}
	}
	return nil
}

func (r recorder) commit(repository string) error {
	return errors.Join(r.git(repository, "add", "-A", "-f"),
		r.git(repository, "commit", "-q", "--allow-empty", "-m", "base"))
}

func (r recorder) git(repository string, args ...string) error {
	cmd := exec.Command("git", append([]string{"-c", "core.autocrlf=false"}, args...)...)
	cmd.Dir, cmd.Env = repository, environment()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %v: %w\n%s", args, err, out)
	}
	return nil
}

// environment sets a fixed author and date, so that commits have the same ids in each run.
func environment() []string {
	env := append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		env = append(env, "GIT_"+who+"_NAME=record", "GIT_"+who+"_EMAIL=record@localhost",
			"GIT_"+who+"_DATE=2026-03-01T12:00:00Z")
	}
	return env
}

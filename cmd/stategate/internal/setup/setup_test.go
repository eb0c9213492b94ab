package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"go.yaml.in/yaml/v3"

	"github.com/stategate/stategate/host/yamledit"
	"github.com/stategate/stategate/schemas"
)

// TestConfigTemplate: the configuration that init writes is valid, and remains valid when any of its settings is
// uncommented.
func TestConfigTemplate(t *testing.T) {
	setting := regexp.MustCompile(`(?m)^# ( *(?:[a-z_]+:|- |  ).*)$`)
	for name, text := range map[string]string{"as written": configTemplate,
		"uncommented": setting.ReplaceAllString(configTemplate, "$1")} {
		var v map[string]any
		if err := yaml.Unmarshal([]byte(text), &v); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var plain any
		if err := json.Unmarshal(data, &plain); err != nil {
			t.Fatal(err)
		}
		if err := jsonschema.MustCompileString("config.json", schemas.Config).Validate(plain); err != nil {
			t.Errorf("%s: %#v", name, err)
		}
		if want := map[string]int{"as written": 1, "uncommented": 5}[name]; len(v) != want {
			t.Errorf("%s: it has %d members, expected %d:\n%s", name, len(v), want, text)
		}
	}
}

func TestRelease(t *testing.T) {
	for version, want := range map[string]string{
		"v1.2.3": "v1.2.3", "v0.1.0-rc.1": "v0.1.0-rc.1", "(devel)": "", "v1.2": "", "v1.2.3+dirty": "", "": "",
		"v0.0.0-20260101000000-0123456789ab": "", "v1.2.4-0.20260101000000-0123456789ab": "", "v1..3": "",
		"v1.2.3-": "",
	} {
		if got := release(version); got != want {
			t.Errorf("%q is the release %q, expected %q", version, got, want)
		}
	}
}

// TestReleaseEntry: a release pins its own tag.
func TestReleaseEntry(t *testing.T) {
	i := &Plan{Top: t.TempDir(), release: "v1.2.3"}
	if err := preCommit(i); err != nil {
		t.Fatal(err)
	}
	if text := string(i.writes[0].after); !strings.Contains(text, "    rev: v1.2.3\n") || strings.Contains(text, "{{") {
		t.Errorf("it writes\n%s", text)
	}
}

// TestReleaseStages: the manifest sets no stages, because no stage name works in all pre-commit versions. Instead, the
// entry sets them if default_stages excludes merges.
func TestReleaseStages(t *testing.T) {
	manifest, err := os.ReadFile(filepath.Join("../../../..", ".pre-commit-hooks.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(manifest)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "minimum_pre_commit_version:") ||
			strings.HasPrefix(line, "stages:") && line != "stages: [manual]" {
			t.Errorf("the manifest has %q, which some version of pre-commit refuses or warns about", line)
		}
	}
	for config, want := range map[string]string{
		"default_stages: [pre-commit]\nrepos: []\n":             "      stages: [pre-commit, pre-merge-commit]\n",
		"default_stages: [commit]\nrepos: []\n":                 "      stages: [commit, merge-commit]\n",
		"default_stages: [commit, merge-commit]\nrepos: []\n":   "",
		"default_install_hook_types: [pre-commit]\nrepos: []\n": "",
	} {
		f, err := yamledit.Parse([]byte(config))
		if err != nil {
			t.Fatal(err)
		}
		entry := preCommitEntry(&Plan{release: "v1.2.3"}, f.Root)
		if _, stages, _ := strings.Cut(entry, "- id: stategate\n"); stages != want {
			t.Errorf("%q: the entry ends with %q, expected %q", config, stages, want)
		}
	}
}

func TestHostOf(t *testing.T) {
	for remote, want := range map[string]string{
		"git@github.com:a/b.git": "github.com", "https://gitlab.example.com/a/b": "gitlab.example.com",
		"ssh://git@github.com:22/a": "github.com",
		"/srv/github/a":             "", "../gitlab": "", "": "", "https://user:word@example.com/github": "example.com",
	} {
		if got := hostOf(remote); got != want {
			t.Errorf("%q is at %q, expected %q", remote, got, want)
		}
	}
}

// TestApplyKeepsWhatChanged: a file that another program changed after planning is not overwritten.
func TestApplyKeepsWhatChanged(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "f")
	for _, c := range []struct{ before, now, want string }{{"a", "a", "b"}, {"a", "c", "c"}, {"", "c", "c"}} {
		if err := os.WriteFile(file, []byte(c.now), 0o600); err != nil {
			t.Fatal(err)
		}
		w := write{dir: dir, name: "f", after: []byte("b"), mode: 0o640}
		if c.before != "" {
			w.before = []byte(c.before)
		}
		err := w.apply()
		got, _ := os.ReadFile(file)
		if string(got) != c.want || (err == nil) != (c.want == "b") {
			t.Errorf("%+v: the file holds %q: %v", c, got, err)
		}
		if left, _ := os.ReadDir(dir); len(left) != 1 {
			t.Errorf("%+v: it leaves %v", c, left)
		}
	}
}

// FuzzExtend: a configuration keeps all bytes in their order and gets the hook once, or it is not changed.
func FuzzExtend(f *testing.F) {
	for _, text := range []string{
		"repos:\n- repo: x\n", "repos:\n\n  # c\n  - repo: x # d\n    hooks: [a]\nci: {}\n", "repos: []\n", "repos:",
		"# nothing\n", "", "---\nrepos:\n---\na: 1\n",
		"a: &x [1]\nrepos: *x\n", "repos: |\n  text\n", "repos: !!seq\n- a\n", "? repos\n: - a\n",
		"repos:\r\n- repo: x\r\n", "\"repos\":\n  - |\n    # text\n", "{repos: [a]}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, preCommitConfig), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		i := &Plan{Top: dir}
		if err := preCommit(i); err != nil {
			t.Fatal(err)
		}
		if len(i.writes) == 0 {
			if len(i.same)+len(i.Asks) != 1 {
				t.Fatalf("%q: neither written nor said why not", text)
			}
			return
		}
		left := i.writes[0].after
		for n := range len(text) {
			at := bytes.IndexByte(left, text[n])
			if at < 0 {
				t.Fatalf("%q lost %q: %q", text, text[n:], i.writes[0].after)
			}
			left = left[at+1:]
		}
		if err := i.Write(); err != nil {
			t.Fatal(err)
		}
		again := &Plan{Top: dir}
		if err := preCommit(again); err != nil || len(again.writes)+len(again.Asks) > 0 {
			t.Fatalf("%q: the second time it writes again: %v", text, err)
		}
	})
}

// TestPreReceive: ci.md shows the hook that init prints.
func TestPreReceive(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("../../../..", ".github", "docs", "ci.md"))
	if err != nil || !strings.Contains(string(page), "```sh\n"+PreReceive+"```\n") {
		t.Errorf("ci.md does not contain templates/pre-receive.sh: %v", err)
	}
}

// TestHuskyByNpm: a stategate that npm installed only in a project is not in PATH, so the hook runs it with npx.
func TestHuskyByNpm(t *testing.T) {
	for program, want := range map[string]string{
		"npx stategate":             "npm test\nnpx stategate check --staged\n",
		"stategate":                 "npm test\nstategate check --staged\n",
		"'/opt/my tools/stategate'": "npm test\nstategate check --staged\n",
	} {
		p := &Plan{Top: t.TempDir(), program: program}
		script := filepath.Join(p.Top, ".husky", "pre-commit")
		if err := errors.Join(os.Mkdir(filepath.Dir(script), 0o755), os.WriteFile(script, []byte("npm test\n"), 0o644),
			husky(p), p.Write()); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(script); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v; expected %q", program, got, err, want)
		}
	}
}

// TestPinnedActions: the workflow that init writes pins actions to the same commits as this repository.
func TestPinnedActions(t *testing.T) {
	ours, err := os.ReadFile(filepath.Join("../../../..", ".github", "workflows", "ci.yml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, use := range regexp.MustCompile(`uses: actions/.*`).FindAllString(githubTemplate, -1) {
		if !strings.Contains(string(ours), use+"\n") || !regexp.MustCompile(`@[0-9a-f]{40} # v`).MatchString(use) {
			t.Errorf("%s: it is not pinned, or ci.yml has another", use)
		}
	}
}

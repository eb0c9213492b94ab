package main

import (
	"archive/tar"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestGitLabComponent: the component's job contains the action's install script (which make docs copies), uses only
// declared inputs, and runs.
func TestGitLabComponent(t *testing.T) {
	file := filepath.Join(repository, ".gitlab", "templates", "stategate.yml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join(repository, ".github", "action", "install.sh"))
	if err != nil {
		t.Fatal(err)
	}
	begin, rest, _ := strings.Cut(string(text), "<<'END_OF_INSTALL'\n")
	_, end, ok := strings.Cut(rest, "      END_OF_INSTALL\n")
	if !ok || bytes.Contains(script, []byte("END_OF_INSTALL")) || bytes.Contains(script, []byte("$[[")) {
		t.Fatal("the script has no place in it")
	}
	var indented strings.Builder
	for line := range strings.Lines(string(script)) {
		indented.WriteString(strings.TrimRight("      "+line, " \n") + "\n")
	}
	want := begin + "<<'END_OF_INSTALL'\n" + indented.String() + "      END_OF_INSTALL\n" + end
	if isFresh(t, file, want); t.Failed() {
		return
	}
	head, job, _ := strings.Cut(want, "\n---\n")
	var spec struct {
		Spec struct {
			Inputs map[string]struct{ Default, Regex string }
		}
	}
	if err := yaml.Unmarshal([]byte(head), &spec); err != nil {
		t.Fatal(err)
	}
	given := map[string]string{"version": releaseVersion, "args": "--fail-on warning", "attestation": "off"}
	job = regexp.MustCompile(`\$\[\[ inputs\.([a-z-]+) \]\]`).ReplaceAllStringFunc(job, func(s string) string {
		name := strings.TrimSuffix(strings.TrimPrefix(s, "$[[ inputs."), " ]]")
		input, ok := spec.Spec.Inputs[name]
		if !ok || input.Regex != "" && !regexp.MustCompile(input.Regex).MatchString(given[name]) {
			t.Errorf("the input %s is not declared, or does not admit %q", name, given[name])
		}
		if value, ok := given[name]; ok {
			return value
		}
		return input.Default
	})
	if strings.Contains(job, "$[[") {
		t.Error("an input is not filled in")
	}
	var jobs map[string]struct {
		Variables    map[string]string
		BeforeScript []string `yaml:"before_script"`
		Script       []string
	}
	if err := yaml.Unmarshal([]byte(job), &jobs); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	needShell(t)
	archive := archived(t, tar.Header{Name: programName},
		[]byte("#!/bin/sh\ncase $1 in version) echo 'stategate "+releaseVersion+
			", ABI 1' ;; *) printf '<%s>' \"$@\" ;; esac\n"))
	r := newRelease(t, map[string][]byte{"checksums.txt": checksums(archive), archiveName(): archive})
	in := newInstaller(t)
	gate := jobs["stategate"]
	lines := strings.Join(append(gate.BeforeScript, gate.Script...), "\n")
	cmd := exec.Command("sh", "-e", "-c", lines)
	cmd.Dir = in.dir
	cmd.Env = []string{"PATH=" + in.tools, "CI_PROJECT_DIR=" + in.dir, "TMPDIR=" + in.dir,
		"STATEGATE_RELEASES=" + r.URL}
	for name, value := range gate.Variables {
		cmd.Env = append(cmd.Env, name+"="+strings.ReplaceAll(value, "$CI_PROJECT_DIR", in.dir))
	}
	out, err := cmd.CombinedOutput()
	_, said, _ := strings.Cut(string(out), "its checksum)\n")
	if want := "<plugin><sync><--policy-from><auto><check><--rev><HEAD><--base><auto><--policy-from><auto><--report><gitlab=" + in.dir +
		"/gl-code-quality-report.json><--report><junit=" + in.dir + "/stategate.xml><--fail-on><warning>"; err != nil ||
		said != want {
		t.Errorf("the job does %s, expected %s: %v", out, want, err)
	}
}

// isFresh compares a generated file with its expected content; -update writes it.
func isFresh(t *testing.T, file, want string) {
	t.Helper()
	if got, _ := os.ReadFile(file); string(got) == want {
		return
	}
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	name, _ := filepath.Rel(repository, file)
	t.Errorf("%s is not what the program says: run `make docs`", filepath.ToSlash(name))
}

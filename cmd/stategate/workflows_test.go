package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// A ciJob holds the parts of a workflow's job that determine its permissions.
type ciJob struct {
	Permissions map[string]string
	Uses        string // the workflow that it calls, whose jobs have timeouts of their own
	Timeout     int    `yaml:"timeout-minutes"`
	Steps       []struct {
		Uses, Run string
		With      map[string]string
	}
}

// mayWrite lists the permissions of our workflows' jobs beyond reading the repository.
var mayWrite = map[string][]string{
	"release.yml/build":   {"attestations", "id-token"},
	"release.yml/publish": {"contents"},
	"release.yml/npm":     {"id-token"},
	"release.yml/python":  {"id-token"},
	"release.yml/image":   {"packages"},
}

// TestWorkflowsHoldLittlePower: our workflows may only read the repository, unless mayWrite lists more. They pin
// third-party actions by commit, keep no token in the checkout, paste no outside values into scripts, and have
// timeouts. actionlint and zizmor check the rest.
func TestWorkflowsHoldLittlePower(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(repository, ".github", "workflows", "*.yml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no workflows: %v", err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		text := readPage(t, ".github/workflows/"+name)
		for _, fault := range faultsOfWorkflow(t, name, text) {
			t.Errorf("%s: %s", name, fault)
		}
	}
	for _, s := range readAction(t) {
		if s.Uses != "" && !pinned.MatchString(s.Uses) {
			t.Errorf("action.yml: %s is not pinned to a commit", s.Uses)
		}
	}
}

var (
	// An action in this repository needs no pin, because a release names its own tag.
	pinned = regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40}$|^\./|^stategate/stategate/`)
	// A script may contain values that the workflow itself set.
	pasted = regexp.MustCompile(`\$\{\{\s*(?:github|inputs|steps|needs|secrets|env|vars)\b[^}]*\}\}`)
)

func faultsOfWorkflow(t *testing.T, name, text string) (faults []string) {
	t.Helper()
	var w struct {
		Permissions map[string]string
		Jobs        map[string]ciJob
	}
	if err := yaml.Unmarshal([]byte(text), &w); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(w.Permissions) != 1 || w.Permissions["contents"] != "read" {
		faults = append(faults, "permissions are not contents: read")
	}
	for _, trigger := range []string{"pull_request_target", "workflow_run"} {
		if strings.Contains(text, trigger) {
			faults = append(faults, trigger+" runs with the power of main on what a stranger wrote")
		}
	}
	for job, j := range w.Jobs {
		if j.Timeout == 0 && j.Uses == "" {
			faults = append(faults, job+" has no timeout-minutes")
		}
		for what, access := range j.Permissions {
			if access != "read" && !slices.Contains(mayWrite[name+"/"+job], what) {
				faults = append(faults, job+" may "+access+" "+what)
			}
		}
		for _, s := range j.Steps {
			if s.Uses != "" && !pinned.MatchString(s.Uses) {
				faults = append(faults, s.Uses+" is not pinned to a commit")
			}
			if strings.HasPrefix(s.Uses, "actions/checkout@") && s.With["persist-credentials"] != "false" {
				faults = append(faults, job+" keeps its token in the checkout")
			}
			if m := pasted.FindString(s.Run); m != "" {
				faults = append(faults, job+" pastes "+m+" into a script; use env for the value")
			}
		}
	}
	slices.Sort(faults)
	return faults
}

// TestReleaseNeedsCI: a release is published only after all jobs of CI passed for its tag, on every system.
func TestReleaseNeedsCI(t *testing.T) {
	var release struct {
		Jobs map[string]struct {
			Uses, If string
			Needs    any
		}
	}
	var ci struct {
		On   map[string]any
		Jobs map[string]struct{ If string }
	}
	for name, into := range map[string]any{"release.yml": &release, "ci.yml": &ci} {
		if err := yaml.Unmarshal([]byte(readPage(t, ".github/workflows/"+name)), into); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if _, ok := ci.On["workflow_call"]; !ok {
		t.Error("ci.yml: no other workflow can call it")
	}
	for name, j := range ci.Jobs {
		if j.If != "" && j.If != "github.event_name != 'pull_request'" {
			t.Errorf("ci.yml: %s may be skipped for a tag: %s", name, j.If)
		}
	}
	if got := release.Jobs["ci"].Uses; got != "./.github/workflows/ci.yml" {
		t.Errorf("release.yml: ci calls %q", got)
	}
	for name, j := range release.Jobs {
		switch needs := fmt.Sprint(j.Needs); {
		case name == "ci" || name == "build": // build uploads only to the workflow
		case name == "publish" && needs == "[ci build]" && j.If == "":
		case name != "publish" && needs == "publish" && !strings.Contains(j.If, "("): // such as always()
		default:
			t.Errorf("release.yml: %s does not wait for ci: it needs %s, if %q", name, needs, j.If)
		}
	}
}

// TestWorkflowsFaults: each fault is detected, and the healthy workflow has none.
func TestWorkflowsFaults(t *testing.T) {
	const good = `
on: [push]
permissions: {contents: read}
jobs:
  test:
    timeout-minutes: 5
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683
        with: {persist-credentials: false}
      - run: ${{ matrix.run }}
`
	if got := faultsOfWorkflow(t, "ci.yml", good); len(got) > 0 {
		t.Errorf("faults of a good workflow: %q", got)
	}
	for want, change := range map[string][2]string{
		"permissions are not":  {"permissions: {contents: read}\n", ""},
		"pull_request_target":  {"[push]", "[pull_request_target]"},
		"has no timeout":       {"timeout-minutes: 5", "name: x"},
		"may write contents":   {"timeout-minutes: 5", "timeout-minutes: 5\n    permissions: {contents: write}"},
		"is not pinned":        {"@11bd71901bbe5b1630ceea73d27597364c9af683", "@v4"},
		"keeps its token":      {"persist-credentials", "fetch-tags"},
		"pastes ${{ github.he": {"matrix.run", "github.head_ref"},
	} {
		bad := strings.Replace(good, change[0], change[1], 1)
		if got := faultsOfWorkflow(t, "ci.yml", bad); len(got) != 1 || !strings.Contains(got[0], want) {
			t.Errorf("%s: got %q", want, got)
		}
	}
}

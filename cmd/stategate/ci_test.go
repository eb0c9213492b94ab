package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestChangeBegins: the base comes from the variables of pre-commit, GitHub and GitLab.
func TestChangeBegins(t *testing.T) {
	const a, b, zero = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222",
		"0000000000000000000000000000000000000000"
	const pull = `{"pull_request":{"base":{"sha":"` + a + `"}},"before":"` + b + `"}`
	for name, c := range map[string]struct {
		environ []string
		event   string
		want    string // the revisions, best first
	}{
		"none":       {nil, "", ""},
		"another CI": {[]string{"CI=true"}, "", "HEAD^@"},
		"pre-commit": {[]string{"PRE_COMMIT_FROM_REF=origin/main", "GITHUB_ACTIONS=true"}, "",
			"origin/main..."},
		"pull request": {[]string{"GITHUB_ACTIONS=true", "GITHUB_BASE_REF=main"}, pull, a + "..."},
		"pull request, no event": {[]string{"GITHUB_ACTIONS=true", "GITHUB_BASE_REF=main"}, "",
			"refs/remotes/origin/main..."},
		"merge queue": {[]string{"GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=merge_group"},
			`{"merge_group":{"base_sha":"` + a + `"}}`, a + "..."},
		"push": {[]string{"GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=push"}, `{"before":"` + b + `"}`,
			b + " HEAD^@"},
		"forced push": {[]string{"GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=push"},
			`{"before":"` + b + `","forced":true}`, b + " HEAD^@"},
		"new branch": {[]string{"GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=push", "GITHUB_REF_TYPE=branch",
			"GITHUB_REF_NAME=feature"},
			`{"before":"` + zero + `","repository":{"default_branch":"trunk"}}`, "refs/remotes/origin/trunk..."},
		"new trunk": {[]string{"GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=push", "GITHUB_REF_TYPE=branch",
			"GITHUB_REF_NAME=trunk"},
			`{"before":"` + zero + `","repository":{"default_branch":"trunk"}}`, "HEAD^@"},
		"schedule": {[]string{"GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=schedule"}, `{}`, "HEAD^@"},
		"merge request": {[]string{"GITLAB_CI=true", "CI=true", "CI_MERGE_REQUEST_DIFF_BASE_SHA=" + a,
			"CI_COMMIT_BEFORE_SHA=" + zero}, "", a + "..."},
		"merged results": {[]string{"GITLAB_CI=true", "CI_MERGE_REQUEST_TARGET_BRANCH_SHA=" + b,
			"CI_MERGE_REQUEST_DIFF_BASE_SHA=" + a}, "", b + "..."},
		"GitLab push":        {[]string{"GITLAB_CI=true", "CI_COMMIT_BEFORE_SHA=" + b}, "", b + " HEAD^@"},
		"GitLab, new branch": {[]string{"GITLAB_CI=true", "CI_COMMIT_BEFORE_SHA=" + zero}, "", "HEAD^@"},
	} {
		e := environment{all: c.environ}
		if c.event != "" {
			e.all = append(e.all, "GITHUB_EVENT_PATH="+event(t, c.event))
		}
		if got, err := e.changeBegins(); err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: the change begins at %q, %v, want %q", name, got, err, c.want)
		}
	}
}

func event(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "event.json")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestPullRequestWithoutBase: a pull request with an unknown base is never compared only with its parents.
func TestPullRequestWithoutBase(t *testing.T) {
	e := environment{all: []string{"GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=pull_request",
		"GITHUB_EVENT_PATH=" + event(t, `{}`)}}
	if got, err := e.changeBegins(); err == nil || problemOf(err).code != exitBroken {
		t.Errorf("the change begins at %q, %v, want a failure", got, err)
	}
}

// TestUnreadableEvent: an unreadable event is an error, and is never treated as an empty one.
func TestUnreadableEvent(t *testing.T) {
	for _, name := range []string{filepath.Join(t.TempDir(), "gone"), event(t, "{"), event(t, `{"before":7}`)} {
		e := environment{all: []string{"GITHUB_ACTIONS=true", "GITHUB_EVENT_PATH=" + name}}
		if got, err := e.changeBegins(); err == nil || problemOf(err).code != exitBroken {
			t.Errorf("%s: the change begins at %q, %v, want a failure", name, got, err)
		}
	}
}

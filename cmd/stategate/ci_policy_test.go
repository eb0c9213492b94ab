package main

import (
	"strings"
	"testing"
)

// TestPolicyRevision: the policy comes from the tip of the target branch, in every form that CI names it. If CI does
// not name a target, --policy-from auto is an error.
func TestPolicyRevision(t *testing.T) {
	const tip, zero = "1111111111111111111111111111111111111111", "0000000000000000000000000000000000000000"
	hub := func(more ...string) []string { return append([]string{"CI=true", "GITHUB_ACTIONS=true"}, more...) }
	lab := func(more ...string) []string {
		return append([]string{"CI=true", "GITLAB_CI=true", "CI_PROJECT_PATH=us/it"}, more...)
	}
	fork := lab("CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main", "CI_MERGE_REQUEST_PROJECT_PATH=them/it",
		"CI_MERGE_REQUEST_PROJECT_URL=https://example.com/them/it")
	const trunk = `{"repository":{"default_branch":"trunk"}}`
	for name, c := range map[string]struct {
		environ             []string
		event, want, refuse string
	}{
		"no CI":             {nil, "", "", ""},
		"pre-commit, no CI": {[]string{"PRE_COMMIT_FROM_REF=origin/main"}, "", "", ""},
		"pre-commit in another CI": {[]string{"CI=true", "PRE_COMMIT_FROM_REF=origin/main"}, "", "origin/main",
			""},
		"another CI": {[]string{"CI=true"}, "", "",
			"neither GitHub nor GitLab names the target branch"},
		"pull request": {hub("GITHUB_BASE_REF=rel/2"), trunk, "refs/remotes/origin/rel/2", ""},
		"pull request, pre-commit": {hub("GITHUB_BASE_REF=main", "PRE_COMMIT_FROM_REF=abc"), trunk,
			"refs/remotes/origin/main", ""},
		"merge queue": {hub(), `{"merge_group":{"base_ref":"refs/heads/main","base_sha":"` + tip +
			`"}}`, "refs/remotes/origin/main", ""},
		"push to the default branch": {hub("GITHUB_REF_TYPE=branch", "GITHUB_REF_NAME=trunk"), trunk, "", ""},
		"push to another": {hub("GITHUB_REF_TYPE=branch", "GITHUB_REF_NAME=x"), trunk,
			"refs/remotes/origin/trunk", ""},
		"push to another, only GITHUB_REF": {hub("GITHUB_REF=refs/heads/x"), trunk, "refs/remotes/origin/trunk", ""},
		"push, only GITHUB_REF, no event": {hub("GITHUB_REF=refs/heads/x"), "", "",
			"does not name the default branch"},
		"push of a tag, only GITHUB_REF": {hub("GITHUB_REF=refs/tags/v1"), trunk, "", ""},
		"push of a tag":                  {hub("GITHUB_REF_TYPE=tag", "GITHUB_REF_NAME=v1"), trunk, "", ""},
		"push, no event": {hub("GITHUB_REF_TYPE=branch", "GITHUB_REF_NAME=x"), "", "",
			"does not name the default branch"},
		"merge request": {lab("CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main",
			"CI_MERGE_REQUEST_PROJECT_PATH=us/it", "CI_MERGE_REQUEST_DIFF_BASE_SHA="+tip), "",
			"refs/remotes/origin/main", ""},
		"merge request of a fork": {fork, "", "",
			"git fetch https://example.com/them/it.git main, then --policy-from FETCH_HEAD"},
		"merged results of a fork": {append(fork, "CI_MERGE_REQUEST_TARGET_BRANCH_SHA="+tip), "", tip, ""},
		"no commit of a fork's target": {append(fork, "CI_MERGE_REQUEST_TARGET_BRANCH_SHA="+zero), "", "",
			"this is a clone of us/it"},
		"GitLab, default branch": {lab("CI_COMMIT_BRANCH=main", "CI_DEFAULT_BRANCH=main"), "", "", ""},
		"GitLab, another branch": {lab("CI_COMMIT_BRANCH=x", "CI_DEFAULT_BRANCH=main"), "",
			"refs/remotes/origin/main", ""},
		"GitLab, a tag": {lab("CI_COMMIT_TAG=v1", "CI_DEFAULT_BRANCH=main"), "", "", ""},
		"GitLab, nothing but its name": {lab(), "", "",
			"neither CI_MERGE_REQUEST_TARGET_BRANCH_NAME nor CI_DEFAULT_BRANCH"},
		"GitLab, a branch and no target": {lab("CI_COMMIT_BRANCH=x"), "", "", "the target branch is unknown"},
	} {
		e := environment{all: c.environ}
		if c.event != "" {
			e.all = append(e.all, "GITHUB_EVENT_PATH="+event(t, c.event))
		}
		got, err := e.policyRevision()
		if c.refuse != "" {
			if err == nil || problemOf(err).code != exitUsage || !strings.Contains(err.Error(), c.refuse) {
				t.Errorf("%s: the policy is that of %q, %v, want the refusal %q", name, got, err, c.refuse)
			}
		} else if err != nil || got != c.want {
			t.Errorf("%s: the policy is that of %q, %v, want %q", name, got, err, c.want)
		}
	}
	e := environment{all: hub("GITHUB_EVENT_PATH=" + event(t, "{"))}
	if _, err := e.policyRevision(); err == nil || problemOf(err).code != exitBroken ||
		!strings.Contains(err.Error(), "--policy-from auto") {
		t.Errorf("an event that cannot be read: %v, want a failure", err)
	}
}

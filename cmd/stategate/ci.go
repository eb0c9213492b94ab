package main

import (
	"encoding/json"
	"os"
	"strings"

	"github.com/stategate/stategate/host/fault"
)

// What CI says of a change: where it begins, and where it is going to.

// parents stands for every parent of HEAD, with the name that git gives it.
const parents = "HEAD^@"

// changeBegins says for --base auto where the change begins: as pre-commit, GitHub or GitLab has it, in this order. A
// clone may lack all of the revisions but the last, because a forced push leaves its predecessor behind. Outside of CI
// there are none.
func (e environment) changeBegins() ([]string, error) {
	switch {
	case e.get("PRE_COMMIT_FROM_REF") != "":
		return []string{e.get("PRE_COMMIT_FROM_REF") + fromMergeBase}, nil
	case e.get("GITHUB_ACTIONS") == "true":
		return e.githubBase()
	case e.get("GITLAB_CI") != "":
		return e.gitlabBase(), nil
	case e.inCI():
		return []string{parents}, nil
	}
	return nil, nil
}

// fromMergeBase after a revision stands for the merge base of it and what is checked.
const fromMergeBase = "..."

func (e environment) gitlabBase() []string {
	for _, name := range []string{"CI_MERGE_REQUEST_TARGET_BRANCH_SHA", "CI_MERGE_REQUEST_DIFF_BASE_SHA"} {
		if id := e.get(name); !isMissing(id) {
			return []string{id + fromMergeBase}
		}
	}
	return pushedOnto(e.get("CI_COMMIT_BEFORE_SHA"))
}

// pushedOnto is where a push begins that found a branch at a commit.
func pushedOnto(before string) []string {
	if isMissing(before) {
		return []string{parents}
	}
	return []string{before, parents}
}

// isMissing reports whether an object id is missing: CI reports a new branch as one that was at zero before.
func isMissing(id string) bool { return strings.Trim(id, "0") == "" }

// githubEvent is what stategate reads of the event that started a job of GitHub.
type githubEvent struct {
	Before     string
	Repository struct {
		Trunk string `json:"default_branch"`
	}
	MergeGroup struct {
		Base string `json:"base_sha"`
		Ref  string `json:"base_ref"`
	} `json:"merge_group"`
	PullRequest struct {
		Base struct{ SHA string }
	} `json:"pull_request"`
}

func (e environment) githubBase() ([]string, error) {
	event, err := e.githubEvent("--base auto")
	if err != nil {
		return nil, err
	}
	trunk := event.Repository.Trunk
	newBranch := isMissing(event.Before) && trunk != "" && e.get("GITHUB_REF_TYPE") == "branch" &&
		e.get("GITHUB_REF_NAME") != trunk
	switch {
	case !isMissing(event.PullRequest.Base.SHA):
		return []string{event.PullRequest.Base.SHA + fromMergeBase}, nil
	case e.get("GITHUB_BASE_REF") != "":
		return []string{remoteBranch(e.get("GITHUB_BASE_REF")) + fromMergeBase}, nil
	case !isMissing(event.MergeGroup.Base):
		return []string{event.MergeGroup.Base + fromMergeBase}, nil
	case strings.HasPrefix(e.get("GITHUB_EVENT_NAME"), "pull_request"):
		return nil, fault.Newf(fault.IO, "--base auto: neither GITHUB_BASE_REF nor the event in GITHUB_EVENT_PATH "+
			"names the base of the pull request; use a revision instead of auto")
	case e.get("GITHUB_EVENT_NAME") != "push":
		return []string{parents}, nil
	case newBranch:
		return []string{remoteBranch(trunk) + fromMergeBase}, nil
	}
	return pushedOnto(event.Before), nil
}

// githubEvent reads the event; flag is the one that asks for it.
func (e environment) githubEvent(flag string) (event githubEvent, err error) {
	name := e.get("GITHUB_EVENT_PATH")
	if name == "" {
		return event, nil
	}
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, &event)
	}
	if err != nil {
		return event, fault.Newf(fault.IO, "%s: cannot read the event of GitHub in %s: %v; use a revision instead of "+
			"auto", flag, name, err)
	}
	return event, nil
}

// autoFlag is the value of --policy-from that has the environment name the revision.
const autoFlag = "--policy-from auto"

// policyRevision returns the revision that holds the policy for --policy-from auto: the tip of the branch that the
// change is going to be merged into. It is never where the change began, which its author chooses. "" means the
// configuration of what is checked: on that branch itself, for a tag, and outside of CI.
func (e environment) policyRevision() (string, error) {
	branch, err := "", error(nil)
	switch {
	case e.get("GITHUB_ACTIONS") == "true":
		branch, err = e.githubTarget()
	case e.get("GITLAB_CI") != "":
		return e.gitlabPolicy()
	case !e.inCI():
		return "", nil
	case e.get("PRE_COMMIT_FROM_REF") != "":
		return e.get("PRE_COMMIT_FROM_REF"), nil
	default:
		err = usagef("%s: this is a CI job, but neither GitHub nor GitLab names the target branch; specify it "+
			"instead, as in --policy-from refs/remotes/origin/main", autoFlag)
	}
	if branch == "" || err != nil {
		return "", err
	}
	return remoteBranch(branch), nil
}

func remoteBranch(name string) string { return "refs/remotes/origin/" + name }

// githubTarget names the branch that the change is going to be merged into, "" if it is in it already.
func (e environment) githubTarget() (string, error) {
	if target := e.get("GITHUB_BASE_REF"); target != "" {
		return target, nil
	}
	event, err := e.githubEvent(autoFlag)
	if err != nil {
		return "", err
	}
	trunk, pushed := event.Repository.Trunk, e.get("GITHUB_REF_NAME")
	switch {
	case event.MergeGroup.Ref != "":
		return strings.TrimPrefix(event.MergeGroup.Ref, "refs/heads/"), nil
	case e.get("GITHUB_REF_TYPE") != "branch" || pushed == trunk:
		return "", nil
	case trunk == "":
		return "",
			usagef("%s: GitHub's event does not name the default branch, so the target of %q is unknown; "+
				"specify it instead, as in --policy-from refs/remotes/origin/main", autoFlag, pushed)
	}
	return trunk, nil
}

// gitlabPolicy is that of the target of a merge request. Another branch is going to be merged into the default branch.
func (e environment) gitlabPolicy() (string, error) {
	target, trunk, pushed := e.get("CI_MERGE_REQUEST_TARGET_BRANCH_NAME"), e.get("CI_DEFAULT_BRANCH"),
		e.get("CI_COMMIT_BRANCH")
	project := e.get("CI_MERGE_REQUEST_PROJECT_PATH")
	switch {
	case target != "" && project != "" && project != e.get("CI_PROJECT_PATH"):
		// The branches of this clone are those of the fork, whose owner asks for the merge.
		if tip := e.get("CI_MERGE_REQUEST_TARGET_BRANCH_SHA"); !isMissing(tip) {
			return tip, nil
		}
		return "",
			usagef("%s: the target branch %s is one of %s, and this clone is of %s; fetch it and name it instead: "+
				"git fetch %s.git %s, then --policy-from FETCH_HEAD",
				autoFlag, target, project, e.get("CI_PROJECT_PATH"), e.get("CI_MERGE_REQUEST_PROJECT_URL"), target)
	case target != "":
		return remoteBranch(target), nil
	case pushed == "" && e.get("CI_COMMIT_TAG") != "", pushed != "" && pushed == trunk:
		return "", nil
	case trunk == "":
		return "",
			usagef("%s: neither CI_MERGE_REQUEST_TARGET_BRANCH_NAME nor CI_DEFAULT_BRANCH is set, so the "+
				"target branch is unknown; specify it instead, as in --policy-from refs/remotes/origin/main", autoFlag)
	}
	return remoteBranch(trunk), nil
}

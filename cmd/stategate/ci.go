package main

import (
	"encoding/json"
	"os"
	"strings"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/shell"
)

// This file reads from the environment of a CI job where a change begins, and which branch it will be merged into.

// parents stands for all parents of HEAD, in git's notation.
const parents = "HEAD^@"

// changeBegins returns the revisions that --base auto tries in turn, from pre-commit, GitHub or GitLab, in this order.
// A clone may lack all but the last one, because a force push orphans the previous commit. Outside CI it returns none.
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

// fromMergeBase after a revision means the merge base of the revision and the checked commit.
const fromMergeBase = "..."

func (e environment) gitlabBase() []string {
	for _, name := range []string{"CI_MERGE_REQUEST_TARGET_BRANCH_SHA", "CI_MERGE_REQUEST_DIFF_BASE_SHA"} {
		if id := e.get(name); !isMissing(id) {
			return []string{id + fromMergeBase}
		}
	}
	return pushedOnto(e.get("CI_COMMIT_BEFORE_SHA"))
}

// pushedOnto returns the base for a push, given the commit that the branch was at before.
func pushedOnto(before string) []string {
	if isMissing(before) {
		return []string{parents}
	}
	return []string{before, parents}
}

// isMissing reports whether an object id is empty or all zeros. CI reports such an id as the previous commit of a
// new branch.
func isMissing(id string) bool { return strings.Trim(id, "0") == "" }

// githubEvent holds the fields that stategate reads from the event that started a GitHub job.
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
	pushed := e.githubBranch()
	newBranch := isMissing(event.Before) && trunk != "" && pushed != "" && pushed != trunk
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

// githubBranch returns the branch that the job runs on, or "" if it runs on a tag. Servers compatible with GitHub may
// set only GITHUB_REF.
func (e environment) githubBranch() string {
	if e.get("GITHUB_REF_TYPE") == "branch" {
		return e.get("GITHUB_REF_NAME")
	}
	branch, ok := strings.CutPrefix(e.get("GITHUB_REF"), "refs/heads/")
	if !ok {
		return ""
	}
	return branch
}

// githubEvent reads the event. Errors name flag, which needs it.
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
		return event, fault.Newf(fault.IO, "%s: cannot read GitHub's event in %s: %v; use a revision instead of "+
			"auto", flag, name, err)
	}
	return event, nil
}

// autoFlag is the flag that takes the policy's revision from the environment.
const autoFlag = "--policy-from auto"

// policyRevision returns the policy's revision for --policy-from auto: the tip of the branch that the change will be
// merged into. It is never the base, which the change's author chooses. policyRevision returns "" on that branch
// itself, for a tag, and outside CI; then the checked configuration applies.
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

// githubTarget returns the branch that the change will be merged into, or "" if the change is already on it.
func (e environment) githubTarget() (string, error) {
	if target := e.get("GITHUB_BASE_REF"); target != "" {
		return target, nil
	}
	event, err := e.githubEvent(autoFlag)
	if err != nil {
		return "", err
	}
	trunk, pushed := event.Repository.Trunk, e.githubBranch()
	switch {
	case event.MergeGroup.Ref != "":
		return strings.TrimPrefix(event.MergeGroup.Ref, "refs/heads/"), nil
	case pushed == "" || pushed == trunk:
		return "", nil
	case trunk == "":
		return "",
			usagef("%s: GitHub's event does not name the default branch, so the target of %q is unknown; "+
				"specify it instead, as in --policy-from refs/remotes/origin/main", autoFlag, pushed)
	}
	return trunk, nil
}

// gitlabPolicy returns the policy's revision: the target branch of a merge request, or the default branch for the push
// of another branch.
func (e environment) gitlabPolicy() (string, error) {
	target, trunk, pushed := e.get("CI_MERGE_REQUEST_TARGET_BRANCH_NAME"), e.get("CI_DEFAULT_BRANCH"),
		e.get("CI_COMMIT_BRANCH")
	project := e.get("CI_MERGE_REQUEST_PROJECT_PATH")
	switch {
	case target != "" && project != "" && project != e.get("CI_PROJECT_PATH"):
		// This clone has the branches of the fork, whose owner wrote the merge request.
		if tip := e.get("CI_MERGE_REQUEST_TARGET_BRANCH_SHA"); !isMissing(tip) {
			return tip, nil
		}
		return "",
			usagef("%s: the target branch %s belongs to %s, but this is a clone of %s; fetch it and specify it "+
				"instead: git fetch %s %s, then --policy-from FETCH_HEAD",
				autoFlag, target, project, e.get("CI_PROJECT_PATH"),
				shell.Word(e.get("CI_MERGE_REQUEST_PROJECT_URL")+".git"), shell.Word(target))
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

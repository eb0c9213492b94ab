package main

import (
	_ "embed" // for the templates
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:embed templates/github.yml
var githubTemplate string

//go:embed templates/gitlab.yml
var gitlabTemplate string

const (
	githubWorkflows = ".github/workflows"
	gitlabConfig    = ".gitlab-ci.yml"
)

// ciKind finds out where changes of the repository are tested: by what lies in
// it, or else by where it came from.
func (i *initializer) ciKind(asked string) (string, error) {
	if asked != "" {
		return asked, nil
	}
	if name, _, err := i.first(gitlabConfig); err != nil || name != "" {
		return ciGitLab, err
	}
	if i.isDir(githubWorkflows) {
		return ciGitHub, nil
	}
	if i.repo == nil {
		return i.noCI(), nil
	}
	url, err := i.repo.Config(i.ctx, "remote.origin.url")
	if err != nil {
		return "", err
	}
	for _, ci := range []string{ciGitHub, ciGitLab} {
		if strings.Contains(hostOf(url), ci) {
			return ci, nil
		}
	}
	return i.noCI(), nil
}

func (i *initializer) noCI() string {
	i.notes = append(i.notes, "no CI was recognised: --ci github or --ci gitlab writes its job; in another CI, run stategate check --rev HEAD --base origin/main... --policy-from origin/main, with the branch that changes are merged into")
	return setUpNone
}

// hostOf returns the host of a remote's address, which is a URL or host:path.
func hostOf(remote string) string {
	if _, rest, ok := strings.Cut(remote, "://"); ok {
		remote = rest
	} else if !strings.Contains(remote, ":") {
		return "" // a directory
	}
	host, _, _ := strings.Cut(remote, "/")
	_, name, ok := strings.Cut(host, "@")
	if !ok {
		name = host
	}
	name, _, _ = strings.Cut(name, ":")
	return name
}

func (i *initializer) isDir(name string) bool {
	root, err := os.OpenRoot(i.top)
	if err != nil {
		return false
	}
	defer root.Close()
	info, err := root.Stat(name)
	return err == nil && info.IsDir()
}

func (i *initializer) ci(kind string) error {
	switch kind {
	case ciGitHub:
		return i.github()
	case ciGitLab:
		return i.gitlab()
	}
	return nil
}

func (i *initializer) github() error {
	has, err := i.hasWorkflow()
	if err != nil {
		return brokenf("read %s: %v", githubWorkflows, err)
	}
	if has != "" {
		i.same = append(i.same, has)
		return nil
	}
	version := i.version
	if version == "" {
		version = "main"
	}
	branch, err := i.branch()
	if err != nil {
		return err
	}
	text := strings.NewReplacer("{{version}}", version, "{{branch}}", branch).Replace(githubTemplate)
	i.create(githubWorkflows+"/stategate.yml", text, 0o644)
	return nil
}

// hasWorkflow names a workflow that runs the gate already, or that has the name of ours.
func (i *initializer) hasWorkflow() (string, error) {
	root, err := os.OpenRoot(i.top)
	if err != nil {
		return "", err
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), githubWorkflows)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		name := path.Join(githubWorkflows, e.Name())
		if e.Name() == "stategate.yml" || e.Name() == "stategate.yaml" {
			return name, nil
		}
		if !e.Type().IsRegular() {
			continue
		}
		text, err := root.ReadFile(name)
		if err != nil {
			return "", err
		}
		if strings.Contains(string(text), "stategate/stategate/.github/action@") || runsCheck(string(text)) {
			return name, nil
		}
	}
	return "", nil
}

// branch returns the branch that changes are merged into, fit to stand in YAML.
func (i *initializer) branch() (string, error) {
	if i.repo == nil {
		return "main", nil
	}
	name, err := i.repo.DefaultBranch(i.ctx)
	if err != nil {
		return "", err
	}
	for _, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._/-", c)) {
			return "main", nil
		}
	}
	if name == "" || name[0] == '-' || name[0] == '.' {
		return "main", nil
	}
	return name, nil
}

func (i *initializer) gitlab() error {
	job := func(stage string) string {
		version := i.version
		if version == "" {
			version = "latest"
		}
		return strings.NewReplacer("{{version}}", version, "{{stage}}", stage).Replace(gitlabTemplate)
	}
	return i.extend(extension{
		names: []string{gitlabConfig}, fresh: job(""), entry: job(""), added: "the job stategate",
		has: func(root *yaml.Node) bool {
			key, _ := member(root, "stategate")
			return key != nil || holds(root, runsCheck)
		},
		insert: func(text []byte, root *yaml.Node) ([]byte, error) {
			stage, err := stageOf(root)
			if err != nil {
				return nil, err
			}
			return appended(text, job(stage)), nil
		},
	})
}

// stageOf returns the line that names a stage, "" where GitLab's own, test, will do.
func stageOf(root *yaml.Node) (string, error) {
	_, stages := member(root, "stages")
	if stages == nil {
		return "", nil
	}
	if stages.Kind != yaml.SequenceNode || len(stages.Content) == 0 {
		return "", errByHand
	}
	for _, s := range stages.Content {
		if s.Value == "test" {
			return "", nil
		}
	}
	first, err := yaml.Marshal(stages.Content[0].Value)
	if err != nil || strings.Count(string(first), "\n") != 1 {
		return "", errByHand
	}
	return "stage: " + string(first) + "  ", nil
}

package setup

import (
	_ "embed" // for the templates
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"sync"
)

//go:embed templates/github.yml
var githubTemplate string

//go:embed templates/gitlab.yml
var gitlabTemplate string

const (
	githubWorkflows = ".github/workflows"
	gitlabConfig    = ".gitlab-ci.yml"
)

// ciSystems has first what is recognised first.
var ciSystems = []tool{
	{"gitlab", []string{gitlabConfig}, (*Plan).gitlab},
	{"github", []string{githubWorkflows}, (*Plan).github},
}

// usedCI returns where changes of the repository are tested, by its files or else by where it came from.
func (p *Plan) usedCI() (string, error) {
	if name := p.withFiles(ciSystems); name != "" {
		return name, nil
	}
	if p.repo != nil {
		url, err := p.repo.Config(p.ctx, "remote.origin.url")
		if err != nil {
			return "", err
		}
		for _, ci := range ciSystems {
			if strings.Contains(hostOf(url), ci.name) {
				return ci.name, nil
			}
		}
	}
	p.notes = append(p.notes, "no CI was recognised: --ci github or --ci gitlab writes its job; in another CI, run stategate check --rev HEAD --base origin/main... --policy-from origin/main, with the branch that changes are merged into")
	return None, nil
}

// hostOf returns the host of a remote's address, which is a URL or host:path; "" for a directory.
func hostOf(remote string) string {
	if _, rest, ok := strings.Cut(remote, "://"); ok {
		remote = rest
	} else if !strings.Contains(remote, ":") {
		return ""
	}
	host, _, _ := strings.Cut(remote, "/")
	host, _, _ = strings.Cut(host[strings.Index(host, "@")+1:], ":")
	return host
}

func (p *Plan) github() error {
	has, err := p.hasWorkflow()
	if err != nil {
		return fmt.Errorf("read %s: %w", githubWorkflows, err)
	}
	if has != "" {
		p.same = append(p.same, has)
		return nil
	}
	branch, err := p.branch()
	if err != nil {
		return err
	}
	p.create(githubWorkflows+"/stategate.yml", p.versioned(githubTemplate, "main", "{{branch}}", branch))
	return nil
}

// hasWorkflow returns a workflow that runs the gate already, or that has the name of ours; "" if there is none.
func (p *Plan) hasWorkflow() (string, error) {
	root, err := os.OpenRoot(p.Top)
	if err != nil {
		return "", err
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), githubWorkflows)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	for _, e := range entries {
		name := path.Join(githubWorkflows, e.Name())
		if e.Name() == "stategate.yml" || e.Name() == "stategate.yaml" {
			return name, nil
		}
		text, err := p.regular(name)
		if err != nil {
			return "", err
		}
		if strings.Contains(string(text), "stategate/stategate/.github/action@") || runsCheck(string(text)) {
			return name, nil
		}
	}
	return "", nil
}

// plainBranch matches names that mean themselves in YAML and in a pattern of branches.
var plainBranch = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z0-9_/][a-zA-Z0-9._/-]*$`) })

func (p *Plan) branch() (string, error) {
	if p.repo == nil {
		return "main", nil
	}
	name, err := p.repo.DefaultBranch(p.ctx)
	if err == nil && !plainBranch().MatchString(name) {
		name = "main"
	}
	return name, err
}

package setup

import (
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/stategate/stategate/host/yamledit"
	"github.com/stategate/stategate/sdk/yamldoc"
)

// An addition is an entry missing from a YAML file, and its path in the file.
type addition struct {
	entry string
	path  []string
}

// extend adds missing entries to the first existing YAML file, or creates the first file. added describes the entries
// for the user.
func (p *Plan) extend(names []string, added string, lacking func(*yamledit.File) ([]addition, error)) error {
	fresh, err := extended(&yamledit.File{}, lacking)
	if err != nil {
		return err
	}
	name, entry := p.first(names), string(fresh.Text)
	if name == "" {
		p.create(names[0], entry)
		return nil
	}
	if strings.HasPrefix(path.Ext(name), ".json") {
		entry = yamledit.Flow(entry, true)
	}
	return p.edit(name, added, entry, func(text string) (string, error) {
		f, err := yamledit.Parse([]byte(text))
		if err == nil {
			f, err = extended(f, lacking)
		}
		if err != nil {
			return "", err
		}
		return string(f.Text), nil
	})
}

func extended(f *yamledit.File, lacking func(*yamledit.File) ([]addition, error)) (*yamledit.File, error) {
	list, err := lacking(f)
	for _, a := range list {
		if err == nil {
			f, err = f.Add(a.entry, a.path...)
		}
	}
	if err != nil || len(list) == 0 {
		return f, err
	}
	if list, err = lacking(f); err != nil || len(list) > 0 {
		return nil, yamledit.ErrByHand
	}
	return f, nil
}

const (
	preCommitConfig = ".pre-commit-config.yaml"
	installTypes    = "default_install_hook_types"
)

// preCommit adds the hook to pre-commit's configuration. After that, `pre-commit install` without options also installs
// the hook for merges.
func preCommit(p *Plan) error {
	p.next = append(p.next, "pre-commit install (once in every clone)")
	return p.extend([]string{preCommitConfig}, "the hook stategate", func(f *yamledit.File) (list []addition, _ error) {
		_, types := yamldoc.Member(f.Root, installTypes)
		lack := slices.DeleteFunc(slices.Clone(gatedHooks), func(hook string) bool { return holds(types, hook) })
		switch {
		case types == nil:
			list = append(list, addition{installTypes + ": [" + strings.Join(gatedHooks, ", ") + "]\n", nil})
		case len(lack) > 0:
			list = append(list, addition{"- " + strings.Join(lack, "\n- ") + "\n", []string{installTypes}})
		}
		if _, repos := yamldoc.Member(f.Root, "repos"); !holds(repos, "stategate", "stategate-source",
			"stategate-system") && !runsCheckIn(repos) {
			list = append(list, addition{preCommitEntry(p, f.Root), []string{"repos"}})
		}
		return list, nil
	})
}

// preCommitEntry returns the entry for a repository's configuration. If default_stages excludes merges, the entry
// sets stages, with the same kind of stage names as the default, because pre-commit used other names before version
// 3.2. The manifest of a release sets no stages, so that every version can read it.
func preCommitEntry(p *Plan, root *yaml.Node) string {
	entry := preCommitLocal
	if p.release != "" {
		entry = p.versioned(preCommitRelease, "")
	}
	_, stages := yamldoc.Member(root, "default_stages")
	switch {
	case stages == nil, holds(stages, "pre-merge-commit", "merge-commit"):
		return entry
	case holds(stages, "commit", "push"):
		return entry + "      stages: [commit, merge-commit]\n"
	}
	return entry + "      stages: [" + strings.Join(gatedHooks, ", ") + "]\n"
}

func lefthookConfigs(endings ...string) (names []string) {
	for _, ending := range endings {
		for _, name := range []string{"lefthook.", ".lefthook.", ".config/lefthook."} {
			names = append(names, name+ending)
		}
	}
	return names
}

var lefthookYAML = lefthookConfigs("yml", "yaml", "json", "jsonc")

func lefthook(p *Plan) error {
	if p.first(lefthookYAML) == "" {
		if found, err := otherHook(p, "lefthook"); found || err != nil {
			return err
		}
	}
	p.next = append(p.next, "lefthook install (once in every clone)")
	return p.extend(lefthookYAML, "the command stategate", func(f *yamledit.File) (list []addition, _ error) {
		for _, hook := range gatedHooks {
			_, value := yamldoc.Member(f.Root, hook)
			_, commands := yamldoc.Member(value, "commands")
			_, jobs := yamldoc.Member(value, "jobs")
			switch {
			case runsCheckIn(value):
			case jobs != nil && commands == nil:
				list = append(list, addition{"- name: stategate\n  run: " + hookCommand + "\n", []string{hook, "jobs"}})
			default:
				list = append(list, addition{"stategate:\n  run: " + hookCommand + "\n", []string{hook, "commands"}})
			}
		}
		return list, nil
	})
}

func gitlab(p *Plan) error {
	return p.extend([]string{gitlabConfig}, "the job stategate", func(f *yamledit.File) ([]addition, error) {
		if key, _ := yamldoc.Member(f.Root, "stategate"); key != nil || runsCheckIn(f.Root) {
			return nil, nil
		}
		stage, err := stageOf(f.Root)
		path := "latest/download"
		if p.release != "" {
			path = "download/" + p.release
		}
		return []addition{{strings.NewReplacer("{{release}}", path, "{{stage}}", stage).Replace(gitlabTemplate), nil}},
			err
	})
}

// stageOf returns the line that sets a stage, or "" if GitLab's default stage, test, exists.
func stageOf(root *yaml.Node) (string, error) {
	_, stages := yamldoc.Member(root, "stages")
	if stages == nil || holds(stages, "test") {
		return "", nil
	}
	if stages.Kind != yaml.SequenceNode || len(stages.Content) == 0 {
		return "", yamledit.ErrByHand
	}
	first, err := yaml.Marshal(stages.Content[0].Value)
	if err != nil || strings.Count(string(first), "\n") != 1 {
		return "", yamledit.ErrByHand
	}
	return "stage: " + string(first) + "  ", nil
}

// holds reports whether a scalar at or below n has one of several values.
func holds(n *yaml.Node, values ...string) bool {
	return anyScalar(n, func(v string) bool { return slices.Contains(values, v) })
}

// runsCheckIn reports whether a command at or below n runs the gate.
func runsCheckIn(n *yaml.Node) bool { return anyScalar(n, runsCheck) }

func anyScalar(n *yaml.Node, want func(value string) bool) bool {
	return n != nil && (n.Kind == yaml.ScalarNode && want(n.Value) ||
		slices.ContainsFunc(n.Content, func(child *yaml.Node) bool { return anyScalar(child, want) }))
}

func runsCheck(command string) bool { return strings.Contains(command, "stategate check") }

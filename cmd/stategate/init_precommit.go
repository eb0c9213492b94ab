package main

import (
	_ "embed" // for the templates
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:embed templates/pre-commit-release.yaml
var preCommitRelease string

//go:embed templates/pre-commit-local.yaml
var preCommitLocal string

const (
	preCommitConfig = ".pre-commit-config.yaml"
	installTypes    = "default_install_hook_types"
)

// gatedHooks are the hooks of git that run the gate: the second one for merges, which git commits without asking the first.
func gatedHooks() []string { return []string{"pre-commit", "pre-merge-commit"} }

func (i *initializer) preCommit() error {
	install := installTypes + ": [" + strings.Join(gatedHooks(), ", ") + "]\n"
	i.next = append(i.next, "pre-commit install (once in every clone)")
	return i.extend(extension{
		names: []string{preCommitConfig}, added: "the hook stategate",
		fresh: install + "repos:\n" + indented(i.preCommitEntry(nil), 2),
		entry: install + "repos:\n" + indented(i.preCommitEntry(nil), 2),
		has: func(root *yaml.Node) bool {
			_, types := member(root, installTypes)
			return hasPreCommitHook(root) && len(missing(types)) == 0
		},
		insert: func(text []byte, root *yaml.Node) ([]byte, error) {
			if !hasPreCommitHook(root) {
				var err error
				if text, err = i.insertRepo(text, root); err != nil {
					return nil, err
				}
				if root, err = yamlRoot(text); err != nil {
					return nil, err
				}
			}
			return insertTypes(text, root, install)
		},
	})
}

func hasPreCommitHook(root *yaml.Node) bool {
	_, repos := member(root, "repos")
	return holds(repos, func(v string) bool { return v == "stategate" || v == "stategate-system" || runsCheck(v) })
}

func (i *initializer) insertRepo(text []byte, root *yaml.Node) ([]byte, error) {
	entry := i.preCommitEntry(root)
	key, repos := member(root, "repos")
	switch {
	case key == nil:
		return appended(text, "repos:\n"+indented(entry, 2)), nil
	case repos.Kind == yaml.SequenceNode && len(repos.Content) == 0:
		return nil, errByHand
	}
	return insertBelow(text, key, repos, entry)
}

// preCommitEntry is the entry of a repository's configuration. Where default_stages leaves merges out, it has stages of
// its own, by the names that the default uses: before version 3.2, pre-commit knew others. The manifest of a release
// names none, so that every version reads it.
func (i *initializer) preCommitEntry(root *yaml.Node) string {
	entry := preCommitLocal
	if i.version != "" {
		entry = strings.ReplaceAll(preCommitRelease, "{{version}}", i.version)
	}
	_, stages := member(root, "default_stages")
	is := func(names ...string) bool {
		return holds(stages, func(v string) bool { return slices.Contains(names, v) })
	}
	switch {
	case stages == nil, is("pre-merge-commit", "merge-commit"):
		return entry
	case is("commit", "push"):
		return entry + "      stages: [commit, merge-commit]\n"
	}
	return entry + "      stages: [" + strings.Join(gatedHooks(), ", ") + "]\n"
}

// missing are the gated hooks that a list lacks.
func missing(types *yaml.Node) []string {
	return slices.DeleteFunc(gatedHooks(), func(hook string) bool { return holds(types, func(v string) bool { return v == hook }) })
}

// insertTypes makes a plain `pre-commit install` install the hook for merges, too.
func insertTypes(text []byte, root *yaml.Node, install string) ([]byte, error) {
	key, types := member(root, installTypes)
	lack := missing(types)
	switch {
	case key == nil:
		return appended(text, install), nil
	case len(lack) == 0:
		return text, nil
	case types.Kind == yaml.SequenceNode && types.Style&yaml.FlowStyle != 0 && len(types.Content) > 0:
		return insertAt(text, types.Content[0], strings.Join(lack, ", ")+", ")
	}
	return insertBelow(text, key, types, "- "+strings.Join(lack, "\n- ")+"\n")
}

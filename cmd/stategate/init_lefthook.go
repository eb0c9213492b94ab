package main

import (
	"encoding/json"
	"errors"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

func lefthookConfigs() (names []string) {
	for _, ending := range []string{"yml", "yaml", "json", "jsonc", "toml"} {
		for _, name := range []string{"lefthook.", ".lefthook.", ".config/lefthook."} {
			names = append(names, name+ending)
		}
	}
	return names
}

// A lefthookSyntax is how a configuration of lefthook spells the gate.
type lefthookSyntax struct {
	command, job string // an entry of commands, an item of jobs
	commands     string // commands with that entry
	hook         func(name string) string
	put          func(text []byte, key, value *yaml.Node, entry string) ([]byte, error) // into a hook or what is below it
	putHook      func(text []byte, root *yaml.Node, entry string) ([]byte, error)
}

var lefthookYAML = lefthookSyntax{
	command:  "stategate:\n  run: " + hookCommand + "\n",
	job:      "- name: stategate\n  run: " + hookCommand + "\n",
	commands: "commands:\n  stategate:\n    run: " + hookCommand + "\n",
	hook: func(name string) string {
		return name + ":\n  commands:\n    stategate:\n      run: " + hookCommand + "\n"
	},
	put:     insertBelow,
	putHook: func(text []byte, _ *yaml.Node, entry string) ([]byte, error) { return appended(text, entry), nil },
}

var lefthookJSON = lefthookSyntax{
	command:  `"stategate": {"run": "` + hookCommand + `"}`,
	job:      `{"name": "stategate", "run": "` + hookCommand + `"}`,
	commands: `"commands": {"stategate": {"run": "` + hookCommand + `"}}`,
	hook: func(name string) string {
		return `"` + name + `": {"commands": {"stategate": {"run": "` + hookCommand + `"}}}`
	},
	put: func(text []byte, _, value *yaml.Node, entry string) ([]byte, error) {
		return insertMember(text, value, entry)
	},
	putHook: insertMember,
}

func (i *initializer) lefthook() error {
	name, _, err := i.first(lefthookConfigs()...)
	if err != nil {
		return err
	}
	syntax, between := lefthookYAML, "\n"
	switch path.Ext(name) {
	case ".toml":
		return i.lefthookTOML(name)
	case ".json", ".jsonc":
		syntax, between = lefthookJSON, ",\n"
	}
	var hooks []string
	for _, hook := range gatedHooks() {
		hooks = append(hooks, syntax.hook(hook))
	}
	i.next = append(i.next, "lefthook install (once in every clone)")
	return i.extend(extension{
		names: lefthookConfigs(), fresh: strings.Join(hooks, between), entry: strings.Join(hooks, between), added: "the command stategate",
		has: func(root *yaml.Node) bool {
			return !slices.ContainsFunc(gatedHooks(), func(hook string) bool { return !lefthookRuns(root, hook) })
		},
		insert: syntax.insert,
	})
}

func lefthookRuns(root *yaml.Node, hook string) bool {
	_, value := member(root, hook)
	return holds(value, runsCheck)
}

// insert puts the gate into every hook that lacks it, in the way in which the hook is written.
func (s lefthookSyntax) insert(text []byte, root *yaml.Node) (_ []byte, err error) {
	wasJSON := json.Valid(text)
	for _, hook := range gatedHooks() {
		if lefthookRuns(root, hook) {
			continue
		}
		if text, err = s.insertInto(text, root, hook); err != nil {
			return nil, err
		}
		if root, err = yamlRoot(text); err != nil {
			return nil, err
		}
	}
	if wasJSON && !json.Valid(text) {
		return nil, errByHand
	}
	return text, nil
}

func (s lefthookSyntax) insertInto(text []byte, root *yaml.Node, hook string) ([]byte, error) {
	key, value := member(root, hook)
	if key == nil {
		return s.putHook(text, root, s.hook(hook))
	}
	if key, value := member(value, "commands"); key != nil {
		return s.put(text, key, value, s.command)
	}
	if key, value := member(value, "jobs"); key != nil {
		return s.put(text, key, value, s.job)
	}
	return s.put(text, key, value, s.commands)
}

var errTOML = errors.New("TOML is not written by init")

// lefthookTOML says what a person adds: a table may be written in many ways, and no parser here knows them.
func (i *initializer) lefthookTOML(name string) error {
	text, _, err := read(i.top, name)
	if err != nil {
		return brokenf("read %s: %v", name, err)
	}
	if strings.Count(string(text), hookCommand) >= len(gatedHooks()) && strings.Contains(string(text), "pre-merge-commit") {
		i.same = append(i.same, name)
		return nil
	}
	var tables []string
	for _, hook := range gatedHooks() {
		tables = append(tables, "["+hook+".commands.stategate]\nrun = \""+hookCommand+"\"\n")
	}
	i.byHand(name, errTOML, strings.Join(tables, "\n"))
	return nil
}

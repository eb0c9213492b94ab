package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A hookTool runs hooks in a way that init does not write.
type hookTool struct {
	name  string
	files []string // any of which tells that it is used
	key   string   // of package.json that tells it, too; "" for none
}

func hookTools() []hookTool {
	var simple []string
	for _, ending := range []string{"json", "js", "cjs", "mjs"} {
		simple = append(simple, ".simple-git-hooks."+ending, "simple-git-hooks."+ending)
	}
	return []hookTool{
		{"husky", []string{".husky/pre-commit", ".husky/_", ".huskyrc", ".huskyrc.json"}, "husky"},
		{"simple-git-hooks", simple, "simple-git-hooks"},
		{"yorkie", nil, "gitHooks"},
		{"overcommit", []string{".overcommit.yml"}, ""},
		{"prek", []string{"prek.toml", ".pre-commit-config.yml"}, ""},
		{"captainhook", []string{"captainhook.json"}, ""},
		{"grumphp", []string{"grumphp.yml", "grumphp.yaml", "grumphp.yml.dist"}, ""},
	}
}

// otherTool reports whether a tool runs the hooks that init does not write for, and says what is left to do.
func (i *initializer) otherTool() (bool, error) {
	for _, tool := range hookTools() {
		file, runs, err := i.uses(tool)
		switch {
		case err != nil:
			return false, brokenf("read %s: %v", file, err)
		case file == "":
			continue
		case runs:
			i.same = append(i.same, file)
		default:
			i.asks = append(i.asks, "the hooks are run by "+tool.name+" ("+file+"), which init does not write for: let its "+
				strings.Join(gatedHooks(), " and ")+" run "+hookCommand+"; or choose another tool with --hook")
		}
		return true, nil
	}
	return false, nil
}

// uses names the file that tells that a tool is used, "" if none does, and whether it runs the gate.
func (i *initializer) uses(tool hookTool) (file string, runs bool, err error) {
	root, err := os.OpenRoot(i.top)
	if err != nil {
		return i.top, false, err
	}
	defer root.Close()
	for _, name := range tool.files {
		info, err := root.Stat(filepath.FromSlash(name))
		if err != nil {
			continue
		}
		text := ""
		if info.Mode().IsRegular() {
			data, err := root.ReadFile(filepath.FromSlash(name))
			if err != nil {
				return name, false, err
			}
			text = string(data)
		}
		return name, callsGate(text), nil
	}
	value, err := packageKey(root, tool.key)
	if err != nil || value == nil {
		return "", false, err
	}
	return "package.json", runsCheck(string(value)), nil
}

// packageKey returns a member of package.json, nil if there is none, or no package.json that can be read as one.
func packageKey(root *os.Root, key string) (json.RawMessage, error) {
	if key == "" {
		return nil, nil
	}
	data, err := root.ReadFile("package.json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) != nil {
		return nil, nil
	}
	return members[key], nil
}

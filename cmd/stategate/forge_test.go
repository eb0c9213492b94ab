package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestIssueForms: each issue form has the required fields, and the commands in it exist. GitHub silently hides a form
// that it cannot read.
func TestIssueForms(t *testing.T) {
	for _, name := range []string{"bug", "false-alarm", "silence", "plugin"} {
		page := ".github/ISSUE_TEMPLATE/" + name + ".yml"
		text := readPage(t, page)
		var form struct {
			Name, Description string
			Labels            []string
			Body              []struct {
				Type, ID    string
				Attributes  struct{ Label, Description, Render string }
				Validations struct{ Required bool }
			}
		}
		d := yaml.NewDecoder(strings.NewReader(text))
		d.KnownFields(true)
		if err := d.Decode(&form); err != nil {
			t.Fatalf("%s: %v", page, err)
		}
		if form.Name == "" || form.Description == "" || len(form.Labels) == 0 || len(form.Body) == 0 {
			t.Errorf("%s lacks a name, a description, a label or a question", page)
		}
		seen := map[string]bool{}
		for _, q := range form.Body {
			if (q.Type != "textarea" && q.Type != "input") || q.ID == "" || seen[q.ID] || q.Attributes.Label == "" ||
				q.Type == "input" && q.Attributes.Render != "" {
				t.Errorf("%s: the question %+v is not one that GitHub takes", page, q)
			}
			seen[q.ID] = true
		}
		if !seen["version"] {
			t.Errorf("%s does not ask for the version", page)
		}
		for _, command := range regexp.MustCompile("`(stategate [^`]*)`").FindAllStringSubmatch(text, -1) {
			shown(t, page, command[1], nil)
		}
	}
}

// TestDependabot: each configured folder contains the file that its ecosystem reads.
func TestDependabot(t *testing.T) {
	var config struct {
		Version int
		Updates []struct {
			Ecosystem   string `yaml:"package-ecosystem"`
			Directory   string
			Directories []string
		}
	}
	if err := yaml.Unmarshal([]byte(readPage(t, ".github/dependabot.yml")), &config); err != nil {
		t.Fatal(err)
	}
	reads := map[string][]string{"gomod": {"go.mod"}, "npm": {"package.json"},
		"github-actions": {".github/workflows", "action.yml"}}
	for _, u := range config.Updates {
		for _, dir := range append(u.Directories, u.Directory) {
			found := dir == ""
			for _, name := range reads[u.Ecosystem] {
				_, err := os.Stat(filepath.Join(repository, filepath.FromSlash(dir), name))
				found = found || err == nil
			}
			if !found {
				t.Errorf("%s in %s reads none of %q", u.Ecosystem, dir, reads[u.Ecosystem])
			}
		}
	}
	if config.Version != 2 || len(config.Updates) == 0 {
		t.Errorf("got %+v", config)
	}
}

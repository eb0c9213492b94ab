package agent

import (
	"cmp"
	_ "embed" // for the texts
	"strings"

	"github.com/stategate/stategate/sdk/jsondoc"
)

//go:embed section.md
var section string

//go:embed skill.md
var skill string

// A File is one of the repository that setting an agent up needs.
type File struct {
	Name  string // slash-separated, below the top
	Added string // what an existing file gets, for people
	Edit  func(text string) (string, error)
}

// Files are the settings, which get the hooks that they lack, and the instructions. Existing content stays.
func (a *Agent) Files() []File {
	notes := File{a.notes, "the section about stategate",
		func(text string) (string, error) { return withSection(text), nil }}
	if strings.HasSuffix(a.notes, "SKILL.md") {
		notes.Edit = func(text string) (string, error) {
			if text != "" {
				return text, nil
			}
			return skill, nil
		}
	}
	return []File{{a.file, "the hooks of stategate", a.withHooks}, notes}
}

// Snippet is what to add to settings that cannot be changed here.
func (a *Agent) Snippet() string {
	text, _ := a.withHooks("")
	return text
}

// withHooks adds the hooks that settings lack. It fails unless they are strict JSON.
func (a *Agent) withHooks(text string) (string, error) {
	bom := ""
	if after, ok := strings.CutPrefix(text, "\ufeff"); ok {
		bom, text = "\ufeff", after
	}
	if strings.Trim(text, " \t\r\n") == "" {
		text = cmp.Or(a.empty, "{\n}\n")
	}
	for _, e := range a.events {
		doc, err := jsondoc.Parse(text)
		if err != nil {
			return "", err
		}
		if hooks, ok := doc.Root().Member("hooks"); ok {
			if there, ok := hooks.Value.Member(e.name); ok && strings.Contains(there.Value.Raw(), "stategate hook ") {
				continue
			}
		}
		change, err := doc.Set(jsondoc.Pointer("hooks", e.name, "-"), a.entry(e.matcher))
		if err != nil {
			return "", err
		}
		text = text[:change.Start] + change.New + text[change.End:]
	}
	return bom + text, nil
}

// withSection adds the section at the end, unless the text mentions the command already.
func withSection(text string) string {
	switch {
	case strings.Contains(text, "stategate resume"):
		return text
	case text == "":
		return section
	}
	newline := "\n"
	if strings.Contains(text, "\r\n") {
		newline = "\r\n"
	}
	return strings.TrimRight(text, "\r\n") + newline + newline + strings.ReplaceAll(section, "\n", newline)
}

package agent

import (
	"cmp"
	_ "embed"
	"strings"

	"github.com/stategate/stategate/sdk/jsondoc"
)

//go:embed section.md
var section string

//go:embed skill.md
var skill string

// A File is a file in the repository that an agent's setup writes or extends.
type File struct {
	Name  string // slash-separated, below the top
	Added string // describes the addition to an existing file
	Edit  func(text string) (string, error)
}

// Files returns the settings file, to which missing hooks are added, and the instructions file. Existing content is
// kept.
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

// Snippet returns the text that the user must add to settings that cannot be changed automatically.
func (a *Agent) Snippet() string {
	text, _ := a.withHooks("")
	return text
}

// withHooks adds missing hooks to settings. It fails unless the settings are strict JSON.
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

// withSection appends the section, unless the text already mentions the command.
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

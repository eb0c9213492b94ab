package setup

import (
	"errors"
	"regexp"
	"strings"
	"sync"
)

const (
	prekConfig     = "prek.toml"
	prekRepository = "https://github.com/stategate/stategate"
)

// inlineRepos matches a list of repositories that [[repos]] must not add to.
var inlineRepos = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*"?repos"?\s*=`) })

// prekHas matches an entry that runs the gate already.
var prekHas = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[^#\n]*(\bid\s*=\s*"stategate(-source|-system)?"|stategate check)`)
})

// prek adds an entry at the end of prek.toml: TOML lets [[repos]] stand anywhere, so comments and order stay.
func prek(p *Plan) error {
	if p.first([]string{prekConfig}) == "" {
		if found, err := otherHook(p, "prek"); found || err != nil {
			return err
		}
	}
	p.next = append(p.next, "prek install --hook-type "+strings.Join(gatedHooks, " --hook-type ")+
		" (once in every clone)")
	entry := prekEntry(p.release)
	return p.edit(prekConfig, "the hook stategate", entry, func(text string) (string, error) {
		switch {
		case prekHas().MatchString(text):
			return text, nil
		case inlineRepos().MatchString(text):
			return "", errors.New("repos is a list in brackets, which is not added to automatically")
		case text != "":
			entry = "\n" + entry
		}
		return withLines(text, entry), nil
	})
}

// prekEntry names its stages, because default_stages may leave merges out.
func prekEntry(release string) string {
	repo := "local\"\nhooks = [\n  { id = \"stategate\", name = \"stategate\", entry = \"" + hookCommand +
		`", language = "system", pass_filenames = false, always_run = true, require_serial = true, `
	if release != "" {
		repo = prekRepository + "\"\nrev = \"" + release + "\"\nhooks = [\n  { id = \"stategate\", "
	}
	return "[[repos]]\nrepo = \"" + repo + `stages = ["` + strings.Join(gatedHooks, `", "`) + "\"] },\n]\n"
}

package setup

import (
	"errors"
	"regexp"
	"strings"
)

const (
	prekConfig     = "prek.toml"
	prekRepository = "https://github.com/stategate/stategate"
)

// inlineRepos matches an inline list of repositories, which [[repos]] cannot extend.
var inlineRepos = regexp.MustCompile(`(?m)^\s*"?repos"?\s*=`)

// prekHas matches an entry that already runs the gate.
var prekHas = regexp.MustCompile(`(?m)^[^#\n]*(\bid\s*=\s*"stategate(-source|-system)?"|stategate check)`)

// prek appends an entry to prek.toml. TOML allows [[repos]] anywhere, so comments and order are kept.
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
		case prekHas.MatchString(text):
			return text, nil
		case inlineRepos.MatchString(text):
			return "", errors.New("repos is an inline list, which stategate cannot extend")
		case text != "":
			entry = "\n" + entry
		}
		return withLines(text, entry), nil
	})
}

// prekEntry returns the entry for prek.toml. It sets stages, because default_stages may exclude merges.
func prekEntry(release string) string {
	repo := "local\"\nhooks = [\n  { id = \"stategate\", name = \"stategate\", entry = \"" + hookCommand +
		`", language = "system", pass_filenames = false, always_run = true, require_serial = true, `
	if release != "" {
		repo = prekRepository + "\"\nrev = \"" + release + "\"\nhooks = [\n  { id = \"stategate\", "
	}
	return "[[repos]]\nrepo = \"" + repo + `stages = ["` + strings.Join(gatedHooks, `", "`) + "\"] },\n]\n"
}

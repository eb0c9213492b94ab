package result

import (
	_ "embed" // for the host's rules
	"slices"
	"strings"
	"sync"

	"github.com/stategate/stategate/sdk/wire"
)

//go:embed rules.txt
var rulesText string

// Rules returns the documentation of the rules that the host reports under every plugin's name, in the order of
// wire.HostRules.
var Rules = sync.OnceValue(func() (list []wire.Rule) {
	for _, text := range strings.Split(rulesText, "\n== ")[1:] {
		head, doc, _ := strings.Cut(text, "\n")
		name, word, _ := strings.Cut(head, " ")
		severity, _ := wire.ParseSeverity(word)
		var paragraphs []string
		for paragraph := range strings.SplitSeq(strings.TrimSpace(doc), "\n\n") {
			paragraphs = append(paragraphs, strings.Join(strings.Fields(paragraph), " "))
		}
		list = append(list, wire.Rule{Name: name, Severity: severity, Doc: strings.Join(paragraphs, "\n\n"),
			URL: "https://github.com/stategate/stategate/blob/main/.github/docs/workflows/README.md#" + name})
	}
	return list
})

// RuleName returns a rule's name without its workflow.
func RuleName(rule string) string {
	_, name, _ := strings.Cut(rule, "/")
	return name
}

// Unread reports whether a rule's findings say that something could not be read reliably. rule has the form
// plugin/rule. Such findings can never be accepted, because it is unknown what they hide.
func Unread(rule string) bool {
	return slices.Contains([]string{wire.RuleUnreadable, wire.RuleNotAFile, wire.RuleTooLarge, wire.RuleUnstable},
		RuleName(rule))
}

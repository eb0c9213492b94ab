package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// completionTime limits how long a user waits after pressing TAB.
const completionTime = 2 * time.Second

const maxRefs = 2000

const (
	filesToo = cobra.ShellCompDirectiveDefault // the shell offers files if no word matches
	noFiles  = cobra.ShellCompDirectiveNoFileComp
)

func isCompletion(args []string) bool {
	return len(args) > 1 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// prepareCompletion silences stderr, and removes the backquotes, which only --help needs, from flag descriptions.
func prepareCompletion(c *cobra.Command) {
	c.SetErr(io.Discard)
	c.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "`", "") })
	for _, sub := range c.Commands() {
		prepareCompletion(sub)
	}
}

// A typing is the command line at the time TAB is pressed.
type typing struct {
	args []string // before the word
	word string   // as typed so far
}

// A word is a completion that a shell offers, with an optional description.
type word struct{ text, about string }

// offering turns a list of words into a completion. It ignores errors, and leaves out words that a shell would not take
// literally, because names may come from an untrusted repository.
func offering(directive cobra.ShellCompDirective, words func(context.Context, typing) []word) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) (list []cobra.Completion, _ cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(c.Context(), completionTime)
		defer cancel()
		seen := map[string]bool{}
		for _, w := range words(ctx, typing{args, typed}) {
			if strings.HasPrefix(w.text, typed) && literal(w.text) && !seen[w.text] {
				seen[w.text] = true
				list = append(list, cobra.CompletionWithDesc(w.text, print.Safe(w.about)))
			}
		}
		return list, directive
	}
}

// literal reports whether every shell takes a word literally. It allows blanks, because the completion scripts
// escape them.
func literal(word string) bool {
	return !strings.HasPrefix(word, "-") && !strings.ContainsFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./=:@%+, ", r)
	})
}

// inOrder completes the nth argument with the nth completion, and offers nothing after the last.
func inOrder(each ...cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) >= len(each) {
			return nil, noFiles
		}
		return each[len(args)](c, args, word)
	}
}

func fixed(words []string) cobra.CompletionFunc { return cobra.FixedCompletions(words, noFiles) }

func files(endings ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(endings, cobra.ShellCompDirectiveFilterFileExt)
}

var directories = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)

func workflowWords(a *app, directive cobra.ShellCompDirective) cobra.CompletionFunc {
	return offering(directive, func(ctx context.Context, _ typing) (words []word) {
		for _, p := range pluginsToShow(ctx, a) {
			words = append(words, word{p.Name, headline(p.Manifest.Doc)})
		}
		return words
	})
}

// pluginsToShow returns the plugins that the call would use, or the built-in ones if the configuration is wrong.
func pluginsToShow(ctx context.Context, a *app) []*plugin.Plugin {
	p, err := shownPlugins(ctx, a, nil, func([]*plugin.Plugin) bool { return true })
	if err != nil {
		return nil
	}
	return p.list
}

func headline(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// ruleWords completes the names of workflows, followed by the text in behind. Because a list of all rules would
// fill several screens, it offers a workflow's rules only after its slash is typed, and rules without their workflow
// only after a letter is typed.
func ruleWords(a *app, behind string) cobra.CompletionFunc {
	directive := noFiles
	if behind != "" {
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	return offering(directive, func(ctx context.Context, t typing) (words []word) {
		for _, p := range pluginsToShow(ctx, a) {
			words = append(words, word{p.Name + behind, headline(p.Manifest.Doc)})
			prefix := ""
			if strings.Contains(t.word, "/") {
				prefix = p.Name + "/"
			}
			for _, r := range slices.Concat(p.Manifest.Rules, result.Rules()) {
				if t.word != "" {
					words = append(words, word{prefix + r.Name, headline(r.Doc)})
				}
			}
		}
		return words
	})
}

// revisionWords completes commits by name, and other words that the flag accepts.
func revisionWords(a *app, besides ...word) cobra.CompletionFunc {
	return offering(noFiles, func(ctx context.Context, _ typing) []word {
		words := append(slices.Clone(besides), word{"HEAD", "the checked-out commit"})
		repo := a.repository(a.env.dir)
		if repo == nil {
			return nil
		}
		refs, err := repo.Refs(ctx, maxRefs)
		if err != nil {
			return nil
		}
		for _, r := range refs {
			words = append(words, word{r.Name, r.Kind})
		}
		return words
	})
}

// stateDirectoryWords completes state directories, relative to the current directory.
func stateDirectoryWords(a *app, l *examineFlags) cobra.CompletionFunc {
	return offering(filesToo, func(ctx context.Context, _ typing) (words []word) {
		q, err := l.request(ctx, a, nil)
		if err != nil {
			return nil
		}
		q.ReadOnly = true
		workspace, roots, _ := check.Roots(ctx, q.Options)
		for _, r := range roots {
			words = append(words, word{a.shell(workspace).Path(r.Root), r.Plugin})
		}
		return words
	})
}

// resultWords completes words of a check of the same runs as the call would check, which args name.
func resultWords(a *app, l *examineFlags, args func(typing) []string,
	words func(*result.Result) []word) cobra.CompletionFunc {
	return offering(noFiles, func(ctx context.Context, t typing) []word {
		q, err := l.request(ctx, a, args(t))
		if err != nil {
			return nil
		}
		q.ReadOnly, q.NoResume = true, true
		r, err := check.Check(ctx, q.Options)
		if err != nil {
			return nil
		}
		return words(r)
	})
}

// findingWords completes ids of findings.
func findingWords(a *app, l *examineFlags) cobra.CompletionFunc {
	anywhere := func(typing) []string { return nil }
	return resultWords(a, l, anywhere, func(r *result.Result) (words []word) {
		for n := range r.Instances {
			for _, d := range r.Instances[n].Diagnostics {
				words = append(words, word{d.Fingerprint, d.Severity.String() + ": " + d.Message})
			}
		}
		return words
	})
}

// remedyWords completes ids of remedies and recoveries.
func remedyWords(a *app, l *examineFlags) cobra.CompletionFunc {
	named := func(t typing) []string { return t.args }
	return resultWords(a, l, named, func(r *result.Result) (words []word) {
		offers, rules := r.Offers(), map[string]bool{}
		for _, offer := range offers {
			rule := offer.Rule()
			if n := len(result.OfRule(offers, rule)); n > 1 && !rules[rule] {
				words = append(words, word{rule, fmt.Sprintf("one remedy for each of %d findings", n)})
				rules[rule] = true
			}
			if offer.Safety != wire.Manual { // --apply only prints its steps
				words = append(words, word{offer.ID,
					offer.Safety.String() + ": " + offer.Title + " (" + offer.Instance.Root + ")"})
			}
		}
		return words
	})
}

// reportWords completes a report's format, and lets the shell complete its file.
func reportWords(_ *cobra.Command, _ []string, word string) (list []cobra.Completion, _ cobra.ShellCompDirective) {
	if strings.Contains(word, "=") {
		return nil, filesToo
	}
	for _, f := range checkFormats {
		list = append(list, f.Name+"=")
	}
	return list, noFiles | cobra.ShellCompDirectiveNoSpace
}

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

// completionTime is how long a user who presses TAB waits at most.
const completionTime = 2 * time.Second

// maxRefs bounds the branches and tags that are offered.
const maxRefs = 2000

const (
	filesToo = cobra.ShellCompDirectiveDefault // the shell offers files where no word fits
	noFiles  = cobra.ShellCompDirectiveNoFileComp
)

func isCompletion(args []string) bool {
	return len(args) > 1 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// prepareCompletion silences stderr, and takes the marks for --help out of what is said of flags.
func prepareCompletion(c *cobra.Command) {
	c.SetErr(io.Discard)
	c.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "`", "") })
	for _, sub := range c.Commands() {
		prepareCompletion(sub)
	}
}

// A typing is what stands on the command line when TAB is pressed.
type typing struct {
	args []string // before the word
	word string   // as far as it is typed
}

// A word is one that a shell offers, with a description that may be empty.
type word struct{ text, about string }

// offering makes a completion of words. It is silent about errors, and leaves out what a shell would not take
// literally: names may come from a stranger's repository.
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

// literal reports whether every shell takes a word as it is written, or as the completion scripts write blanks.
func literal(word string) bool {
	return !strings.HasPrefix(word, "-") && !strings.ContainsFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./=:@%+, ", r)
	})
}

// inOrder completes the first argument with the first completion, and so on; nothing follows the last one.
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

// pluginsToShow are those that the call would use, or else the built-in ones.
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

// ruleWords completes workflows, followed by behind; the rules of a workflow as soon as its slash is typed, and rules
// without their workflow as soon as a letter is typed: all would fill screens.
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

// revisionWords completes commits by name, besides words that a flag takes in their place.
func revisionWords(a *app, besides ...word) cobra.CompletionFunc {
	return offering(noFiles, func(ctx context.Context, _ typing) []word {
		words := append(slices.Clone(besides), word{"HEAD", "the commit that is checked out"})
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

// stateDirectoryWords completes where runs are kept, as paths from the current directory.
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

// remedyWords completes ids of remedies and recoveries: it checks what the call would.
func remedyWords(a *app, l *examineFlags) cobra.CompletionFunc {
	return offering(noFiles, func(ctx context.Context, t typing) (words []word) {
		q, err := l.request(ctx, a, t.args)
		if err != nil {
			return nil
		}
		q.ReadOnly, q.NoResume = true, true
		r, err := check.Check(ctx, q.Options)
		if err != nil {
			return nil
		}
		offers, rules := r.Offers(), map[string]bool{}
		for _, offer := range offers {
			rule := offer.Rule()
			if n := len(result.OfRule(offers, rule)); n > 1 && !rules[rule] {
				words, rules[rule] = append(words, word{rule, fmt.Sprintf("one remedy for each of %d findings", n)}), true
			}
			if offer.Safety != wire.Manual { // --apply only prints its steps
				words = append(words, word{offer.ID,
					offer.Safety.String() + ": " + offer.Title + " (" + offer.Instance.Root + ")"})
			}
		}
		return words
	})
}

// reportWords completes the format of a report, and leaves its file to the shell.
func reportWords(_ *cobra.Command, _ []string, word string) (list []cobra.Completion, _ cobra.ShellCompDirective) {
	if strings.Contains(word, "=") {
		return nil, filesToo
	}
	for _, f := range checkFormats {
		list = append(list, f.Name+"=")
	}
	return list, noFiles | cobra.ShellCompDirectiveNoSpace
}

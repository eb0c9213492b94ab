package main

import (
	"context"
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
)

// completionTime is how long a user who presses TAB waits at most.
const completionTime = 2 * time.Second

// maxRefs bounds the branches and tags that are offered.
const maxRefs = 2000

const (
	filesToo = cobra.ShellCompDirectiveDefault // the shell offers files where no word fits
	noFiles  = cobra.ShellCompDirectiveNoFileComp
)

// A typing is what stands on the command line when TAB is pressed.
type typing struct {
	c    *cobra.Command // its flags are parsed
	args []string       // before the word
	word string         // as far as it is typed
}

func isCompletion(args []string) bool {
	return len(args) > 1 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// prepareCompletion says how the flags of a call are completed, takes the marks for --help out of their descriptions,
// and silences stderr. A flag that has the same name in several subcommands takes the same.
func (a *app) prepareCompletion(root *cobra.Command, args []string) {
	root.SetErr(io.Discard)
	target := "the branch that CI says the change is going to be merged into"
	auto := "where CI or git says the change begins"
	values := map[string]cobra.CompletionFunc{
		"baseline": files("json"), "write-baseline": files("json"), "list": files("json"),
		"config": files("yaml", "yml"), "output": files("wasm"),
		"dir": directories, "system": directories, "system-cache": directories, "examples": directories,
		"sdk": directories, "report": completeReport,
		"plugin": a.workflows(filesToo), "require": a.workflows(noFiles), "workflow": a.workflows(noFiles),
		"rule": a.rules("/"), "select": a.rules("/"), "rev": a.revisions(), "merge": a.revisions(),
		"policy-from": a.revisions([2]string{baseAuto, target}),
		"base":        a.revisions([2]string{baseAuto, auto}, [2]string{baseNone, "nothing"}),
	}
	c, _, err := root.Find(args[1 : len(args)-1])
	if err != nil {
		return
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		f.Usage = strings.ReplaceAll(f.Usage, "`", "")
		complete := values[f.Name]
		// The words that its description ends with.
		if slices.Contains([]string{"fail-on", "show", "state", "hook", "ci", "agent"}, f.Name) {
			text, _, _ := strings.Cut(f.Usage, " (")
			complete = cobra.FixedCompletions(strings.Split(text[strings.LastIndex(text, ": ")+2:], ", "), noFiles)
		}
		if complete != nil {
			_ = c.RegisterFlagCompletionFunc(f.Name, complete)
		}
	})
}

// offering makes a completion of words, each with a description that may be empty. It is silent about errors, and
// leaves out what a shell would not take literally: names may come from a stranger's repository.
func offering(directive cobra.ShellCompDirective, words func(context.Context,
	typing) [][2]string) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, word string) (list []cobra.Completion, _ cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(c.Context(), completionTime)
		defer cancel()
		seen := map[string]bool{}
		for _, w := range words(ctx, typing{c, args, word}) {
			if strings.HasPrefix(w[0], word) && literal(w[0]) && !seen[w[0]] {
				seen[w[0]] = true
				list = append(list, cobra.CompletionWithDesc(w[0], print.Safe(w[1])))
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

func files(endings ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(endings, cobra.ShellCompDirectiveFilterFileExt)
}

var directories = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)

func (a *app) workflows(directive cobra.ShellCompDirective) cobra.CompletionFunc {
	return offering(directive, func(_ context.Context, t typing) (words [][2]string) {
		for _, p := range a.pluginsHere(t.c) {
			words = append(words, [2]string{p.Name, headline(p.Manifest.Doc)})
		}
		return words
	})
}

// pluginsHere are those that the call would use, or else the built-in ones.
func (a *app) pluginsHere(c *cobra.Command) []*plugin.Plugin {
	p, err := a.shownPlugins(c, nil, func([]*plugin.Plugin) bool { return true })
	if err != nil {
		return nil
	}
	return p.list
}

func headline(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// rules completes workflows, followed by behind; the rules of a workflow as soon as its slash is typed, and rules
// without their workflow as soon as a letter is typed: all would fill screens.
func (a *app) rules(behind string) cobra.CompletionFunc {
	directive := noFiles
	if behind != "" {
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	return offering(directive, func(_ context.Context, t typing) (words [][2]string) {
		for _, p := range a.pluginsHere(t.c) {
			words = append(words, [2]string{p.Name + behind, headline(p.Manifest.Doc)})
			prefix := ""
			if strings.Contains(t.word, "/") {
				prefix = p.Name + "/"
			}
			for _, r := range slices.Concat(p.Manifest.Rules, result.Rules()) {
				if t.word != "" {
					words = append(words, [2]string{prefix + r.Name, headline(r.Doc)})
				}
			}
		}
		return words
	})
}

// revisions completes commits by name, besides words that a flag takes in their place.
func (a *app) revisions(besides ...[2]string) cobra.CompletionFunc {
	return offering(noFiles, func(ctx context.Context, _ typing) [][2]string {
		words := append(slices.Clone(besides), [2]string{"HEAD", "the commit that is checked out"})
		repo := a.repository(a.env.dir)
		if repo == nil {
			return nil
		}
		refs, err := repo.Refs(ctx, maxRefs)
		if err != nil {
			return nil
		}
		for _, r := range refs {
			words = append(words, [2]string{r.Name, r.Kind})
		}
		return words
	})
}

// roots completes where runs are kept, as paths from the current directory.
func (a *app) roots(l *lookFlags) cobra.CompletionFunc {
	return offering(filesToo, func(ctx context.Context, t typing) (words [][2]string) {
		o, _, err := a.options(t.c, l, nil)
		if err != nil {
			return nil
		}
		o.ReadOnly = true
		anchor, roots, _ := check.Roots(ctx, o)
		for _, r := range roots {
			words = append(words, [2]string{a.shell(anchor).Path(r.Root), r.Plugin})
		}
		return words
	})
}

// offers completes ids of remedies and recoveries: it checks what the call would.
func (a *app) offers(l *lookFlags) cobra.CompletionFunc {
	return offering(noFiles, func(ctx context.Context, t typing) (words [][2]string) {
		o, _, err := a.options(t.c, l, t.args)
		if err != nil {
			return nil
		}
		o.ReadOnly, o.NoResume = true, true
		r, err := check.Check(ctx, o)
		if err != nil {
			return nil
		}
		for _, offer := range r.Offers() {
			words = append(words, [2]string{offer.ID,
				offer.Safety.String() + ": " + offer.Title + " (" + offer.Instance.Root + ")"})
		}
		return words
	})
}

func completeReport(_ *cobra.Command, _ []string, word string) (list []cobra.Completion, _ cobra.ShellCompDirective) {
	if strings.Contains(word, "=") {
		return nil, filesToo
	}
	for _, f := range checkFormats {
		list = append(list, f.Name+"=")
	}
	return list, noFiles | cobra.ShellCompDirectiveNoSpace
}

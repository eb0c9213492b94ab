package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/stategate/stategate/host/print"
)

// helpWidth is how many columns a page of help takes.
const helpWidth = 80

// examples are the calls that help shows, by subcommand.
var examples = map[string]string{
	"accept":                "stategate accept .ocr/sessions/x/state.json:7 --reason 'kept as it was'\nstategate accept f0ea --reason 'see issue 12' --until 2026-12-31",
	"cache warm":            "stategate cache warm\nstategate cache warm ocr",
	"check":                 "stategate check\nstategate check --base main .ocr\nstategate check --staged              # what a hook runs\nstategate check --format sarif --report text=/dev/stderr",
	"completion bash":       "source <(stategate completion bash)",
	"completion fish":       "stategate completion fish | source",
	"completion powershell": "stategate completion powershell | Out-String | Invoke-Expression",
	"completion zsh":        "source <(stategate completion zsh)",
	"explain":               "stategate explain\nstategate explain ocr\nstategate explain ocr/round-beyond-files\nstategate explain --format mermaid ocr",
	"help":                  "stategate help check",
	"init":                  "stategate init --dry-run\nstategate init --hook pre-commit --ci github",
	"plugin add":            "stategate plugin add ./my-workflow.wasm\nstategate plugin add oci://ghcr.io/team/my-workflow:1.0.0",
	"plugin build":          "stategate plugin build ./cmd/my-workflow",
	"plugin inspect":        "stategate plugin inspect ocr\nstategate plugin inspect ./my-workflow.wasm --format json",
	"plugin list":           "stategate plugin list",
	"plugin new":            "stategate plugin new my-workflow",
	"plugin pack":           "stategate plugin pack my-workflow.wasm",
	"plugin push":           "stategate plugin push my-workflow.wasm oci://ghcr.io/team/my-workflow:1.0.0",
	"plugin sync":           "stategate plugin sync",
	"plugin test":           "stategate plugin test my-workflow.wasm testdata",
	"plugin update":         "stategate plugin update --dry-run",
	"recover":               "stategate recover\nstategate recover --apply f0ea --dry-run\nstategate recover --apply f0ea\nstategate recover --undo",
	"resume":                "stategate resume\nstategate resume --format markdown .ocr/sessions/x",
	"schema":                "stategate schema config > stategate.schema.json",
	"status":                "stategate status\nstategate status .ocr/sessions/x      # one run, whole\nstategate status --all --workflow ocr\nstategate status --stale 30",
	"version":               "stategate version",
}

// A flagGroup is a part of a long list of flags.
type flagGroup struct {
	title string
	names []string
}

var flagGroups = []flagGroup{
	{"What is checked", []string{"staged", "rev", "base", "changed", "plugin", "now", "require"}},
	{"Which findings count", []string{"select", "fail-on", "baseline", "write-baseline", "config", "policy-from"}},
	{"What is shown", []string{"format", "show", "quiet", "statistics", "report", "all", "workflow", "state", "stale", "facts", "watch", "run"}},
	{"What is changed", []string{"fix", "apply", "dry-run", "undo"}},
}

// manyFlags is how many flags are divided into groups.
const manyFlags = 8

func helpFor(w io.Writer, c *cobra.Command) error {
	var b strings.Builder
	for paragraph := range strings.SplitSeq(strings.TrimSpace(cmp.Or(c.Long, c.Short)), "\n\n") {
		writeParagraph(&b, paragraph)
	}
	b.WriteString("Usage:\n")
	writeWrapped(&b, "  "+c.CommandPath()+" ", strings.TrimPrefix(c.UseLine(), c.CommandPath()))
	if text := examples[strings.TrimPrefix(c.CommandPath(), programName+" ")]; text != "" {
		b.WriteString("\nExamples:\n  " + strings.ReplaceAll(text, "\n", "\n  ") + "\n")
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\nSubcommands:\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				writeWrapped(&b, fmt.Sprintf("  %-12s", sub.Name()), sub.Short)
			}
		}
	}
	writeFlags(&b, c)
	if c.HasAvailableSubCommands() {
		b.WriteString("\n`" + c.CommandPath() + " SUBCOMMAND --help` says more about one.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeParagraph fills the lines of a paragraph; one that is indented stays as it is.
func writeParagraph(b *strings.Builder, text string) {
	if !strings.Contains(text, "\n ") && !strings.HasPrefix(text, " ") && !strings.HasPrefix(text, "\t") && !strings.HasPrefix(text, "#") {
		text = strings.Join(print.Wrap(strings.Join(strings.Fields(text), " "), helpWidth), "\n")
	}
	b.WriteString(strings.TrimRight(strings.ReplaceAll(text, "\t", " "), "\n") + "\n\n")
}

// writeWrapped fills lines behind a beginning, and behind as many blanks in the lines that follow.
func writeWrapped(b *strings.Builder, begin, text string) {
	lines := print.Wrap(strings.TrimSpace(text), helpWidth-len(begin))
	b.WriteString(strings.TrimRight(begin+strings.Join(lines, "\n"+strings.Repeat(" ", len(begin))), " ") + "\n")
}

func writeFlags(b *strings.Builder, c *cobra.Command) {
	var rest []*pflag.Flag // by name
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			rest = append(rest, f)
		}
	})
	title := "Flags"
	if len(rest) > manyFlags {
		title = "Other flags"
		for _, g := range flagGroups {
			var list []*pflag.Flag
			for _, name := range g.names {
				if i := slices.IndexFunc(rest, func(f *pflag.Flag) bool { return f.Name == name }); i >= 0 {
					list, rest = append(list, rest[i]), slices.Delete(rest, i, i+1)
				}
			}
			writeGroup(b, g.title, list)
		}
	}
	writeGroup(b, title, rest)
}

// flagColumn is where the description of a flag begins.
const flagColumn = 28

func writeGroup(b *strings.Builder, title string, list []*pflag.Flag) {
	if len(list) == 0 {
		return
	}
	b.WriteString("\n" + title + ":\n")
	for _, f := range list {
		value, usage := pflag.UnquoteUsage(f)
		name := "      --" + f.Name
		if f.Shorthand != "" {
			name = "  -" + f.Shorthand + ", --" + f.Name
		}
		if f.NoOptDefVal != "" && value != "" {
			name += "[=" + value + "]"
		} else if value != "" {
			name += " " + value
		}
		if f.Value.Type() == "string" && f.DefValue != "" {
			usage += " (default " + f.DefValue + ")"
		}
		if len(name) > flagColumn-2 {
			b.WriteString(name + "\n")
			name = ""
		}
		writeWrapped(b, fmt.Sprintf("%-*s", flagColumn, name), usage)
	}
}

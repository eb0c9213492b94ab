package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/wire"
)

// TestAuthorsReference: the limits and laws that the pages for authors refer to are those of the program.
func TestAuthorsReference(t *testing.T) {
	isFresh(t, filepath.Join(docs, "authors", "reference.md"), authorsReference())
}

func authorsReference() string {
	var b strings.Builder
	b.WriteString(writtenByMake + "# Limits and laws\n\n## Limits\n\nWhat is over a limit is not checked, with the " +
		"reason, and exit code 3. A configuration can lower the limits of time and memory.\n\n" +
		"| what | at most |\n|---|---|\n")
	lim := limits.Default()
	size := func(n int64) string {
		if n < 1<<20 {
			return fmt.Sprintf("%d KiB", n>>10)
		}
		return fmt.Sprintf("%d MiB", n>>20)
	}
	number := func(n int) string {
		if n < 1000 {
			return fmt.Sprint(n)
		}
		return fmt.Sprintf("%d,%03d", n/1000, n%1000)
	}
	row := func(what, most string) { fmt.Fprintf(&b, "| %s | %s |\n", what, most) }
	row("time to examine one state directory, remedies included", lim.Instance.Round(time.Second).String())
	row("time to load a plugin the first time", lim.Compile.Round(time.Second).String())
	row("memory of the plugin", size(lim.Guest))
	row("a document whose text is read; a larger one comes as a summary", size(lim.Document))
	row("all such documents of one state directory", size(lim.Content))
	row("findings of one rule in a state directory; with more the rule fails", number(check.MaxFindings))
	row("findings of one plugin in a state directory", number(lim.Diagnostics))
	row("a message", size(int64(lim.Message)))
	row("the next action of a brief", number(wire.MaxNext)+" characters")
	row("paths that a plugin asks for", number(wire.MaxAsk))
	row("what is kept of a plugin's output: the beginning and the end", size(int64(lim.Stderr)))
	row("the .wasm file", size(lim.Plugin))
	row("rules, documents", fmt.Sprintf("%d each", wire.MaxRules))
	b.WriteString("\n## Laws\n\nThey hold in every fixture, and in what damage makes of it. " +
		"[Their source](../../../sdk/fixture/law.go) says what each demands.\n\n")
	for _, law := range fixture.Laws() {
		fmt.Fprintf(&b, "* %s\n", law.Name)
	}
	return b.String()
}

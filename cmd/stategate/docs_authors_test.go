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

// TestAuthorsReference: the limits and laws on the pages for plugin authors match the program.
func TestAuthorsReference(t *testing.T) {
	isFresh(t, filepath.Join(docs, "authors", "reference.md"), authorsReference())
}

func authorsReference() string {
	var b strings.Builder
	b.WriteString(writtenByMake +
		"# Limits and laws\n\n## Limits\n\nstategate does not check anything that exceeds a limit: " +
		"it reports why and exits with 3. A configuration can lower the time and memory limits.\n\n" +
		"| what | limit |\n|---|---|\n")
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
	row("time to check one state directory, including remedies", lim.Instance.Round(time.Second).String())
	row("time to load a plugin the first time", fmt.Sprintf("%.0fs", lim.Compile.Seconds()))
	row("memory of the plugin", size(lim.Guest))
	row("a document with its text; the plugin gets a summary of a larger one", size(lim.Document))
	row("all such documents in one state directory", size(lim.Content))
	row("findings of one rule in a state directory; beyond that, the rule fails", number(check.MaxFindings))
	row("findings of one plugin in a state directory", number(lim.Diagnostics))
	row("a message", size(int64(lim.Message)))
	row("the next action in a brief", number(wire.MaxNext)+" characters")
	row("paths that a plugin asks for", number(wire.MaxAsk))
	row("a plugin's output; stategate keeps the beginning and the end", size(int64(lim.Stderr)))
	row("the .wasm file", size(lim.Plugin))
	row("rules, documents", fmt.Sprintf("%d each", wire.MaxRules))
	b.WriteString("\n## Laws\n\nEvery fixture must obey these laws, even after damage to its documents. " +
		"[Their source](../../../sdk/fixture/law.go) explains each one.\n\n")
	for _, law := range fixture.Laws() {
		fmt.Fprintf(&b, "* %s\n", law.Name)
	}
	return b.String()
}

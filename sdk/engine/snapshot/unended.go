package snapshot

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/wire"
)

// In Markdown, an unclosed fence or HTML block hides everything after it. That is valid Markdown, and no rule reads
// the hidden text, but people and line-based tools do. So the host reports it.

// unended returns notes about documents whose rest is hidden. It omits a document if the plugin reports
// something on the line where the hidden part begins.
func unended(request *wire.Request, found []finding.Finding) (list []finding.Finding) {
	for i := range request.Documents {
		d := &request.Documents[i]
		if d.Format != wire.Markdown || d.Need != wire.Content || len(d.Faults) > 0 {
			continue
		}
		line, what := hiddenRest(d.Text)
		if what == "" || what == inOpenFence && !openFence(d) {
			continue
		}
		reported := func(f finding.Finding) bool { return f.Place.Path == d.Path && f.Place.Line == line }
		if slices.ContainsFunc(found, reported) {
			continue
		}
		list = append(list, finding.Finding{Host: true,
			Place: finding.Place{Path: d.Path, Line: line, Column: 1, EndLine: line, EndColumn: 1},
			Diagnostic: wire.Diagnostic{Rule: wire.RuleUnreadable, Severity: wire.Info, Key: "unended",
				Range:   wire.Range{Path: d.Path, Line: line},
				Message: "the rest of the document is " + what}})
	}
	return list
}

// The reasons why the rest of a document is hidden.
const (
	inOpenFence = "in a fence that is not closed, so nothing in it is read; close it"
	inOpenHTML  = "in an HTML block that is not closed, so nothing in it is read; close it"
	inCode      = "indented by four blanks, which makes it code, so nothing in it is read; remove them"
)

// hiddenRest returns the line from which a document is hidden, and the reason, or "" if nothing is hidden. It
// treats fences in lists like fences outside of lists.
func hiddenRest(text string) (line int, what string) {
	fence, html := "", ast.HTMLBlockType(0)
	number, start, after, code := 0, 0, false, true
	for l := range strings.Lines(text) {
		number++
		trimmed := strings.TrimSpace(l)
		if trimmed == "" {
			continue
		}
		code = code && (strings.HasPrefix(l, "    ") || strings.HasPrefix(l, "\t"))
		after = true
		switch was := fence; {
		case html != 0:
			if htmlEnds(html, []byte(l)) {
				html = 0
			}
			continue
		case was != "" || inFence("", l) != "":
			if fence = inFence(was, l); was == "" {
				start, after = number, false
			}
			continue
		case len(l)-len(strings.TrimLeft(l, " ")) > 3:
			continue
		}
		kind := htmlType([]byte(trimmed))
		if kind != 0 && kind < ast.HTMLBlockType6 && !htmlEnds(kind, []byte(l)) {
			html, start, after = kind, number, false
		}
	}
	switch {
	case !after:
		return 0, ""
	case html != 0:
		return start, inOpenHTML
	case fence != "":
		return start, inOpenFence
	case code && strings.Count(text, "\n") > 2:
		return 1, inCode
	}
	return 0, ""
}

// openFence reports whether an unclosed fence extends to the end of a document.
func openFence(d *wire.Document) bool {
	o, err := markdown.Decode(d.Text, d.Outline)
	if err != nil {
		return false
	}
	end := len(strings.TrimRight(d.Text, " \t\r\n"))
	for _, n := range o.Nodes {
		if n.Kind == markdown.KindFence && n.Data == 1 && n.End >= end {
			return true
		}
	}
	return false
}

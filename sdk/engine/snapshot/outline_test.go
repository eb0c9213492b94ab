package snapshot

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/stategate/stategate/sdk/markdown"
)

var kindNames = map[markdown.Kind]string{
	markdown.KindHeading: "heading", markdown.KindTable: "table", markdown.KindHeader: "header",
	markdown.KindRow:  "row",
	markdown.KindCell: "cell", markdown.KindParagraph: "paragraph", markdown.KindItem: "item",
	markdown.KindTask:  "task",
	markdown.KindQuote: "quote", markdown.KindFence: "fence", markdown.KindInfo: "info", markdown.KindCode: "code",
	markdown.KindField: "field", markdown.KindKey: "key", markdown.KindValue: "value",
	markdown.KindFrontMatter: "front matter", markdown.KindOpenComment: "open comment",
	markdown.KindBox: "box", markdown.KindLink: "link", markdown.KindTarget: "target", markdown.KindList: "list",
}

// dump formats an outline for people: line, kind, data and raw text of each node. Rows and fields have their cells
// on one line.
func dump(o *markdown.Outline) string {
	var b strings.Builder
	depth := make([]int, len(o.Nodes))
	for i, n := range o.Nodes {
		if n.Parent >= 0 {
			depth[i] = depth[n.Parent] + 1
		}
		raw := o.Text[n.Start:n.End]
		switch n.Kind {
		case markdown.KindCell:
			fmt.Fprintf(&b, " [%s]", raw)
			continue
		case markdown.KindKey, markdown.KindValue:
			fmt.Fprintf(&b, " %q", raw)
			continue
		case markdown.KindTable, markdown.KindItem, markdown.KindQuote, markdown.KindFence, markdown.KindField,
			markdown.KindFrontMatter, markdown.KindRow, markdown.KindHeader, markdown.KindList:
			raw = ""
		}
		fmt.Fprintf(&b, "\n%d %s%s", n.Line, strings.Repeat("  ", depth[i]), kindNames[n.Kind])
		if n.Data != 0 {
			fmt.Fprintf(&b, " %d", n.Data)
		}
		if raw != "" {
			fmt.Fprintf(&b, " %q", raw)
		}
	}
	return strings.TrimPrefix(b.String(), "\n") + "\n"
}

// TestOutline reads testdata/outline.txtar: each case is a document, followed by its expected outline. A case whose
// name ends in crlf is read with CRLF.
func TestOutline(t *testing.T) {
	data, err := os.ReadFile("testdata/outline.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := txtar.Parse(data).Files
	for i := 0; i+1 < len(files); i += 2 {
		name := strings.TrimSuffix(files[i].Name, ".md")
		if files[i+1].Name != name+".outline" {
			t.Fatalf("%s is followed by %s", files[i].Name, files[i+1].Name)
		}
		t.Run(name, func(t *testing.T) {
			text := strings.ReplaceAll(string(files[i].Data), "→", "\t")
			if strings.HasSuffix(name, "crlf") {
				text = strings.ReplaceAll(text, "\n", "\r\n")
			}
			o, err := Outline(text)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := dump(o), string(files[i+1].Data); got != want {
				t.Errorf("outline of\n%s\ngot:\n%s\nwant:\n%s", text, got, want)
			}
		})
	}
}

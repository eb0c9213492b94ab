//go:build !wasip1

package markdown_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/markdown"
)

func apply(text string, e markdown.Edit) string { return text[:e.Start] + e.New + text[e.End:] }

func lineOf(text string, line int) string { return strings.Split(text, "\n")[line-1] }

func TestSetCell(t *testing.T) {
	for _, c := range []struct {
		name, header, row string
		column            int
		content, want     string
	}{
		{"shorter, padded", "| Name    | B |", "| Pending | x |", 0, "Done", "| Done    | x |"},
		{"longer", "| N | B |", "| a | x |", 0, "Done", "| Done | x |"},
		{"compact", "|a|b|", "|1|2|", 1, "three", "|1|three|"},
		{"not aligned", "| Status | b |", "| In progress | 2 |", 0, "Done", "| Done | 2 |"},
		{"fills a blank", "| a     | b |", "|       | 2 |", 0, "x", "| x     | 2 |"},
		{"fills nothing", "| a | b |", "|| 2 |", 0, "x", "|x| 2 |"},
		{"at the right", "|    a | b |", "|   42 | 2 |", 0, "7", "|    7 | 2 |"},
		{"blanked", "| abc | b |", "| abc | 2 |", 0, "", "|     | 2 |"},
		{"pipe", "| a | b |", "| 1 | 2 |", 1, "x|y", `| 1 | x\|y |`},
		{"line break", "| a | b |", "| 1 | 2 |", 1, "x\r\ny ", "| 1 | x y |"},
		{"backslash at the end", "|a|b|", "|1|2|", 0, `x\`, `|x\ |2|`},
		{"comment kept", "| a | b |", "| 1 <!-- | --> | 2 |", 0, "x", "| x <!-- | --> | 2 |"},
		{"no comment begins", "| a | b |", "| 1 | 2 |", 0, "<!-- x", `| \<!-- x | 2 |`},
		{"missing cell", "| a | b | c |", "| 1 |", 2, "x", "| 1 |  | x |"},
		{"missing cell, no pipes", "a | b | c", "1", 1, "x", "| 1 | x |"},
		{"without outer pipes", "a | b", "1 | 2", 0, "- x", "| - x | 2"},
		{"last without outer pipe", "a | b", "1 | 2", 1, "", "1 |  |"},
		{"width in characters", "| Näme | b |", "| äöüß | 2 |", 0, "é", "| é    | 2 |"},
	} {
		delimiter := strings.Repeat("|-", strings.Count(c.header, "|")-1) + "|"
		if !strings.HasPrefix(c.header, "|") {
			delimiter = strings.Repeat("-|", strings.Count(c.header, "|")) + "-"
		}
		text := c.header + "\n" + delimiter + "\n" + c.row + "\n"
		edit, ok := outline(text).Tables()[0].Rows()[0].Set(c.column, c.content)
		if got := lineOf(apply(text, edit), 3); !ok || got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if _, ok := outline("|a|\n|-|\n|1|\n").Tables()[0].Rows()[0].Set(1, "x"); ok {
		t.Error("set a cell beyond the columns")
	}
}

func TestSetField(t *testing.T) {
	for _, c := range []struct{ text, key, value, want string }{
		{"**A**: x  \n**B**: y\n", "A", "new", "**A**: new  \n**B**: y\n"},
		{"**A**:\n", "A", "new", "**A**: new\n"},
		{"**状态**：完成\n", "状态", "new", "**状态**：new\n"},
		{"**状态：**\n", "状态", "new", "**状态：** new\n"},
		{"**A:** <!-- c -->\n", "A", "new", "**A:** new <!-- c -->\n"},
		{"**A**: x | **B**: y\r\n", "A", "n | **m", "**A**: n \\| **m | **B**: y\r\n"},
		{"- **A**: x\n", "A", "a\nb", "- **A**: a b\n"},
		{"| Key | Value |\n|---|---|\n| A | x     |\n", "A", "y|", "| Key | Value |\n|---|---|\n| A | y\\|   |\n"},
	} {
		edit, ok := outline(c.text).Field(c.key).Set(c.value)
		if got := apply(c.text, edit); !ok || got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestSetFrontMatter(t *testing.T) {
	for _, c := range []struct{ line, value, want string }{
		{"a: 1 # note", "2", "a: 2 # note"}, {"a: 1", "x: y", `a: "x: y"`}, {"a:", "x", "a: x"}, {"a: ", "x", "a: x"},
		{`a: "1"`, `say "x"`, `a: "say \"x\""`}, {"a: '1'", "it's", "a: 'it''s'"}, {"a: 1", "- x", `a: "- x"`},
	} {
		text := "---\n" + c.line + "\n---\n"
		edit, ok := outline(text).FrontMatterField("a").Set(c.value)
		after := apply(text, edit)
		if got := lineOf(after, 2); !ok || got != c.want {
			t.Errorf("%q: %q, want %q", c.line, got, c.want)
		}
		if got := outline(after).FrontMatterField("a").Text(); got != c.value {
			t.Errorf("%q: reads back %q, want %q", c.line, got, c.value)
		}
	}
}

func TestRemoveCheck(t *testing.T) {
	text := "- x\n  | Name  | B |\n  |-------|---|\n  | a     | 1 |\n\n- [ ] do\n"
	o := outline(text)
	edit, ok := o.Tables()[0].Rows()[0].Remove()
	if got := apply(text, edit); !ok || strings.Contains(got, "| a ") || !strings.Contains(got, "|---|\n\n- [ ]") {
		t.Errorf("removed: %q", got)
	}
	edit, ok = o.Tasks()[0].Check()
	if got := apply(text, edit); !ok || !outline(got).Tasks()[0].Checked() {
		t.Errorf("checked: %q", got)
	}
}

// FuzzSetCell checks that a cell is read back as it was set, and that every other cell, heading and field stays the
// same.
func FuzzSetCell(f *testing.F) {
	for _, text := range []string{"|a|b|\n|-|-|\n|1|2|\n|1|\n", "a | b\n--|--\n1 | 2\n\n> | ä |\n> |---|\n> | x   |\n",
		"- | a  |\n  |----|\n  | \\| |\n"} {
		f.Add(text, uint(3), "x|y")
		f.Add(text, uint(1), "")
		f.Add(text, uint(2), "- ä\\")
	}
	f.Add("0|0\n-|-\n|", uint(51), "x")
	f.Add("0|0\n-|-\n*", uint(51), "0")
	f.Fuzz(func(t *testing.T, text string, pick uint, content string) {
		if strings.ContainsAny(text+content, "<`") || !utf8.ValidString(content) {
			return // code spans and comments can extend over several cells
		}
		o, err := snapshot.Outline(text)
		if err != nil {
			return
		}
		cells := o.Document().Parts(markdown.KindRow)
		if len(cells) == 0 {
			return
		}
		row := markdown.Row{Part: cells[pick%uint(len(cells))]}
		column := int(pick/7) % max(row.Len(), row.Table().Node().Data)
		edit, ok := row.Set(column, content)
		if !ok {
			t.Fatalf("%q: column %d refused", text, column)
		}
		changed := apply(text, edit)
		after, err := snapshot.Outline(changed)
		if err != nil {
			return
		}
		want := strings.Trim(strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ").Replace(content), " \t\r\n")
		got := after.Document().Parts(markdown.KindRow)
		if len(got) != len(cells) {
			t.Fatalf("%q -> %q: %d rows, had %d", text, changed, len(got), len(cells))
		}
		for i := range got {
			compare(t, changed, markdown.Row{Part: cells[i]}, markdown.Row{Part: got[i]}, row.Index(), column, want)
		}
	})
}

func compare(t *testing.T, changed string, before, after markdown.Row, row, column int, want string) {
	for c := range max(before.Len(), after.Len()) {
		old := unpipe(before.Cell(c))
		if before.Index() == row && c == column {
			old = want
		}
		if got := unpipe(after.Cell(c)); got != old {
			t.Fatalf("%q: column %d holds %q, want %q", changed, c, got, old)
		}
	}
}

func unpipe(c markdown.Cell) string { return strings.ReplaceAll(c.Raw(), `\|`, "|") }

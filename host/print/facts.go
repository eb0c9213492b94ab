package print

import (
	"strings"

	"github.com/stategate/stategate/sdk/wire"
)

// lineWidth is where a line of short facts ends.
const lineWidth = 100

// facts writes what a plugin has to say of a run, in its order: short facts side
// by side, tables below their titles. Empty ones are left out.
func (p *printer) facts(list []wire.Fact) {
	const indent = "    "
	line := ""
	flush := func() {
		if line != "" {
			p.line(indent, disarm(line))
		}
		line = ""
	}
	for _, f := range list {
		if f.Value.Kind == wire.TableValue {
			if len(f.Value.Rows) > 0 {
				flush()
				p.line(indent, Safe(factTitle(f)), ":")
				p.rows(indent+"  ", append([][]string{f.Value.Columns}, f.Value.Rows...))
			}
			continue
		}
		text := Safe(f.Value.String())
		if text == "" {
			continue
		}
		text = Safe(factTitle(f)) + ": " + text
		if line != "" && Columns(line)+Columns(text) > lineWidth {
			flush()
		}
		if line != "" {
			line += "; "
		}
		line += text
	}
	flush()
}

func factTitle(f wire.Fact) string {
	if f.Title == "" {
		return f.Name
	}
	return strings.Join(strings.Fields(f.Title), " ")
}

package openspec

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// numbered lists the tasks whose numbers OpenSpec reads: those under a heading such as "## 2. Page".
func (c *change) numbered() (list []*task) {
	var heads []markdown.Heading
	if c.list != nil && !c.unread() && !c.torn {
		heads = c.list.Outline().Headings()
	}
	group := false
	for _, t := range c.tasks {
		for len(heads) > 0 && heads[0].Start() < t.Start {
			if heads[0].Level() == 2 {
				n, rest := words.Leading(heads[0].Text())
				group = n >= 0 && (rest == "." || strings.HasPrefix(rest, ". "))
			}
			heads = heads[1:]
		}
		rest, ok := strings.CutPrefix(t.Text, t.ID)
		if group && t.ID != "" && t.ID[0] < 'A' && ok && (rest == "" || rest[0] == ' ') {
			list = append(list, t)
		}
	}
	return list
}

func idRepeated(r *check.Report, m *model) {
	for _, c := range m.active {
		first := map[string]*task{}
		for _, t := range c.numbered() {
			was := first[t.ID]
			if was == nil {
				first[t.ID] = t
				continue
			}
			f := r.AtLine(c.list.Path, t.Line, "task "+t.ID+" appears twice: "+say.Quote(was.Title)+" (line "+
				say.Int(was.Line)+") and "+say.Quote(t.Title)).Of(c.run()).Keyed(t.Text).
				See(sdk.AtLine(c.list.Path, was.Line), "the first task")
			if was.Ticked && t.Ticked {
				f.As(sdk.Info)
			}
		}
	}
}

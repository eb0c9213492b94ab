package openspec

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// A numbered task is one whose number OpenSpec reads: a task under a heading such as "## 2. Page".
type numbered struct {
	*task
	group string // the heading's number
}

// numberedTasks lists the tasks whose numbers OpenSpec reads.
func (c *change) numberedTasks() (list []numbered) {
	var heads []markdown.Heading
	if c.list != nil && !c.unread() && !c.torn {
		heads = c.list.Outline().Headings()
	}
	group := ""
	for _, t := range c.tasks {
		for len(heads) > 0 && heads[0].Start() < t.Start {
			if heads[0].Level() == 2 {
				group = groupOf(heads[0].Text())
			}
			heads = heads[1:]
		}
		if rest, ok := strings.CutPrefix(t.Text, t.ID); group != "" && t.ID != "" && ok &&
			(rest == "" || rest[0] == ' ') {
			list = append(list, numbered{t, group})
		}
	}
	return list
}

// groupOf returns the number in a heading such as "2. Page", or "" if there is none.
func groupOf(title string) string {
	n, rest := words.Leading(title)
	if n < 0 || rest != "." && !strings.HasPrefix(rest, ". ") {
		return ""
	}
	return say.Int(n)
}

func idRepeated(r *check.Report, m *model) {
	for _, c := range m.active {
		first := map[string]*task{}
		for _, t := range c.numberedTasks() {
			was := first[t.ID]
			if was == nil {
				first[t.ID] = t.task
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

// groupRefuted reports tasks whose number belongs to another group than their heading. After a new section they are
// renumbered together, so those with the same two groups share one finding.
func groupRefuted(r *check.Report, m *model) {
	for _, c := range m.active {
		found := map[string]*check.Finding{}
		for _, t := range c.numberedTasks() {
			group, _, _ := strings.Cut(t.ID, ".")
			if group = cmp.Or(strings.TrimLeft(group, "0"), "0"); group == t.group {
				continue
			}
			key := t.group + " " + group
			if f := found[key]; f != nil {
				f.See(sdk.AtLine(c.list.Path, t.Line), "task "+t.ID)
			} else {
				found[key] = r.AtLine(c.list.Path, t.Line, "task "+t.ID+" is in group "+t.group+", but its number "+
					"belongs to group "+group).Of(c.run()).Keyed(key).As(sdk.Info)
			}
			if !t.Ticked {
				found[key].As(sdk.Warning)
			}
		}
	}
}

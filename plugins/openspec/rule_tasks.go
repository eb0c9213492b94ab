package openspec

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words/status"
	"github.com/stategate/stategate/sdk/work"
)

func sectionComplete(r *check.Report, m *model) {
	for _, c := range m.active {
		if c.list == nil || c.unread() || c.torn {
			continue
		}
		heads := c.list.Outline().Headings()
		for _, h := range heads {
			if h.Level() < 2 || !status.Title(h.Text(), h.Raw()) {
				continue
			}
			s := h.Section()
			var open []string
			total := 0
			for _, t := range c.tasks {
				if t.Start < s.Start() || t.Start >= s.End() {
					continue
				}
				if total++; !t.Ticked && !status.GivenUp(t.Title) {
					open = append(open, say.Quote(t.Text))
				}
			}
			if len(open) > 0 && !(len(open) == total && decorated(h, heads)) {
				r.AtLine(c.list.Path, h.Line(), say.Quote(h.Text())+" is marked complete, but "+
					work.SayTicked(total-len(open), total, "task")+"; open: "+say.List(open)).
					Of(c.run()).Keyed(fold(say.Clip(h.Text())))
			}
		}
	}
}

// progressIcons are icons that show how far a section is.
const progressIcons = "✅✔☑⏳⌛🚧🔄🔁⏸⏭⏰🕒❌⚠⬜🔲🔜🔴🟠🟡🟢⚪📋📝"

// decorated reports whether the check mark at the end of a heading may be only decoration: another heading of the same
// level ends with an icon that shows no progress, as in "Integration 🔌" and "Testing ✅".
func decorated(h markdown.Heading, heads []markdown.Heading) bool {
	last := func(h markdown.Heading) rune {
		r, _ := utf8.DecodeLastRuneInString(strings.TrimSuffix(h.Text(), "\ufe0f"))
		return r
	}
	return strings.ContainsRune("✅✔☑", last(h)) && slices.ContainsFunc(heads, func(other markdown.Heading) bool {
		r := last(other)
		return other.Level() == h.Level() && r >= 0x2300 && markdown.Symbol(r) &&
			!strings.ContainsRune(progressIcons, r)
	})
}

// deleted reports tasks, ticked or open, that an open change lost without a trace.
func (m *model) deleted(r *check.Report, was, c *change, wrecks map[*task]tasks.Wreck, state, step string) {
	gone, back := tasks.Pair(was.tasks, c.tasks).Deleted(c.list.Path, was.list.Text, c.list.Text, func(t *task) bool {
		return t.Ticked == (state == "ticked") && wrecks[t].Was == nil && !c.mentions(t) && !m.elsewhere(c, t)
	})
	if state == "open" && len(gone) <= m.splitOff(was, c) {
		return
	}
	if len(gone) > 0 {
		r.Whole(c.list.Path, work.SayGone(len(gone), "task", state)+" without a reason: "+say.List(tasks.Texts(gone))).
			Of(c.run()).Keyed(strings.TrimPrefix(state, "ticked")).As(sdk.Warning).
			Offer(sdk.Review, "Restore the tasks from the base", back...).Advise("Restore the tasks", step)
	}
}

// mentions reports whether an item without a checkbox, which may be struck out, has a task's text.
func (c *change) mentions(t *task) bool {
	return slices.ContainsFunc(c.bare, func(item markdown.Item) bool {
		return strings.HasPrefix(fold(strings.TrimLeft(item.Own().Text(), "[] ")), t.Folded())
	})
}

// elsewhere reports whether a task was moved to another change, which did not have it in the base.
func (m *model) elsewhere(c *change, was *task) bool {
	has := func(c *change) bool {
		return c != nil && slices.ContainsFunc(c.tasks, func(t *task) bool {
			return t.FoldedTitle() == was.FoldedTitle()
		})
	}
	return slices.ContainsFunc(m.active, func(other *change) bool {
		return other != c && has(other) && !has(find(m.base.active, other.dir))
	})
}

// splitOff counts the tasks of new changes that a change's tasks.md newly links to: they may contain its lost tasks in
// other words.
func (m *model) splitOff(was, c *change) (n int) {
	for _, other := range m.active {
		link := "/" + other.name + "/"
		if other != c && strings.Contains(c.list.Text, link) && !strings.Contains(was.list.Text, link) &&
			!slices.ContainsFunc(m.base.active, func(old *change) bool { return m.successor(old) == other }) {
			n += other.total()
		}
	}
	return n
}

// cutShort checks the open changes' documents and the specs.
func cutShort(r *check.Report, m *model) {
	for _, c := range m.active {
		for _, d := range c.docs {
			for _, f := range r.CutShort(d.Path) {
				f.Of(c.run())
			}
		}
	}
	for _, s := range m.specs {
		r.CutShort(s.doc.Path)
	}
}

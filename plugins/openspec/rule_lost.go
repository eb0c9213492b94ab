package openspec

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
)

func requirementLost(r *check.Report, m *model) {
	for _, was := range m.base.specs {
		path, now := was.doc.Path, m.byCap[was.capability]
		if now == was || !was.doc.Readable() || now != nil && !now.doc.Readable() ||
			now == nil && !m.docs.Known(path) {
			continue
		}
		var lost []string
		text, renamed := "", ""
		for _, q := range was.reqs {
			k := q.key()
			if was.byKey[k] != q || now != nil && now.byKey[k] != nil || len(m.named[k]) > 0 ||
				m.taken(nil, was.capability, k) || m.base.taken(nil, was.capability, k) ||
				m.reverted(was.capability, k) {
				continue
			}
			lost = append(lost, say.Quote(q.name))
			is, moved := now.renamed(was, q)
			if is != nil && moved {
				renamed += "; " + say.Quote(is.name) + say.Line(now.doc, is.head.Start()) + " has its scenarios"
			} else {
				if is != nil {
					renamed += "; " + say.Quote(is.name) + say.Line(now.doc, is.head.Start()) + " is new"
				}
				text += "\n" + was.doc.Text[q.head.Start():q.end]
			}
		}
		if len(lost) == 0 {
			continue
		}
		new, where := m.moved(), path+" is missing, and with it "
		if now != nil {
			where = path + " no longer has "
			for _, q := range now.reqs {
				if was.byKey[q.key()] == nil {
					new++
				}
			}
		}
		f := r.Whole(path, where+say.Count(len(lost), "requirement")+" of the base that no delta removes: "+
			say.List(lost)+renamed)
		if renamed != "" {
			f.Advise("Record the renaming", "If a requirement has a new name, list both names under ## RENAMED "+
				"Requirements in a change's delta, or keep the old name.")
		}
		gone := now == nil && !anyDelta(m.active, was.capability, func(*change, *delta) bool { return true })
		if gone {
			f.Advise("Record the removal", "If the capability was removed on purpose, list its requirements under "+
				"## REMOVED Requirements in a change's delta.")
		}
		if now == nil || strings.TrimSpace(now.doc.Text) == "" {
			f.Offer(sdk.Review, "Restore "+path, sdk.Restore(path))
		} else if part := now.section("requirements"); text != "" && part != nil && part.end == len(now.doc.Text) {
			f.Offer(sdk.Review, "Restore the lost requirements",
				sdk.Replace(sdk.AtBytes(path, part.end, part.end), sdk.Literal(text)))
		}
		if !gone && text != "" {
			f.Advise("Restore the requirements, or record their removal", "Restore them, or list them under ## "+
				"REMOVED or ## RENAMED Requirements in a change's delta.")
		}
		if new >= len(lost) || !m.complete || m.hinted(was.capability) {
			f.As(sdk.Warning)
		}
	}
}

// renamed returns the new requirement that a lost one was probably renamed to, or nil if there is none. If the new one
// has most of the scenarios, they moved: restoring the lost requirement would state the same behavior twice. Otherwise
// only the names are similar.
func (s *spec) renamed(was *spec, q *requirement) (alike *requirement, moved bool) {
	if s == nil {
		return nil, false
	}
	for _, is := range s.reqs {
		if was.byKey[is.key()] != nil {
			continue
		}
		if (len(q.scenarios)-len(is.lacks(q)))*2 > len(q.scenarios) {
			return is, true
		}
		if alike == nil && tasks.SameTitle(q.key(), is.key()) {
			alike = is
		}
	}
	return alike, false
}

// moved counts the new requirements in new specs that no delta adds: a capability may have been renamed or split, and
// reworded.
func (m *model) moved() (n int) {
	for _, s := range m.specs {
		if m.base.byCap[s.capability] != nil {
			continue
		}
		for _, q := range s.reqs {
			if len(m.base.named[q.key()]) == 0 && !m.given(nil, s.capability, q.key()) {
				n++
			}
		}
	}
	return n
}

func scenarioLost(r *check.Report, m *model) {
	for _, was := range m.base.specs {
		now := m.byCap[was.capability]
		if now == nil || now == was || !now.doc.Readable() || !was.doc.Readable() {
			continue
		}
		for _, q := range was.reqs {
			there := now.byKey[q.key()]
			if there == nil || was.byKey[q.key()] != q || m.taken(nil, was.capability, q.key()) {
				continue
			}
			added := q.lacks(there)
			lost := slices.DeleteFunc(there.lacks(q), func(s title) bool {
				return m.stays(s) || slices.ContainsFunc(added, func(new title) bool {
					return tasks.SameTitle(fold(s.text), fold(new.text))
				})
			})
			if len(lost) == 0 {
				continue
			}
			text := ""
			for _, s := range lost {
				text += "\n" + strings.TrimSpace(was.doc.Text[s.head.Start():s.head.Section().End()]) + "\n"
			}
			end := there.head.Start() + len(strings.TrimRight(now.doc.Text[there.head.Start():there.end], " \t\r\n"))
			f := r.AtLine(now.doc.Path, there.line, say.Quote(q.name)+" no longer has "+
				say.Count(len(lost), "scenario")+" of the base"+say.Line(was.doc, q.head.Start())+": "+
				say.List(texts(lost))).Keyed(q.key()).
				Offer(sdk.Review, "Restore the lost scenarios",
					sdk.Replace(sdk.AtBytes(now.doc.Path, end, end), sdk.Literal("\n"+strings.TrimSuffix(text, "\n"))))
			if len(added) >= len(lost) {
				f.As(sdk.Info)
			}
		}
	}
}

// stays reports whether some spec still contains most of a base scenario's lines: the scenario was renamed or moved.
func (m *model) stays(s title) bool {
	said := lines(s.head)
	return slices.ContainsFunc(m.specs, func(now *spec) bool {
		kept := 0
		if now.doc.Readable() {
			text := now.doc.Outline().Document().Meaning()
			for _, line := range said {
				if slices.ContainsFunc(text, func(l string) bool { return strings.TrimSpace(l) == line }) {
					kept++
				}
			}
		}
		return kept*2 > len(said)
	})
}

// reverted reports whether the archived change that added a requirement is no longer archived: its commit was reverted.
func (m *model) reverted(capability, key string) bool {
	return anyDelta(m.base.archived, capability, func(c *change, x *delta) bool {
		return x.gives(key) &&
			find(m.archived, c.dir) == nil
	})
}

func documentLost(r *check.Report, m *model) {
	for _, was := range slices.Concat(m.base.active, m.base.archived) {
		c := m.successor(was)
		if c == nil {
			continue
		}
		m.sectionLost(r, was, c)
		for _, d := range was.docs {
			file := d.Path[len(was.dir)+1:]
			path, plan, delta := c.dir+"/"+file, file != "tasks.md", below(was, d, "specs/")
			how := " is missing"
			if is := c.has(file); is != nil && file == "proposal.md" && !c.archived {
				how = check.Emptied(is, d)
			} else if is != nil {
				continue
			}
			if plan && !delta && file != "proposal.md" || how == "" || m.wasArchived(was, file) ||
				!m.docs.Known(path) || slices.ContainsFunc(c.docs, func(is *sdk.Document) bool {
				return delta && same(is, d) // delta-misplaced reports it
			}) {
				continue
			}
			given := delta && c.archived && !m.kept(c, was, d)
			if given && c.skips {
				continue
			}
			text := path + how + "; the base has it"
			if path != d.Path {
				text += " as " + d.Path
			}
			f := r.Whole(path, text).Of(c.run()).Offer(sdk.Review, "Restore "+path, restore(path, d)...)
			if given {
				f.Advise("Restore the delta, or mark it as abandoned", "Restore the delta, and fold it into the spec.",
					"If it was abandoned, set `skip_specs: true` in "+c.dir+"/.openspec.yaml.")
			}
			if !c.archived && (plan || was.done == 0) || plan && !delta || !m.complete ||
				given && (was.archived || c.givenUp()) {
				f.As(sdk.Warning)
			}
		}
	}
}

// sectionLost reports a section that OpenSpec requires in a proposal and that an open change's proposal lost. It
// reports nothing if the proposal has a new heading.
func (m *model) sectionLost(r *check.Report, was, c *change) {
	old, now := was.has("proposal.md"), c.has("proposal.md")
	if c.archived || old == nil || now == nil || !old.Readable() || !now.Readable() || check.Emptied(now, old) != "" {
		return
	}
	heads := now.Outline().Headings()
	before := old.Outline().Headings()
	has := func(list []markdown.Heading, title string) bool {
		return slices.ContainsFunc(list, func(h markdown.Heading) bool { return fold(h.Text()) == fold(title) })
	}
	if slices.ContainsFunc(heads, func(h markdown.Heading) bool { return !has(before, h.Text()) }) {
		return // the section may have another title now
	}
	for _, h := range before {
		if title := fold(h.Text()); title != "why" && title != "what changes" || has(heads, title) {
			continue
		}
		if text := lines(h); len(text) == 0 || strings.Contains(now.Text, text[len(text)-1]) {
			continue
		}
		f := r.Whole(now.Path, now.Path+" lost its section "+say.Quote(h.Text())+"; the base has it"+
			say.Line(old, h.Start())).Of(c.run()).Keyed(fold(h.Text())).As(sdk.Warning)
		at := len(now.Text)
		for _, next := range before {
			if i := slices.IndexFunc(heads, func(is markdown.Heading) bool {
				return next.Start() > h.Start() && fold(is.Text()) == fold(next.Text())
			}); i >= 0 && next.Level() <= h.Level() {
				at = heads[i].Start()
				break
			}
		}
		section := strings.TrimRight(old.Text[h.Start():h.Section().End()], " \t\r\n") + "\n\n"
		if at == len(now.Text) {
			section = "\n" + strings.TrimSuffix(section, "\n")
		}
		f.Offer(sdk.Review, "Restore the section", sdk.Replace(sdk.AtBytes(now.Path, at, at), sdk.Literal(section)))
	}
}

// kept reports whether the specs contain a part of a delta that an archived change lost: then the delta was not
// abandoned. If the change was already archived in the base, only the delta's additions are known.
func (m *model) kept(c, was *change, d *sdk.Document) bool {
	for _, x := range was.deltas {
		if x.doc != d {
			continue
		}
		if was.archived {
			return slices.ContainsFunc(x.added, func(q *requirement) bool { return len(m.named[q.key()]) > 0 })
		}
		missing, found := m.unfolded(c, x)
		return found > 0 || len(missing) == 0 && !x.empty()
	}
	return false
}

// wasArchived reports whether a document was archived since the base although its change is still open.
func (m *model) wasArchived(was *change, file string) bool {
	return slices.ContainsFunc(m.archived, func(c *change) bool {
		return c.name == was.name && m.fresh(c) &&
			c.has(file) != nil
	})
}

func restore(path string, was *sdk.Document) []sdk.Edit {
	if path == was.Path {
		return []sdk.Edit{sdk.Restore(path)}
	}
	return []sdk.Edit{sdk.Create(path, sdk.Literal(was.Text))}
}

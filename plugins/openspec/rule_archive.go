package openspec

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

// archivedNotFolded holds what archived changes did to capabilities against the specs. A requirement may since have gone
// another way that the archive tells, so a delta counts as not folded only if nothing of it is in any spec.
func archivedNotFolded(r *check.Report, m *model) {
	for _, c := range m.archived {
		for _, x := range c.deltas {
			fresh := m.fresh(c)
			missing, found := m.unfolded(c, x)
			if len(missing) == 0 || found > 0 && !fresh || !m.docs.Known("specs/"+x.capability+"/spec.md") {
				continue
			}
			path, where := "specs/"+x.capability+"/spec.md", " has nothing of it"
			if m.byCap[x.capability] == nil {
				where = " does not exist"
			} else if found > 0 {
				where = " lacks a part of it"
			}
			f := r.At(sdk.AtLine(x.doc.Path, missing[0].line), c.name+" is archived, but "+path+where+": "+say.List(quoted(missing))+" (line "+say.Int(missing[0].line)+")").Of(c.subject()).Keyed(x.capability).
				Advise("Fold the delta into the spec", "Apply "+x.doc.Path+" to "+path+", as `openspec archive` does without --skip-specs.", c.giveUp(found > 0))
			switch {
			case !fresh:
				f.As(sdk.Info)
			case found > 0 || c.givenUp() || !m.complete || m.touched(x.capability):
				f.As(sdk.Warning)
			}
		}
	}
}

// givenUp reports whether an archived change says of itself that it was not carried out: it has open tasks or tasks that are
// struck and none that is done, or says that it changes no spec.
func (c *change) givenUp() bool { return c.skips || c.open > 0 || c.marked > 0 && c.done == 0 }

// giveUp is how an archived change says that its delta, or a part of it, was given up.
func (c *change) giveUp(part bool) string {
	if part {
		return "If that part was given up, take it out of the delta."
	}
	return "If it was given up, remove the delta and put `skip_specs: true` into " + c.dir + "/.openspec.yaml."
}

func quoted(list []name) []string {
	texts := make([]string, len(list))
	for i, n := range list {
		texts[i] = say.Quote(n.text)
	}
	return texts
}

// unfolded lists what a delta did to requirements and no spec shows, and counts what is in a spec, or went by another change.
// Of a change that was archived since the base more is known: which text it gave to a requirement, and what the spec said before.
func (m *model) unfolded(c *change, x *delta) (missing []name, found int) {
	was, before := m.openDelta(c, x.capability), m.before(x.capability)
	for _, q := range x.added {
		if len(m.named[q.key()]) > 0 || m.taken(c, x.capability, q.key()) {
			found++
		} else {
			missing = append(missing, name{text: q.name, line: q.line})
		}
	}
	for _, q := range x.modified {
		k := q.key()
		now, then, meant := m.byCap[x.capability].find(k), before.find(k), was.text(k)
		switch {
		case now == nil && (len(m.named[k]) > 0 || m.taken(c, x.capability, k)), now != nil && (meant == nil || slices.Equal(now.meaning(), meant)):
			found++
		case now == nil || then != nil && slices.Equal(now.meaning(), then.meaning()):
			missing = append(missing, name{text: q.name, line: q.line})
		}
	}
	for _, n := range x.removed {
		if k := fold(n.text); m.fresh(c) && before.find(k) != nil && m.byCap[x.capability].find(k) != nil {
			missing = append(missing, n)
		}
	}
	return missing, found
}

// openDelta is a delta as it was in the base, where its change was open; nil without one.
func (m *model) openDelta(c *change, capability string) *delta {
	if m.fresh(c) {
		for _, was := range m.base.active {
			for _, x := range was.deltas {
				if was.name == c.name && x.capability == capability && x.doc.Readable() {
					return x
				}
			}
		}
	}
	return nil
}

// before is a spec as it was in the base, nil without one.
func (m *model) before(capability string) *spec {
	if m.base == nil {
		return nil
	}
	return m.base.byCap[capability]
}

// text is what a delta makes of a requirement, nil if it is not known.
func (x *delta) text(key string) []string {
	if x != nil {
		for _, q := range x.modified {
			if q.key() == key {
				return q.meaning()
			}
		}
	}
	return nil
}

// taken reports whether another change removes or renames a requirement.
func (m *model) taken(but *change, capability, key string) bool {
	takes := func(c *change, x *delta) bool { return c != but && x.takes(key) }
	return anyDelta(m.archived, capability, takes) || anyDelta(m.active, capability, takes)
}

// touched reports whether a spec says something that it did not say in the base: the delta may be folded in with other words.
func (m *model) touched(capability string) bool {
	now, before := m.byCap[capability], m.base.byCap[capability]
	if now == nil || before == nil {
		return now != nil
	}
	was := before.doc.Outline().Document().Meaning()
	for _, line := range now.doc.Outline().Document().Meaning() {
		if !slices.ContainsFunc(was, func(old string) bool { return strings.HasPrefix(old, line) }) {
			return true
		}
	}
	return false
}

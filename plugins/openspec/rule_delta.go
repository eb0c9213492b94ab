package openspec

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
)

// eachDelta calls f with every readable delta of the open changes.
func (m *model) eachDelta(f func(*change, *delta)) {
	for _, c := range m.active {
		for _, x := range c.deltas {
			if x.doc.Readable() {
				f(c, x)
			}
		}
	}
}

// deltaTargetMissing reports names that the spec lacks. A name that the spec spells differently gets its own finding,
// because it has its own fix. The other missing names of a delta share one finding.
func deltaTargetMissing(r *check.Report, m *model) {
	m.eachDelta(func(c *change, x *delta) {
		path, s := x.spec(), m.byCap[x.capability]
		if s != nil && !s.doc.Readable() || !m.docs.Known(path) {
			return
		}
		for _, n := range append(x.targets(s), x.removed...) {
			if there := s.find(fold(n.text)); there != nil && there.name != n.text {
				f := r.AtLine(x.doc.Path, n.line,
					c.name+" names the requirement "+say.Quote(n.text)+", but "+path+" spells it "+
						say.Quote(there.name)+" (line "+say.Int(there.line)+")").Of(c.run()).Keyed(fold(n.text))
				if at := strings.Index(x.doc.Text[n.from:], n.text); at >= 0 {
					f.Offer(sdk.Review, "Use the name from the spec",
						sdk.Replace(sdk.AtBytes(x.doc.Path, n.from+at, n.from+at+len(n.text)), there.name))
				}
			}
		}
		missing := m.untargeted(c, x)
		if len(missing) == 0 {
			return
		}
		text := c.name + " changes requirements that " + path + " does not have: " + say.List(quoted(missing))
		if s == nil {
			text = c.name + " changes requirements of " + path + ", which does not exist: " + say.List(quoted(missing))
		}
		if other := m.named[fold(missing[0].text)]; len(other) > 0 {
			text += "; the first is in specs/" + other[0] + "/spec.md"
		}
		f := r.AtLine(x.doc.Path, missing[0].line, text).Of(c.run()).Keyed(x.capability)
		if s == nil && m.base != nil && m.base.byCap[x.capability] != nil {
			f.Advise("Restore the spec", "Restore "+path+" from the base.")
		} else if flat := m.docs.Get("specs/" + x.capability + ".md"); s == nil && flat != nil {
			f.Advise("Move the spec", "Move "+flat.Path+" to "+path+", because OpenSpec does not read it there.")
		} else if first := m.describes(c, x.capability, fold(missing[0].text)); s == nil && first != nil {
			f.Advise("Archive the other change first", "Put the new requirements of "+first.doc.Path+
				" under ## ADDED Requirements, and archive that change first.",
				"If it gives a requirement another name, use that name, or list both under ## RENAMED Requirements.")
		} else if s == nil {
			f.Advise("Add the requirements", "Move the requirements to ## ADDED Requirements, because a new spec can "+
				"have no others.", "If another spec has them, move the delta to its capability.")
		} else {
			f.Advise("Use the names from the spec", "Copy each name from "+path+".",
				"Move new requirements to ## ADDED Requirements.")
		}
		if s == nil || c.done == 0 || !m.complete {
			f.As(sdk.Warning)
		}
	})
}

// untargeted returns the requirements that a delta needs but that neither the spec nor any delta provides.
func (m *model) untargeted(c *change, x *delta) (missing []name) {
	s := m.byCap[x.capability]
	for _, n := range x.targets(s) {
		k := fold(n.text)
		gives := func(other *change, y *delta) bool { return other != c && y.gives(k) }
		if s.find(k) == nil && !x.gives(k) && !anyDelta(m.active, x.capability, gives) &&
			!anyDelta(m.archived, x.capability, gives) {
			missing = append(missing, n)
		}
	}
	return missing
}

// describes returns another open change's delta for a capability that may introduce a requirement, or nil if there is
// none. It prefers a delta that has the requirement outside its delta sections to one that only adds other
// requirements.
func (m *model) describes(c *change, capability, key string) (first *delta) {
	m.eachDelta(func(other *change, y *delta) {
		if other == c || y.capability != capability {
			return
		}
		has := slices.ContainsFunc(y.sections, func(s *section) bool {
			return operation(s.title) == "" &&
				slices.ContainsFunc(s.reqs, func(q *requirement) bool { return q.key() == key })
		})
		if has || first == nil && len(y.added) > 0 {
			first = y
		}
	})
	return first
}

// find returns the requirement with a key, or nil if the spec is nil or lacks it.
func (s *spec) find(key string) *requirement {
	if s == nil {
		return nil
	}
	return s.byKey[key]
}

// targets returns the requirements that a delta needs in the spec. A renaming needs none if the spec already has the
// new name.
func (x *delta) targets(s *spec) []name {
	var list []name
	for _, q := range x.modified {
		list = append(list, name{q.name, q.line, q.head.Start()})
	}
	for _, p := range x.renamed {
		if s.find(fold(p.to.text)) == nil || fold(p.to.text) == fold(p.from.text) {
			list = append(list, p.from)
		}
	}
	return list
}

func addedExists(r *check.Report, m *model) {
	m.eachDelta(func(c *change, x *delta) {
		s := m.byCap[x.capability]
		if s == nil || !s.doc.Readable() {
			return
		}
		for _, q := range x.added {
			there := s.byKey[q.key()]
			if there == nil || !slices.Contains(s.reqs, there) || x.takes(q.key()) ||
				slices.Equal(there.meaning(), q.meaning()) {
				continue
			}
			r.AtLine(x.doc.Path, q.line, c.name+" adds the requirement "+say.Quote(q.name)+", but "+s.doc.Path+
				" already has it, with different text (line "+say.Int(there.line)+
				")").Of(c.run()).Keyed(q.key()).See(sdk.AtLine(s.doc.Path, there.line), "the requirement in the spec").
				Advise("Modify the requirement instead", "Move the whole requirement to ## MODIFIED Requirements, "+
					"or rename the new one.")
		}
		for _, p := range x.renamed {
			from, to := fold(p.from.text), fold(p.to.text)
			if there := s.byKey[to]; from != to && s.byKey[from] != nil && !x.gives(from) && there != nil &&
				!x.takes(to) {
				r.AtLine(x.doc.Path, p.to.line,
					c.name+" renames the requirement "+say.Quote(p.from.text)+" to "+say.Quote(p.to.text)+", but "+
						s.doc.Path+" already has a requirement with that name (line "+say.Int(there.line)+
						")").Of(c.run()).Keyed(to).See(sdk.AtLine(s.doc.Path, there.line), "the requirement in the "+
					"spec").
					Advise("Choose another name", "Use a name that "+s.doc.Path+" does not have, or remove one of "+
						"the two requirements.")
			}
		}
	})
}

// An entry is one operation of a delta on a requirement.
type entry struct {
	op string
	n  name
}

func deltaConflict(r *check.Report, m *model) {
	m.eachDelta(func(c *change, x *delta) {
		var list []entry
		for _, q := range x.added {
			list = append(list, entry{"added", name{text: q.name, line: q.line}})
		}
		for _, q := range x.modified {
			list = append(list, entry{"modified", name{text: q.name, line: q.line}})
		}
		for _, n := range x.removed {
			list = append(list, entry{"removed", n})
		}
		froms, tos := len(list), len(list)
		for _, p := range x.renamed {
			list, tos = append(list, entry{"renamed", p.from}), tos+1
		}
		for _, p := range x.renamed {
			list = append(list, entry{"given to another requirement", p.to})
		}
		seen := map[string]int{}
		for i, e := range list {
			k := e.n.text
			if first, ok := seen[k]; ok {
				was := list[first]
				// A renamed requirement may be modified under its new name, and another requirement may be added under
				// its old name.
				if i >= tos && was.op == "modified" || i >= froms && i < tos && was.op == "added" || i >= tos &&
					was.op == "renamed" {
					continue
				}
				text := say.Quote(k) + " is " + was.op + " and " + e.op
				if was.op == e.op {
					text = say.Quote(k) + " is " + e.op + " twice"
				}
				r.AtLine(x.doc.Path, e.n.line,
					text+" by "+c.name+" (line "+say.Int(was.n.line)+")").Of(c.run()).Keyed(x.capability+" "+k).
					Advise("Keep one of the two entries", "Name the requirement once in "+x.doc.Path+
						". To rename and modify it, modify it under its new name.")
				continue
			}
			seen[k] = i
		}
	})
}

func scenarioDropped(r *check.Report, m *model) {
	m.eachDelta(func(c *change, x *delta) {
		s := m.byCap[x.capability]
		if s == nil || !s.doc.Readable() {
			return
		}
		for _, q := range x.modified {
			there := s.byKey[q.key()]
			for _, p := range x.renamed {
				if there == nil && fold(p.to.text) == q.key() {
					there = s.byKey[fold(p.from.text)]
				}
			}
			if there == nil {
				continue
			}
			if lost := q.lacks(there); len(lost) > 0 {
				f := r.AtLine(x.doc.Path, q.line,
					c.name+" modifies "+say.Quote(q.name)+" without "+say.List(texts(lost))+", which "+s.doc.Path+
						" has (line "+say.Int(there.line)+
						")").Of(c.run()).Keyed(q.key()).
					See(sdk.AtLine(s.doc.Path, there.line), "the requirement in the spec")
				if new := there.lacks(q); len(new) > 0 {
					f.Advise("Keep the scenario's title", "If "+say.List(texts(new))+" replaces it, use the old title "+
						"for the new text: OpenSpec compares only titles.")
				}
				f.Advise("Copy the scenario into the delta",
					"Copy the missing scenario from "+s.doc.Path+" into the delta's requirement.").
					Advise("Drop the scenario on purpose", "Move the requirement from MODIFIED to REMOVED, with "+
						"the reason, and add the rest of it to ADDED under another name. OpenSpec does not accept "+
						"a dropped scenario otherwise.")
			}
		}
	})
}

func deltaMissing(r *check.Report, m *model) {
	for _, c := range m.active {
		if c.done == 0 || !c.lacksDelta() {
			continue
		}
		text := c.name + " has " + say.Count(c.done, "ticked task") + ", but no delta in " + c.dir + "/specs"
		if c.skips {
			text += "; OpenSpec ignores skip_specs in a .openspec.yaml without schema"
		}
		r.Whole(c.list.Path, text).Of(c.run()).
			Advise("Write the delta", "Describe the change in "+c.dir+"/specs/CAPABILITY/spec.md.",
				"If no behavior changes, set "+skipSpecs+" in "+c.dir+"/.openspec.yaml.")
	}
}

// skipSpecs is what a change without a delta needs in its .openspec.yaml. OpenSpec ignores skip_specs in a file without
// a schema.
const skipSpecs = "`schema: " + ownSchema + "` and `skip_specs: true`"

// lacksDelta reports whether a change has neither a delta nor a document that may be one, and does not say why.
func (c *change) lacksDelta() bool {
	return len(c.deltas) == 0 && !(c.skips && c.schema != "") && !c.unclear && !c.custom() &&
		!slices.ContainsFunc(c.docs, func(d *sdk.Document) bool { return below(c, d, "specs/") })
}

func below(c *change, d *sdk.Document, dir string) bool {
	return strings.HasPrefix(d.Path[len(c.dir)+1:], dir)
}

func deltaUnrecognised(r *check.Report, m *model) {
	m.eachDelta(func(c *change, x *delta) {
		if c.custom() || c.unclear {
			return
		}
		for _, n := range x.unpaired {
			r.AtLine(x.doc.Path, n.line, x.doc.Path+" renames "+say.Quote(n.text)+
				", but FROM: and TO: are not a pair").Of(c.run()).Keyed(n.text).
				Advise("Write both names", "Write each renaming as a FROM: line followed by a TO: line.")
		}
		if !x.empty() {
			for _, s := range x.sections {
				if operation(s.title) == "" && len(s.reqs) > 0 {
					r.AtLine(x.doc.Path, s.reqs[0].line,
						x.doc.Path+" has "+say.Count(len(s.reqs), "requirement")+" under "+say.Quote(s.title)+
							"; OpenSpec reads only those under ## ADDED, MODIFIED, REMOVED and RENAMED "+
							"Requirements").Of(
						c.run()).Keyed(s.title).
						Advise("Move the requirements under a delta heading",
							"Move the requirements, or rename the heading "+say.Quote(s.title)+".")
				}
			}
			return
		}
		text := " has no delta section"
		if x.sorts > 0 {
			text = " has no requirement in its delta sections"
		}
		r.Whole(x.doc.Path, x.doc.Path+text+"; expected ### Requirement: NAME under ## ADDED, MODIFIED, REMOVED or "+
			"RENAMED Requirements").Of(c.run()).
			Advise("Write the delta in OpenSpec's format",
				"Write each requirement as `### Requirement: NAME` under `## ADDED Requirements` or one of the "+
					"other three headings.")
	})
}

func deltaMisplaced(r *check.Report, m *model) {
	for _, c := range m.active {
		for _, d := range c.docs {
			if !below(c, d, "specs/") || !d.Readable() ||
				slices.ContainsFunc(c.deltas, func(x *delta) bool { return x.doc == d }) {
				continue
			}
			to := d.Path[:strings.LastIndexByte(d.Path, '/')] + "/spec.md"
			if to == c.dir+"/specs/spec.md" {
				to = c.dir + "/specs/CAPABILITY/spec.md"
			}
			for _, s := range read(d) {
				if operation(s.title) != "" {
					r.AtLine(d.Path, s.line, d.Path+" is a delta that OpenSpec does not read; expected "+to).
						Of(c.run()).Keyed(d.Path).
						Advise("Move the delta", "Move its requirements to "+to+", under the same headings. Keep what "+
							"that file already has.", "Remove "+d.Path+".")
					break
				}
			}
		}
	}
}

func skipSpecsWithDeltas(r *check.Report, m *model) {
	for _, c := range m.active {
		if c.skips && len(c.deltas) > 0 {
			r.At(sdk.AtKey(c.dir+"/.openspec.yaml", "/skip_specs"),
				c.name+" sets skip_specs: true, but has the delta "+c.deltas[0].doc.Path).Of(c.run()).
				Advise("Remove skip_specs or the delta", "Remove skip_specs from "+c.dir+
					"/.openspec.yaml, or remove the delta.")
		}
	}
}

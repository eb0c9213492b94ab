package gsd

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// A model holds the contents of one revision's documents.
type model struct {
	numbering
	docs     sdk.Docs
	state    *state
	road     *roadmap
	reqs     *requirements
	phases   []*phase
	aside    []*phase // directories left over from a shipped milestone; nothing in them is checked
	empty    []*phase // directories without documents whose number another directory has
	byNumber map[string][]*phase
	archived map[string]bool // names of summaries and plans outside phases/
	streams  bool            // work continues in workstreams: the top-level documents may be missing
	known    map[string]bool // cache of exists
	base     *model          // nil if there is no base
}

func read(docs sdk.Docs) *model {
	ids := readNumbering(docs.Get(configPath))
	m := &model{numbering: ids, docs: docs, state: readState(docs.Get(statePath), ids),
		byNumber: map[string][]*phase{}, archived: map[string]bool{}, known: map[string]bool{}}
	m.road = readRoadmap(docs.Get(roadmapPath), m.state.milestone, ids)
	m.reqs = readRequirements(docs.Get(requirementsPath), ids)
	all := readPhases(docs, ids)
	for _, ph := range all {
		switch {
		case m.shipped(ph):
			m.aside = append(m.aside, ph)
		case ph.empty && slices.ContainsFunc(all, func(o *phase) bool { return o.number == ph.number && !o.empty }):
			m.empty = append(m.empty, ph)
		default:
			m.phases = append(m.phases, ph)
		}
	}
	for _, ph := range m.phases {
		m.byNumber[ph.number] = append(m.byNumber[ph.number], ph)
	}
	for _, d := range docs.All() {
		rest, below := strings.CutPrefix(d.Path, "phases/")
		if below = below && strings.Count(strings.Replace(rest, "/plans/", "/", 1), "/") > 1; below ||
			strings.HasPrefix(d.Path, "milestones/") || strings.HasPrefix(d.Path, "archive/") {
			m.archived[file(d.Path)] = true
		}
		m.streams = m.streams || strings.HasPrefix(d.Path, "workstreams/")
	}
	return m
}

// shipped reports whether a directory is left over from a shipped milestone: ROADMAP.md no longer lists its phase and
// says that phases with its number are shipped, no archive has a different phase with that number, and STATE.md is not
// at the phase.
func (m *model) shipped(ph *phase) bool {
	if !m.road.doc.Readable() || ph.number == m.state.number || backlog(ph.number) ||
		m.road.lists(ph.number) {
		return false
	}
	if has, fits := m.archives(ph.number, ph.title); has && !fits {
		return false
	}
	return m.road.shippedLine(ph.number)
}

func prepare(p *sdk.Pass) (any, error) {
	m := read(p.Docs)
	if p.Base.State == sdk.BaseAt {
		m.base = read(p.Base.Docs)
		m.recall()
	}
	return m, nil
}

const (
	needState check.Needs = 1 << iota // STATE.md can be read
	needRoadmap
	needRequirements
	needPhases  // nothing in phases/ is hidden, and the plugin knows which phases are shipped
	needArchive // nothing in the phase archives is hidden
	needBase    = check.OnBase
)

// view returns the model and the needs that it meets.
func view(r *check.Report) (*model, check.Needs) {
	m := r.Model.(*model)
	var hold check.Needs
	for need, ok := range map[check.Needs]bool{
		needState: m.state.doc.Readable(), needRoadmap: m.road.doc.Readable(), needRequirements: m.reqs.doc.Readable(),
		needPhases: m.docs.CompleteBelow("phases") &&
			(m.road.doc.Readable() || m.road.doc == nil && (m.docs.Known(roadmapPath) || len(m.phases) == 0)),
		needArchive: m.docs.CompleteBelow("milestones") && m.docs.CompleteBelow("archive"),
	} {
		if ok {
			hold |= need
		}
	}
	return m, hold
}

// of returns the directory of the phase with a number and name: the only directory with that number or, if several have
// it, the only one whose title fits the name. It returns nil if no directory or more than one matches.
func (m *model) of(number, name string) *phase {
	list := m.byNumber[number]
	if len(list) == 1 {
		return list[0]
	}
	var found *phase
	for _, ph := range list {
		if ph.fits(name) {
			if found != nil {
				return nil
			}
			found = ph
		}
	}
	return found
}

// best is like of, but if several directories have the number and of cannot choose one, best returns the one with the
// most plans. Briefs use it: until someone decides which directory is right, no plan may be forgotten.
func (m *model) best(number, name string) *phase {
	found := m.of(number, name)
	if found == nil {
		for _, ph := range m.byNumber[number] {
			if found == nil || len(ph.plans) > len(found.plans) {
				found = ph
			}
		}
	}
	return found
}

// fits reports whether a directory may belong to the phase with a name: the name contains at least a third of the words
// in the directory's title, or is written in letters that no directory name has.
func (ph *phase) fits(name string) bool {
	title := strings.NewReplacer("&", "and", "-", "", "_", "", "'", "").Replace(lower(name))
	all, found := 0, 0
	for word := range strings.SplitSeq(lower(ph.title), "-") {
		if len(word) > 2 {
			if all++; strings.Contains(title, word[:min(len(word), 5)]) {
				found++
			}
		}
	}
	return all == 0 || found*3 >= all || foreign(name)
}

// foreign reports whether a text is largely written in letters outside ASCII, which directory names do not have.
func foreign(text string) bool {
	n := 0
	for i := range len(text) {
		if text[i] >= 0x80 {
			n++
		}
	}
	return n*4 > len(text)
}

// entry returns a phase's checkbox in the roadmap, ignoring history, or nil unless exactly one fits.
func (m *model) entry(ph *phase) *entry {
	var found *entry
	for _, e := range m.road.entries {
		if e.number == ph.number && !e.old && m.of(e.number, e.name) == ph {
			if found != nil {
				return nil
			}
			found = e
		}
	}
	if found == nil || !ph.fits(found.name) {
		return nil
	}
	return found
}

// row returns a phase's row in the progress table, or nil unless there is exactly one.
func (m *model) row(ph *phase) *row {
	var found *row
	for _, w := range m.road.rows {
		if w.number == ph.number && !w.old && m.of(w.number, w.name) == ph {
			if found != nil {
				return nil
			}
			found = w
		}
	}
	if found == nil || found.name != "" && !ph.fits(found.name) {
		return nil
	}
	return found
}

// boxes returns the checkboxes of a phase's plans, each paired with its plan. It ignores history.
func (m *model) boxes(ph *phase) (list []pairedBox) {
	if len(m.byNumber[ph.number]) != 1 {
		return nil
	}
	for _, b := range m.road.boxes {
		if b.phase != ph.number || b.old || b.off {
			continue
		}
		var found *plan
		for _, p := range ph.plans {
			if p.number == b.number {
				if found != nil {
					found = nil
					break
				}
				found = p
			}
		}
		if found != nil {
			list = append(list, pairedBox{b, found})
		}
	}
	return list
}

type pairedBox struct {
	*box
	plan *plan
}

func (ph *phase) subject() string { return "phase-" + ph.number }

// waits returns a phase's plans that still have to be executed, except those that the roadmap cancels or defers.
func (m *model) waits(ph *phase) (list []*plan) {
next:
	for _, p := range ph.open() {
		for _, b := range m.road.boxes {
			if b.phase == ph.number && b.number == p.number && b.off {
				continue next
			}
		}
		list = append(list, p)
	}
	return list
}

// leftOver returns a phase's waiting plans that may be left over: ROADMAP.md lists other plans of the phase but not
// these, and neither its table nor STATE.md counts them.
func (m *model) leftOver(ph *phase) []*plan {
	of := func(b *box) bool { return b.phase == ph.number && !b.old }
	_, all := ph.executed()
	if w := m.row(ph); m.current() == ph && m.state.of == all || w != nil && w.all == all ||
		!slices.ContainsFunc(m.road.boxes, of) {
		return nil
	}
	return slices.DeleteFunc(m.waits(ph), func(p *plan) bool {
		return p.gaps || p.lost || slices.ContainsFunc(m.road.boxes, func(b *box) bool {
			return of(b) && b.number == p.number
		})
	})
}

// names returns the file names of plans, without .md.
func names(plans []*plan) (list []string) {
	for _, p := range plans {
		list = append(list, strings.TrimSuffix(file(p.path), ".md"))
	}
	return list
}

// ids returns the names of plans for messages. In brackets, it adds that a plan was deleted or why its summary does not
// count.
func ids(plans []*plan) []string {
	list := names(plans)
	for i, p := range plans {
		id := list[i]
		if p.lost {
			id += " (deleted)"
		} else if p.stopped != nil {
			id += " (its summary's status is " + say.Quote(p.stopped.unfinished) + ")"
		} else if p.summary == "" && p.void != nil {
			id += " (its summary " + p.void.void + ")"
		}
		list[i] = id
	}
	return list
}

func mentions(text string, any ...string) bool { return words.Mentions(text, any...) }

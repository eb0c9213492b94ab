package bmad

import (
	"cmp"
	"path"
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words/status"
	"github.com/stategate/stategate/sdk/work"
)

func detect(p *sdk.Pass) ([]sdk.Detection, error) {
	m := p.Model.(*model)
	if !m.unread && len(m.all) == 0 && len(m.epics) == 0 &&
		(m.base == nil || len(m.base.all) == 0 || !m.base.tracked()) {
		return nil, sdk.NotMine("no tracker has a development_status with epics and stories")
	}
	if above := m.trackerAbove(p); above != "" {
		return nil, sdk.NotMine("its stories belong to the run of " + above)
	}
	for _, doc := range p.Docs.All() {
		if doc.Format == sdk.Text && doc.Need == sdk.Content && !doc.Readable() && !m.tracks(doc.Path) {
			p.OverrideAll(doc, sdk.Off) // a report, not a story
		}
	}
	whole := sdk.Detection{Lifecycle: sprint, Fit: sdk.Consistent}
	for _, t := range m.trackers {
		if t.doc != nil {
			whole.Because = append(whole.Because, sdk.AtPointer(t.path, "/development_status"))
		}
	}
	work.Observe(&whole, "stories", func(yield func(status.Status) bool) {
		for _, e := range m.all {
			if !yield(e.now()) {
				return
			}
		}
	})
	if m.unread {
		whole.Observed, whole.Fit = nil, sdk.FitUnknown
	}
	list := []sdk.Detection{whole}
	for i, e := range m.epics {
		if i == mostEpics {
			break
		}
		if e.status == status.Unknown && len(e.parts) == 0 {
			continue // status-unknown reports it
		}
		is := e.is
		d := sdk.Detection{Lifecycle: epicLife, Subject: e.key, Claimed: written(e.status),
			Observed: epicLife.Phases[phaseOf(is)], Fit: sdk.Consistent, Because: []sdk.Range{e.at}}
		switch {
		case e.status == status.Unknown || e.status == status.Cancelled:
			d.Claimed, d.Fit = e.text, sdk.FitUnknown
		case phaseOf(e.status) > phaseOf(is):
			d.Fit = sdk.Ahead
		case phaseOf(e.status) < phaseOf(is):
			d.Fit = sdk.Behind
		}
		if !e.legal() {
			d.Claimed = e.text
		}
		for _, s := range e.parts {
			if s.done() {
				d.Progress.Done++
			}
		}
		d.Progress.Total, d.Progress.Unit = len(e.parts)-len(e.with(status.Cancelled)), "stories"
		list = append(list, d)
	}
	return list, nil
}

// trackerAbove returns the tracker in one of the two directories above a folder that has only stories, or "" if there
// is none. The run of that tracker includes the folder.
func (m *model) trackerAbove(p *sdk.Pass) (found string) {
	if m.unread || m.tracked() {
		return ""
	}
	for dir, n := p.Root, 0; dir != "." && n < 2; n++ {
		dir = path.Dir(dir)
		for _, name := range []string{"sprint-status.yaml", "sprint-status.yml"} {
			if at := path.Join(dir, name); p.Presence(at) == sdk.Present && found == "" {
				found = at
			}
		}
	}
	return found
}

// mostEpics limits the epics shown as subjects.
const mostEpics = 100

// phaseOf returns the phase index for an epic's status.
func phaseOf(s status.Status) int {
	switch {
	case s.Finished():
		return 2
	case s.Started():
		return 1
	}
	return 0
}

// resume writes the brief in the order of BMAD's own tools: a story in progress, in review, ready, or in the backlog,
// and then a retrospective.
func resume(p *sdk.Pass, d *sdk.Detection, found []sdk.Diagnostic) {
	m, b := p.Model.(*model), brief.Of(p, d, found)
	if d.Subject != "" {
		d.State = sdk.Active
		refuted := func(e *entry) bool { return e.epic != nil && e.epic.key == d.Subject && e.refuted() }
		if d.Observed == epicLife.Phases[2] && !slices.ContainsFunc(m.all, refuted) {
			d.State = sdk.Finished
		}
		return
	}
	if b.First != "" {
		d.State = sdk.Blocked
	}
	for _, t := range m.trackers {
		if t.doc != nil {
			b.Read(t.path)
		}
	}
	b.Warn(found)
	if m.unread {
		b.Do("make the tracker readable; the status of its stories is unknown")
		return
	}
	next := m.next()
	if next != nil && next.now() == status.Unknown && b.First != "" {
		next = nil // an error may hide its status
	}
	var waits []string
	for _, e := range m.all {
		if e != next && e.status == status.Open && e.blocked() {
			waits = append(waits, e.key)
		}
	}
	if len(waits) > 0 {
		b.Know(say.Count(len(waits), "story") + " " + say.Are(len(waits)) + " blocked: " + say.List(waits))
	}
	var off []string
	for _, e := range m.all {
		if e.status == status.Cancelled {
			off = append(off, e.key)
		}
	}
	if len(off) > 0 {
		b.Know(say.Count(len(off), "story") + " " + say.Are(len(off)) + " deferred or cancelled: " + say.List(off))
	}
	if m.techs > 0 {
		b.Know(say.Count(m.techs, "specification") +
			" (tech-spec-*.md) may have open work; stategate does not read them")
	}
	if next == nil {
		d.State = sdk.Finished
		if b.First != "" {
			d.State = sdk.Blocked
			b.Do("fix the errors that block the sprint; no story is left to do")
			return
		}
		for _, e := range m.epics {
			if e.retro != nil && e.retro.status == status.Open && e.status != status.Open {
				b.Do("run the optional retrospective of " + e.key + ", which is open; every story is done")
				return
			}
		}
		return
	}
	if next.file != nil {
		b.Read(next.file.doc.Path)
	} else if next.status == status.Open && m.plans != "" {
		b.Know("create-story writes the file from " + m.plans)
	}
	b.DoWith(next.what())
	b.Rest(m.parts(next))
	if next.at.Pointer != "" {
		b.Closing = "keep the same status in the story's file and in " + next.path
	}
}

// parts lists the stories in the next story's epic, and summarizes each other epic. at is the index of the next story.
func (m *model) parts(next *entry) (at int, list []brief.Part) {
	var epics []*entry // nil for stories without an epic
	of := map[*entry][]*entry{}
	for _, e := range m.all {
		if e.status == status.Cancelled {
			continue
		}
		if of[e.epic] == nil {
			epics = append(epics, e.epic)
		}
		of[e.epic] = append(of[e.epic], e)
	}
	for _, epic := range epics {
		group := of[epic]
		if epic == next.epic {
			for _, e := range group {
				if e == next {
					at = len(list)
				}
				part := brief.Part{Title: e.key, Done: e.done(), Doubt: m.doubt(e)}
				if e.status == status.Unknown {
					part.Title = e.unknown()
				}
				list = append(list, part)
			}
			continue
		}
		for _, kind := range []brief.Part{{Done: true}, {Done: true, Doubt: "not every task is ticked"}, {}} {
			var keys []string
			for _, e := range group {
				if e.done() == kind.Done && (!kind.Done || (m.doubt(e) != "") == (kind.Doubt != "")) {
					keys = append(keys, cmp.Or(e.serial, e.key))
				}
			}
			if len(keys) > 0 {
				name := "Without an epic"
				if epic != nil {
					name = epic.key
					twin := func(o *entry) bool { return o != nil && o != epic && o.key == epic.key }
					if slices.ContainsFunc(epics, twin) {
						name += " of " + epic.path
					}
				}
				kind.Title = name + ", " + say.Count(len(keys), "story") + ": " + say.List(keys)
				list = append(list, kind)
			}
		}
	}
	return at, list
}

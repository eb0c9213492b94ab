package bmad

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/brief"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
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

// next returns the next story, or nil if none is left. Like dev-story and create-story, it takes the first one in the
// tracker among the most advanced stories. Blocked stories, and then those with an unknown status, come last.
func (m *model) next() *entry {
	var best *entry
	for _, e := range m.all {
		if !e.now().Finished() && (best == nil || e.before(best)) {
			best = e
		}
	}
	return best
}

// now returns the status to continue from: the file's status if its checkboxes refute the tracker, or if the story is
// ready in the tracker but its file says that it has begun. If both say that it is ready, a ticked task shows that it
// has begun. In a draft, a ticked task shows nothing: planning may have needed that task.
func (e *entry) now() status.Status {
	f := e.file
	switch {
	case f == nil:
	case e.refuted():
		return f.status
	case e.status != status.Ready || e.spec && !f.status.Started():
	case f.status.Started():
		return min(f.status, status.Review)
	case f.boxes().ticked == 0:
	case f.open().first > 0:
		return status.InProgress
	default:
		return status.Review
	}
	return e.status
}

func (e *entry) before(other *entry) bool {
	a, b := e.rank(), other.rank()
	return slices.Compare(a[:], b[:]) < 0
}

// rank returns the sort key of a story: progress, then, without a tracker, the parts of its number.
func (e *entry) rank() (r [3]int) {
	is := e.status // BMAD's tool uses the tracker's status
	if e.refuted() || e.at.Pointer == "" {
		is = e.now()
	}
	r[0] = slices.Index([]status.Status{status.InProgress, status.Review, status.Ready, status.Open}, is)
	switch {
	case is == status.Unknown:
		r[0] = 5
	case e.status == status.Open && e.blocked():
		r[0]++
	}
	if e.at.Pointer != "" {
		return r
	}
	first, rest, _ := strings.Cut(keyOf(e.name), "-")
	for i, part := range []string{first, rest} {
		if r[i+1] = words.Number(part); r[i+1] < 0 {
			r[i+1] = 1 << 30
		}
	}
	return r
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

// what returns the next action for a story in three parts: the words before its name, the name, and the words after it.
func (e *entry) what() (before, name, after string) {
	name, is, f := e.key, e.now(), e.file
	if f != nil {
		if name = e.key + " (" + f.doc.Path + ")"; len(name) > 70 {
			name = f.doc.Path // the brief would cut the path
		}
	}
	switch {
	case e.blocked():
		return "unblock ", name, ""
	case is == status.Unknown:
		return "find out whether ", name, " is done, and give it a status"
	case is == status.Review && f != nil && e.status < is && f.status >= is && f.open().first > 0:
		return "check whether ", name, " is built: its file says " + say.Quote(say.Clip(f.text)) +
			", the tracker " + say.Quote(say.Clip(e.text))
	case e.status == status.Ready && f != nil && f.status == status.Done:
		return "set ", name, " to done in " + e.path + ", to match its file"
	case is == status.InProgress && f != nil && f.open().first > 0:
		if after = " at its first open task, line " + say.Int(f.open().next); e.status < is {
			after += ", and set it to " + e.spell(is)
		}
		return "continue ", name, after
	case is == status.InProgress && f != nil && f.open().follow > 0:
		b := f.open()
		return "continue ", name, ": " + say.Count(b.follow, "follow-up") + " from its review " + say.Are(b.follow) +
			" open, the first on line " + say.Int(b.at)
	case e.built():
		return "check ", name, ": " + work.SayAll(f.boxes().all, "task") + " ticked; then set it to " +
			e.spell(status.Review)
	case is == status.InProgress:
		return "continue ", name, ""
	case is == status.Review && f != nil && f.open().partly():
		b := f.open()
		if b.under == b.all-b.ticked {
			return "review ", name, ": " + say.Count(b.under, "subtask") + " under ticked tasks " + say.Are(b.under) +
				" open, the first on line " + say.Int(b.first)
		}
		return "finish the open tasks of ", name, ", the first on line " + say.Int(b.next) + ", then review it"
	case is == status.Review:
		return "review ", name, e.by("code-review") + ", then set it to " + e.spell(status.Done)
	case is == status.Ready:
		return "set ", name, " to " + e.spell(status.InProgress) + ", and build it" + e.by("dev-story")
	case f != nil && f.status > status.Open:
		return "set ", name, " to " + written(f.status) + " in " + e.path + ", to match its file"
	case f != nil:
		return "finish the file of ", name, ", then set it to " + e.spell(status.Ready)
	}
	return "write the file of ", name, " (create-story)"
}

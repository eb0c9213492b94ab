package bmad

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words/status"
	"github.com/stategate/stategate/sdk/work"
)

// refuted reports whether a story's file contradicts the tracker's "done".
func (e *entry) refuted() bool {
	f := e.file
	return f != nil && !e.spec && e.status == status.Done && f.unfinished()
}

// unfinished reports whether a file's status is earlier than done and only some of its tasks are ticked. In a review,
// one open task in ten is usually a checkbox that was forgotten.
func (s *story) unfinished() bool {
	b := s.open()
	return s.status.Left() && b.partly() && (s.status != status.Review || 10*b.ticked < 9*b.all)
}

// done reports whether a story is done and its file does not contradict that.
func (e *entry) done() bool { return e.status == status.Done && !e.refuted() }

// built reports whether a story is in progress in the tracker and its file, but nothing in the file is left to do.
func (e *entry) built() bool {
	f := e.file
	return f != nil && !e.spec && e.status == status.InProgress && f.status == e.status && f.open().first == 0 &&
		f.open().follow == 0 && f.boxes().all > 0
}

// untouched reports whether no task of a story's file is ticked, although other stories have ticks: then the file does
// not show that the story is built.
func (m *model) untouched(e *entry) bool {
	f := e.file
	return f != nil && !e.spec && f.open().first > 0 && f.open().ticked == 0 && m.ticks()
}

// ticks reports whether any story has a ticked task: then the project uses checkboxes.
func (m *model) ticks() bool {
	return slices.ContainsFunc(m.names, func(name string) bool {
		s := m.stories[name]
		return strings.Contains(s.doc.Text, "[x]") && s.boxes().ticked > 0
	})
}

// doubt returns why a done story may not be done, or "" if nothing suggests that.
func (m *model) doubt(e *entry) string {
	if e.status == status.Done && (m.untouched(e) || e.file != nil && !e.spec && e.file.open().partly()) {
		return e.file.tasks()
	}
	return ""
}

// claims returns the location of the status in a story's file, or the file if it has none.
func (s *story) claims() sdk.Range {
	if s.line == 0 {
		return sdk.At(s.doc.Path)
	}
	return sdk.AtLine(s.doc.Path, s.line)
}

func (s *story) tasks() string {
	b := s.boxes()
	return work.SayTicked(b.ticked, b.all, "task")
}

func doneRefuted(r *check.Report, m *model) {
	for _, e := range m.all {
		if !e.refuted() {
			continue
		}
		title, edit := e.set(e.file.status)
		r.At(e.at, e.key+" is done, but "+e.file.doc.Path+" says "+say.Quote(say.Clip(e.file.text))+" and "+
			e.file.tasks()).About(e.key).
			See(e.file.claims(), "its status").Offer(sdk.Review, title, edit)
	}
}

func storyBehind(r *check.Report, m *model) {
	for _, e := range m.all {
		f := e.file
		if f == nil || e.refuted() || f.status < status.Open || f.status > status.Review ||
			!(e.status == status.Done || e.status == status.Review && f.status != status.Review) {
			continue
		}
		means, has := written(e.status), say.Clip(e.text)
		if e.text != means {
			has = say.Quote(has) + " (" + means + ")"
		}
		message := f.doc.Path + " says " + say.Quote(say.Clip(f.text)) + ", but " + e.path + " has " + has
		if m.untouched(e) {
			r.At(f.claims(), message+", and "+f.tasks()).About(e.key).See(e.at, e.key).
				Advise("Check whether the story is built", "If "+e.key+" is not built, set it to "+written(f.status)+
					" in "+e.path+".", "If it is, tick its tasks and write Status: "+means+" in "+f.doc.Path+".")
			continue
		}
		r.At(f.claims(), message).About(e.key).
			See(e.at, e.key).Advise("Correct the story file", "Write Status: "+means+" in "+f.doc.Path+", or set "+
			e.key+" back in "+e.path+".")
	}
}

// behind reports whether the tracker is behind a story's file. A story in the backlog should have no file:
// sprint-planning sets a story with a file to ready-for-dev or later.
func (e *entry) behind() bool {
	f := e.file
	switch {
	case f == nil || e.status == status.Unknown || e.status >= f.status || f.status > status.Done:
		return false
	case e.status == status.Open && !e.blocked():
		return true
	}
	return f.status >= status.Review
}

func trackerBehind(r *check.Report, m *model) {
	for _, t := range m.trackers {
		if m.base != nil {
			if was := m.base.tracker(t.path); was != nil && m.overwrote(was) {
				continue
			}
		}
		for _, e := range t.stories {
			f := e.file
			if !e.behind() {
				continue
			}
			message := e.key + " is " + e.says() + ", but " + f.doc.Path + " says " + say.Quote(say.Clip(f.text))
			if !e.spec && f.status >= status.Review && (f.open().partly() || m.untouched(e) && !waits(f.text)) {
				e.setBack(r.At(f.claims(), message+", and "+f.tasks()).About(e.key))
				continue
			}
			title, edit := e.set(f.status)
			r.At(e.at, message).About(e.key).See(f.claims(), "its status").Offer(sdk.Review, title, edit)
		}
	}
}

// setBack offers to correct a file whose status is ahead of its checkboxes and the tracker: if some of its tasks are
// ticked, the story is in progress.
func (e *entry) setBack(f *check.Finding) {
	to := max(e.status, status.InProgress)
	if e.file.open().ticked == 0 {
		to = max(e.status, status.Ready)
	}
	edits := e.file.set(to)
	if e.status < to {
		_, edit := e.set(to)
		edits = append(edits, edit)
	}
	if e.status < status.InProgress && to == status.InProgress { // the tracker was not kept current either
		f.Advise("Check whether the story is built", "If "+e.key+" is built, tick its finished tasks and set it to "+
			written(e.file.status)+" in "+e.path+".", "If it is not, set it to in-progress in both files.")
	}
	f.See(e.at, e.key).Offer(sdk.Review, "Set "+e.file.doc.Path+" to "+written(to), edits...).
		Advise("Finish or tick the open tasks", "Finish the open tasks, the first on line "+
			say.Int(e.file.open().first)+" in "+e.file.doc.Path+", and tick them.",
			"Then set "+e.key+" to "+written(e.file.status)+" in "+e.path+".")
}

// storiesUnread reports a tracker that has begun or done stories, although the plugin finds no story file.
func storiesUnread(r *check.Report, m *model) {
	for _, t := range m.trackers {
		begun := 0
		for _, e := range t.stories {
			if e.file != nil {
				begun = -len(t.stories)
			} else if e.status.Started() || e.status == status.Done {
				begun++
			}
		}
		if begun < 3 {
			continue
		}
		text := say.Count(begun, "story") + " of " + t.path + " " + say.Are(begun) +
			" begun or done, but no story file is in or under its directory"
		if t.where != "" {
			text += "; story_location is " + say.Quote(say.Clip(t.where))
		}
		r.Whole(t.path, text)
	}
}

func followUpOpen(r *check.Report, m *model) {
	for _, e := range m.all {
		if f := e.file; f != nil && e.status == status.Done && f.open().follow > 0 {
			n := f.open().follow
			r.AtLine(f.doc.Path, f.open().at, e.key+" is done, but "+say.Count(n, "follow-up")+
				" from its review "+say.Are(n)+" open").About(e.key).See(e.at, e.key)
		}
	}
}

func fileMissing(r *check.Report, m *model) {
	if m.unread || !m.docs.Complete() {
		return
	}
	m.renamedKeys(r)
	names, numbers := m.fileNames()
	// named reports whether some file name has the story's number or begins with its key.
	named := func(e *entry) bool {
		return e.number != "" && numbers[e.number] ||
			slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, e.name) })
	}
	for _, t := range m.trackers {
		numbered := slices.ContainsFunc(t.stories, func(e *entry) bool { return e.number != "" })
		var lack []*entry
		have := 0
		for _, e := range t.stories {
			switch {
			case e.file != nil:
				have++
			case numbered && e.number == "": // key-unmatched reports it; it may be a heading
			case (e.status.Started() || e.status == status.Ready) && !named(e):
				lack = append(lack, e)
			}
		}
		if 3*len(lack) > have { // the files are elsewhere, or the project does not write them
			continue
		}
		for _, e := range lack {
			if m.base == nil || m.base.stories[e.name] == nil { // document-lost reports a file that the base has
				r.At(e.at, e.key+" is "+e.says()+", but "+e.name+".md does not exist").About(e.key)
			}
		}
	}
}

// fileNames returns the names of all files, and the story numbers that they begin with.
func (m *model) fileNames() (names []string, numbers map[string]bool) {
	numbers = map[string]bool{}
	for _, d := range m.docs.All() {
		name := d.Path[strings.LastIndexByte(d.Path, '/')+1:]
		names = append(names, name)
		numbers[numberOf(strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(name, ".md"), "story-"),
			"spec-"))] = true
	}
	return names, numbers
}

func untracked(r *check.Report, m *model) {
	if m.unread || len(m.trackers) == 0 {
		return
	}
	listed := func(key string) bool {
		return slices.ContainsFunc(m.trackers, func(t *tracker) bool { return t.byKey[key] != nil })
	}
	for _, name := range m.names {
		s := m.stories[name]
		number := numberOf(keyOf(name))
		if number == "" || listed(name) || m.numbers[number] || s.status == status.Unknown ||
			s.status == status.Cancelled || strings.Contains(s.doc.Path, "/") || s.boxes().all == 0 ||
			m.left(name) { // the history rules report it
			continue
		}
		f := r.At(s.claims(), s.doc.Path+" is a story ("+say.Clip(s.text)+"), but no tracker has "+name).About(name)
		epic, _, _ := strings.Cut(number, "-")
		if t := m.trackers[0]; len(m.trackers) == 1 && t.byKey["epic-"+epic] != nil && written(s.status) != "" {
			f.Offer(sdk.Review, "Add "+name+" to "+t.path,
				sdk.SetText(t.path, "/development_status/"+jsondoc.EscapeToken(name), written(s.status)))
		}
		f.Advise("Add the story to the tracker", "Add the story's key to the tracker, or rename the file to the "+
			"correct key.", "If the story was abandoned, move the file to an archive.")
	}
}

// tracks reports whether a tracker has the story of a file.
func (m *model) tracks(path string) bool {
	name := strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".md")
	return m.byKey[name] != nil
}

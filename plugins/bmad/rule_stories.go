package bmad

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words/status"
	"github.com/stategate/stategate/sdk/work"
)

// refuted reports whether the file of a story says that it is not done, and boxes of its tasks agree, which were ticked
// as far as the work went.
func (e *entry) refuted() bool {
	f := e.file
	return f != nil && !e.spec && e.status == status.Done && f.status.Left() && f.open().partly()
}

// claims is where the file of a story says how far it is.
func (s *story) claims() sdk.Range { return sdk.AtLine(s.doc.Path, s.line) }

func (s *story) tasks() string {
	b := s.boxes()
	return say.Int(b.ticked) + " of its " + say.Count(b.all, "task") + " " + say.Are(b.ticked) + " ticked"
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
		r.At(f.claims(), f.doc.Path+" says "+say.Quote(say.Clip(f.text))+", but "+e.path+" has "+
			written(e.status)).About(e.key).
			See(e.at, e.key).Advise("Correct the file",
			"Write Status: "+written(e.status)+" in "+f.doc.Path+", or set "+e.key+" back in "+e.path+".")
	}
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
			if f == nil || f.status != status.Done && f.status != status.Review || e.status == status.Unknown ||
				e.status >= f.status {
				continue
			}
			title, edit := e.set(f.status)
			r.At(e.at, e.key+" is "+say.Clip(e.text)+", but "+f.doc.Path+" says "+
				say.Quote(say.Clip(f.text))).About(e.key).
				See(f.claims(), "its status").Offer(sdk.Review, title, edit)
		}
	}
}

func tasksOpen(r *check.Report, m *model) {
	for _, e := range m.all {
		if f := e.file; f != nil && e.status == status.Done && f.open().partly() {
			r.AtLine(f.doc.Path, f.open().first, e.key+" is done, but "+f.tasks()).About(e.key).See(e.at, e.key)
		}
	}
	m.neverTicked(r)
}

// neverTicked is about done stories none of whose tasks are ticked, where nearly all other done stories have ticks.
func (m *model) neverTicked(r *check.Report) {
	var bare []*entry
	kept := 0
	for _, e := range m.all {
		switch f := e.file; {
		case f == nil || e.status != status.Done:
		case !tasks.MayBeOpen(f.doc.Text):
			if strings.Contains(f.doc.Text, "[x]") {
				kept++
			}
		case f.boxes().ticked > 0:
			kept++
		case f.boxes().first > 0 && !f.status.Left(): // story-behind tells of the others
			bare = append(bare, e)
		}
	}
	if len(bare) > 0 && work.Habit(kept, kept+len(bare)) {
		f := bare[0].file
		r.AtLine(f.doc.Path, f.boxes().first, "no task is ticked in "+say.Count(len(bare), "done story")+", but in "+
			say.Int(kept)+" others: "+names(bare)).Keyed("never ticked")
	}
}

// storiesUnread reports a tracker without any story file that the plugin could read.
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
			" begun or done, but no file of a story is below its directory"
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
				" of its review "+say.Are(n)+" open").About(e.key).See(e.at, e.key)
		}
	}
}

func fileMissing(r *check.Report, m *model) {
	if m.unread || !m.docs.Complete() {
		return
	}
	names, numbers := m.fileNames()
	// named reports whether a file of another name has the number of a story, or begins with its key.
	named := func(e *entry) bool {
		return e.number != "" && numbers[e.number] ||
			slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, e.key) })
	}
	for _, t := range m.trackers {
		var lack []*entry
		have := 0
		for _, e := range t.stories {
			switch {
			case e.file != nil:
				have++
			case (e.status.Started() || e.status == status.Ready) && !named(e):
				lack = append(lack, e)
			}
		}
		if 3*len(lack) > have { // they are elsewhere, or are not written
			continue
		}
		for _, e := range lack {
			if m.base == nil || m.base.stories[e.key] == nil { // document-lost reports the others
				r.At(e.at, e.key+" is "+say.Clip(e.text)+", but there is no "+e.key+".md").About(e.key)
			}
		}
	}
}

// fileNames are the names of all files, and the numbers of stories that they begin with.
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
	numbers := map[string]bool{}
	for _, e := range m.all {
		numbers[e.number] = true
	}
	keys := map[string]bool{}
	for _, t := range m.trackers {
		for key := range t.byKey {
			keys[key] = true
		}
	}
	for _, name := range m.names {
		s := m.stories[name]
		number := numberOf(keyOf(name))
		if number == "" || keys[name] || numbers[number] || s.status == status.Unknown ||
			s.status == status.Cancelled || strings.Contains(s.doc.Path, "/") || s.boxes().all == 0 {
			continue
		}
		f := r.At(s.claims(), s.doc.Path+" is a story ("+say.Clip(s.text)+"), but no tracker has "+name).About(name)
		epic, _, _ := strings.Cut(number, "-")
		if t := m.trackers[0]; len(m.trackers) == 1 && t.byKey["epic-"+epic] != nil && written(s.status) != "" {
			f.Offer(sdk.Review, "Add "+name+" to "+t.path,
				sdk.SetText(t.path, "/development_status/"+jsondoc.EscapeToken(name), written(s.status)))
		}
		f.Advise("Add it to the tracker", "Add its key to the tracker, or rename the file to the key that is meant.",
			"Move the file to an archive if the story was given up.")
	}
}

// tracks reports whether a tracker has the story whose file a path is.
func (m *model) tracks(path string) bool {
	name := strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".md")
	return slices.ContainsFunc(m.all, func(e *entry) bool { return e.key == name })
}

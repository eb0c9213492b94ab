package bmad

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

// back returns the stories that were done in a base tracker and are now open (back) or missing (gone), and the number
// of stories that were done there (before).
func (m *model) back(was *tracker) (back, gone []*entry, before int) {
	for _, e := range was.stories {
		if e.status != status.Done {
			continue
		}
		before++
		switch is := m.byKey[e.name]; {
		case m.dropped(e):
			gone = append(gone, e)
		case is != nil && is.status < status.Done && (is.status != status.Unknown || words.Says(is.text)):
			back = append(back, is)
		}
	}
	return back, gone, before
}

// dropped reports whether no tracker has a base story, not even under another key with its number.
func (m *model) dropped(e *entry) bool {
	return m.byKey[e.name] == nil && (e.number == "" || !m.numbers[e.number])
}

// tracker returns the tracker with a path, or nil if there is none.
func (m *model) tracker(path string) *tracker {
	for _, t := range m.trackers {
		if t.path == path {
			return t
		}
	}
	return nil
}

// overwrote reports whether at least half of the done stories in a base tracker were lost.
func (m *model) overwrote(was *tracker) bool {
	back, gone, before := m.back(was)
	lost := len(gone)
	for _, e := range back {
		if e.status != status.Review { // a built story in review is not lost
			lost++
		}
	}
	return was.doc != nil && m.tracker(was.path) != nil && lost >= 3 && 2*lost >= before && !m.renewed(was, gone)
}

func overwritten(r *check.Report, m *model) {
	for _, was := range m.base.trackers {
		if !m.overwrote(was) {
			continue
		}
		t := m.tracker(was.path)
		back, gone, before := m.back(was)
		title, edits := "Restore "+t.path, []sdk.Edit{sdk.Restore(t.path)}
		if slices.ContainsFunc(t.list, func(e *entry) bool { return was.byKey[e.key] == nil }) { // keep new stories
			title, edits = "Set these stories to done again", nil
			for _, e := range append(gone[:len(gone):len(gone)], back...) {
				edits = append(edits, sdk.SetText(t.path, was.byKey[e.key].at.Pointer, written(status.Done)))
			}
		}
		r.Whole(t.path, say.Int(len(back)+len(gone))+" of "+say.Count(before, "story")+
			" that were done in the base are no longer done: "+names(append(gone[:len(gone):len(gone)], back...))).
			Keyed(t.path).Offer(sdk.Review, title, edits...)
	}
}

// renewed reports whether the tracker begins another sprint: no story of the old sprint is in a tracker or has a file.
func (m *model) renewed(was *tracker, gone []*entry) bool {
	for _, e := range m.all {
		if then := was.byKey[e.key]; then != nil && then.kind == aStory {
			return false
		}
	}
	for _, e := range gone {
		if m.stories[e.name] != nil {
			return false
		}
	}
	return len(m.all) > 0
}

func wentBack(r *check.Report, m *model) {
	for _, was := range m.base.trackers {
		if m.overwrote(was) {
			continue
		}
		back, _, _ := m.back(was)
		cut := m.tracker(was.path).brokeOff(was) // document-cut-short reports it
		for _, e := range back {
			if e == cut {
				continue
			}
			f := r.At(e.at, e.key+" is "+e.says()+", but was done in the base").About(e.key).As(sdk.Warning)
			if e.at.Pointer == "" { // there is no tracker
				text := written(status.Done)
				if was := m.base.stories[e.name]; was != nil {
					text = was.text
				}
				f.Offer(sdk.Review, "Set "+e.key+" to "+say.Clip(text), e.file.write(text)...)
				continue
			}
			if e.file != nil && e.file.status.Left() { // setting only the tracker would contradict the file
				f.See(e.file.claims(), "its file says "+say.Quote(say.Clip(e.file.text))).
					Advise("Set the story to done if it is", "If the story is done, set it to done in "+e.path+
						" and in "+e.file.doc.Path+".", "If it was reopened, accept the finding, with the reason.")
				continue
			}
			title, edit := e.set(status.Done)
			f.Offer(sdk.Review, title, edit)
		}
	}
}

func storyLost(r *check.Report, m *model) {
	if m.unread {
		return
	}
	for _, was := range m.base.trackers {
		t := m.tracker(was.path)
		if t == nil || was.doc == nil || m.renewed(was, nil) || m.overwrote(was) || t.brokeOff(was) != nil {
			continue
		}
		for _, e := range was.epics {
			own := func(s *entry) bool { return was.byKey[s.key] != nil && was.byKey[s.key].epic == e }
			if t.byKey[e.key] == nil && slices.ContainsFunc(t.stories, own) {
				t.lost(r, was, e).Advise("Restore the epic", "Restore the epic above its stories.")
			}
		}
		m.droppedPlans(r, t, was)
		for _, e := range was.stories {
			if m.dropped(e) && (e.status.Started() || e.status == status.Ready || m.stories[e.name] != nil) {
				t.lost(r, was, e).Advise("Restore the story, or mark it as abandoned",
					"Keep an abandoned story in the tracker, as deferred or cancelled.")
			}
		}
	}
}

// lost reports an entry of the base's tracker that is now missing.
func (t *tracker) lost(r *check.Report, was *tracker, e *entry) *check.Finding {
	edit := sdk.SetText(t.path, e.at.Pointer, e.text) // adds it at the end
	if t.lacks(was) {
		edit = sdk.Restore(t.path) // restores it where it was
	}
	at := sdk.AtPointer(t.path, "/development_status")
	for _, o := range was.list[:slices.Index(was.list, e)] {
		if before := t.byKey[o.key]; before != nil {
			at = before.at
		}
	}
	return r.At(at, e.key+" is missing from "+t.path+"; in the base it is "+e.says()).About(e.key).
		Offer(sdk.Review, "Restore "+e.key, edit)
}

// left reports whether a base tracker has a key, unless another sprint's tracker replaced it.
func (m *model) left(key string) bool {
	return m.base != nil && slices.ContainsFunc(m.base.trackers, func(was *tracker) bool {
		return was.doc != nil && was.byKey[key] != nil && !m.renewed(was, nil)
	})
}

// lacks reports whether a tracker differs from the base only by missing entries.
func (t *tracker) lacks(was *tracker) bool {
	if len(t.list) >= len(was.list) || len(t.root.Members()) != len(was.root.Members()) {
		return false
	}
	for _, m := range t.root.Members() {
		if m.Key != "development_status" && m.Value.Raw() != was.root.Get(m.Key).Raw() {
			return false
		}
	}
	return !slices.ContainsFunc(t.list, func(e *entry) bool {
		then := was.byKey[e.key]
		return then == nil || then.text != e.text
	})
}

// brokeOff returns the entry at which a tracker was cut off, or nil if it was not: the status of its last entry is only
// the beginning of the entry's status in the base, and no later entry remains.
func (t *tracker) brokeOff(was *tracker) *entry {
	if t == nil || was.doc == nil || len(t.list) == 0 {
		return nil
	}
	last := t.list[len(t.list)-1]
	at := slices.IndexFunc(was.list, func(e *entry) bool { return e.key == last.key })
	if at < 0 || at == len(was.list)-1 || last.text == was.list[at].text ||
		!strings.HasPrefix(was.list[at].text, last.text) {
		return nil
	}
	if slices.ContainsFunc(was.list[at+1:], func(e *entry) bool { return t.byKey[e.key] != nil }) {
		return nil
	}
	return last
}

func trackerCutShort(r *check.Report, m *model) {
	for _, was := range m.base.trackers {
		if e := m.tracker(was.path).brokeOff(was); e != nil {
			r.At(e.at, was.path+" ends within the status of "+e.key+": "+say.Quote(e.text)+"; in the base it is "+
				say.Quote(was.byKey[e.key].text)+", and more follows").Keyed(was.path).
				Offer(sdk.Review, "Restore "+was.path, sdk.Restore(was.path))
		}
	}
}

func fileLost(r *check.Report, m *model) {
	if !m.docs.Complete() {
		return // the file may be in an archive
	}
	for _, name := range m.base.names {
		was, at := m.base.stories[name], m.byKey[name]
		if at == nil || at.status == status.Cancelled || at.status == status.Open && !m.begun(name) {
			continue // abandoned, or planned again before it began
		}
		how, is, kept := " is missing", m.successor(name, was), 0
		if is != nil {
			all := 0
			kept, all = check.Kept(was.doc, is)
			switch there := is.Path == was.doc.Path; {
			case !is.Readable() || all == 0, there && check.Emptied(is, was.doc) == "", !there && 2*kept >= all:
				continue
			case there:
				how = " lost its text"
			default:
				how += " (" + is.Path + " has " + say.Int(kept) + " of its " + say.Count(all, "line") + ")"
			}
		}
		f := r.Whole(was.doc.Path, was.doc.Path+how+", but "+at.key+" is "+at.says()+
			"; the base has it").About(name).See(at.at, at.key)
		if to := m.renamedTo(at, was); to != nil {
			f.Message += "; " + to.doc.Path + " has its number and text"
			f.See(to.claims(), "the file with its text").As(sdk.Warning).
				Offer(sdk.Review, "Move "+to.doc.Path+" back to "+was.doc.Path, sdk.Move(to.doc.Path, was.doc.Path)).
				Advise("Rename the key", "Or rename the key "+at.key+" in "+at.path+" to "+to.name()+".")
			continue
		}
		title, edits := "Restore "+was.doc.Path, []sdk.Edit{sdk.Restore(was.doc.Path)}
		refuted := at.status == status.Done && was.unfinished()
		if refuted {
			set, edit := at.set(was.status)
			title, edits = title+", and "+strings.ToLower(set[:1])+set[1:], append(edits, edit)
		}
		f.Offer(sdk.Review, title, edits...)
		// the file may have been written again
		if at.status == status.Done && !refuted || at.status == status.Open || is != nil && 2*is.Size >= was.doc.Size {
			f.As(sdk.Warning)
		}
	}
}

// renamedTo returns the new file with a base story's number and at least half of its lines, or nil if there is none.
func (m *model) renamedTo(e *entry, was *story) *story {
	for _, s := range m.numbered[serialOf(keyOf(was.name()))] {
		kept, all := check.Kept(was.doc, s.doc)
		if e.serial != "" && m.base.stories[s.name()] == nil && m.byKey[s.name()] == nil && 2*kept >= all {
			return s
		}
	}
	return nil
}

// begun reports whether a story was in progress or in review in the base, and had a ticked task.
func (m *model) begun(name string) bool {
	e := m.base.byKey[name]
	return e != nil && (e.status == status.InProgress || e.status == status.Review) &&
		m.base.stories[name].boxes().ticked > 0
}

// successor returns the document that has the name of a base story and the most of its text, or nil if there is none.
func (m *model) successor(name string, was *story) (best *sdk.Document) {
	if d := m.docs.Get(was.doc.Path); d != nil {
		return d
	}
	most := -1
	for _, d := range m.docs.All() {
		if d.Path[strings.LastIndexByte(d.Path, '/')+1:] != name+".md" {
			continue
		}
		if !d.Readable() {
			return d
		}
		if kept, _ := check.Kept(was.doc, d); kept > most {
			best, most = d, kept
		}
	}
	return best
}

func trackerLost(r *check.Report, m *model) {
	for _, was := range m.base.trackers {
		if was.doc == nil || m.docs.Get(was.path) != nil || !m.docs.Known(was.path) || len(m.stories) == 0 {
			continue
		}
		r.Missing(was.path, ", with "+say.Count(len(was.stories), "story")).Keyed(was.path)
	}
}

package bmad

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
	"github.com/stategate/stategate/sdk/work"
)

// set returns the title and edit of a remedy that changes an entry's status.
func (e *entry) set(to status.Status) (string, sdk.Edit) {
	return "Set " + e.key + " to " + written(to), sdk.SetText(e.path, e.at.Pointer, written(to))
}

// says returns an entry's status in a form that can follow "is" in a sentence.
func (e *entry) says() string {
	switch e.text {
	case "review":
		return "in review"
	case "backlog":
		return "in the backlog"
	}
	return say.Clip(e.text)
}

func trackerEmpty(r *check.Report, m *model) {
	for _, at := range m.hollow {
		message := "the tracker is empty; expected development_status with epics and stories"
		if at.Pointer != "" {
			message = "development_status is not a mapping; expected epics and stories, each with a status"
		}
		f := r.At(at, message)
		if m.base != nil && m.base.tracker(at.Path) != nil {
			f.Offer(sdk.Review, "Restore "+at.Path, sdk.Restore(at.Path))
		}
	}
}

func statusUnknown(r *check.Report, m *model) {
	for _, e := range m.list {
		switch {
		case e.status != status.Unknown:
		case e.at.Pointer == "":
			m.statusOfFile(r, e)
		case !words.Says(e.text): // wordsUnknown reports the others
			r.At(e.at, say.Wrong("the status of "+e.key, say.Quote(e.text), "a status such as backlog or done")).
				About(e.key)
		}
	}
	for _, t := range m.trackers {
		t.wordsUnknown(r)
		t.actionsUnknown(r)
	}
}

// statusOfFile reports the unknown or missing status of a story without a tracker. A story that never had a status may
// have an earlier format.
func (m *model) statusOfFile(r *check.Report, e *entry) {
	expected := e.spell(status.Open) + ", " + e.spell(status.Ready) + ", " + e.spell(status.InProgress) + ", " +
		e.spell(status.Review) + " or " + e.spell(status.Done)
	message := say.Wrong("the status of "+e.key, say.Quote(say.Clip(e.text)), expected)
	was := m.base
	if e.text == "" {
		message = e.key + " has no status"
	}
	if e.text == "" && was != nil && was.stories[e.name] != nil && was.stories[e.name].text != "" {
		message += "; in the base it is " + say.Quote(say.Clip(was.stories[e.name].text))
	} else if e.text == "" {
		was = nil
	}
	f := r.At(e.at, message).About(e.key).As(sdk.Warning).Advise("Write a valid status", "Use "+expected+".")
	if e.text == "" && was == nil {
		f.As(sdk.Info)
	}
}

// legal lists the statuses that BMAD accepts, including those of earlier versions.
var legal = map[kind][]string{
	anEpic: {"backlog", "in-progress", "done", "contexted"},
	aStory: {"backlog", "ready-for-dev", "in-progress", "review", "done", "drafted", "contexted"},
	aRetro: {"optional", "done", "completed"},
}

// meant returns the status that an unknown one contains or resembles, or "" if there is none. It never returns the
// status of finished work.
func (e *entry) meant() string {
	text := plain(e.text)
	for _, word := range legal[e.kind] {
		if slices.Contains(strings.Split(text, "-"), word) && statusOf(word).Left() {
			return word
		}
	}
	if word := words.Nearest(text, legal[e.kind]); statusOf(word).Left() {
		return word
	}
	return ""
}

// plain returns a status as BMAD would spell it.
func plain(text string) string {
	return strings.NewReplacer("_", "-", " ", "-").Replace(words.Lower(strings.TrimSpace(text)))
}

// legal reports whether BMAD accepts an entry's status, however it is spelled.
func (e *entry) legal() bool { return slices.Contains(legal[e.kind], plain(e.text)) }

// wordsUnknown reports words that BMAD's tools do not know, so that these tools miss the item. It accepts any word for
// a dropped or parked story, and the words of other tools around BMAD.
func (t *tracker) wordsUnknown(r *check.Report) {
	foreign := func(e *entry) string {
		text := plain(e.text)
		_, own := vocabulary.Own[strings.ReplaceAll(text, "-", "_")]
		if t.doc != nil && (e.status == status.Unknown && words.Says(text) || !own && e.status.Left() && !e.legal() &&
			!waits(text) && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz-") == "") {
			return e.kind.noun() + " " + text
		}
		return ""
	}
	for _, list := range work.Grouped(t.list, foreign) {
		var keys []string
		var edits []sdk.Edit
		e, to, title := list[0], list[0].spelled(), "Set the status to "+list[0].spelled()
		for _, o := range list {
			if keys = append(keys, o.key); o.spelled() != to {
				title = "Set each epic's status to match its stories"
			}
			edits = append(edits, sdk.SetText(o.path, o.at.Pointer, o.spelled()))
		}
		f := r.At(e.at, say.Count(len(list), e.kind.noun())+" "+say.Has(len(list))+" the status "+
			say.Quote(say.Clip(e.text))+", which BMAD does not know: "+say.List(keys)).
			Keyed(say.Clip(foreign(e))).As(sdk.Warning)
		if to != "" {
			f.Offer(sdk.Review, title, edits...)
		}
		if e.status == status.Unknown {
			f.Advise("Write a valid status", "Use "+[...]string{aStory: "backlog, ready-for-dev, in-progress, review " +
				"or done", anEpic: "backlog, in-progress or done", aRetro: "optional or done"}[e.kind]+".")
		}
	}
}

func (k kind) noun() string { return [...]string{"story", "epic", "retrospective"}[k] }

// spelled returns an entry's status in BMAD's words, or "" if it is unknown. An epic is as far along as its stories.
func (e *entry) spelled() string {
	switch {
	case e.status == status.Unknown:
		return e.meant()
	case e.kind == aRetro:
		return "optional"
	case e.kind == anEpic:
		return written(e.is)
	}
	return written(e.status)
}

func names(list []*entry) string {
	var keys []string
	for _, e := range list {
		keys = append(keys, e.key+" ("+say.Clip(e.text)+")")
	}
	return say.List(keys)
}

func epicDoneEarly(r *check.Report, m *model) {
	for _, e := range m.list {
		left := e.left
		if e.kind != anEpic || e.status != status.Done || len(left) == 0 {
			continue
		}
		title, edit := e.set(status.InProgress)
		f := r.At(e.at, e.key+" is done, but "+say.Count(len(left), "story")+" in it "+say.Are(len(left))+" not: "+
			names(left)+e.andUnknown()).About(e.key).
			See(left[0].at, "the first of these stories")
		if again := m.again(left); again != nil {
			f.Offer(sdk.Review, "Set the stories that were done in the base to "+
				"done", again...).Offer(sdk.Review, title, edit)
		} else if f.Offer(sdk.Review, title, edit); neverBegan(left) {
			var edits []sdk.Edit
			for _, s := range left {
				edits = append(edits, sdk.SetText(s.path, s.at.Pointer, "deferred"))
			}
			f.Offer(sdk.Review, "Defer the stories that never began", edits...)
		}
		if e.retro != nil && e.retro.status == status.Done || neverBegan(left) && len(left) < len(e.parts) ||
			!slices.ContainsFunc(left, func(s *entry) bool { return s.status != status.Review && !s.blocked() }) {
			f.As(sdk.Warning)
		}
	}
}

// neverBegan reports whether no story in the list was ever begun.
func neverBegan(list []*entry) bool {
	return !slices.ContainsFunc(list, func(s *entry) bool { return s.status != status.Open })
}

// again returns edits that set stories back to done, or nil if not all of them were done in the base.
func (m *model) again(list []*entry) (edits []sdk.Edit) {
	for _, e := range list {
		if m.base == nil || m.base.byKey[e.name] == nil || m.base.byKey[e.name].status != status.Done {
			return nil
		}
		_, edit := e.set(status.Done)
		edits = append(edits, edit)
	}
	return edits
}

// blocked reports whether a story's status says that it is blocked or waiting.
func (e *entry) blocked() bool { return waits(e.text) }

// waits reports whether a status says that work is blocked or waiting.
func waits(text string) bool {
	first := words.First(words.Lower(text))
	return first == "blocked" || first == "awaiting" || first == "waiting"
}

func epicBehind(r *check.Report, m *model) {
	for _, e := range m.list {
		is := e.is
		if e.kind != anEpic || e.status != status.Open || is == status.Open {
			continue
		}
		begun := 0
		for _, s := range e.parts {
			if s.status.Started() {
				begun++
			}
		}
		if begun == 0 {
			continue
		}
		title, edit := e.set(is)
		r.At(e.at, e.key+" is "+e.says()+", but "+say.Int(begun)+" of its "+say.Count(len(e.parts), "story")+" "+
			say.Has(begun)+" begun").About(e.key).Offer(sdk.Review, title, edit)
	}
}

// epicOpen reports epics and stories that are in progress although nothing in them is open. It skips contexted epics if
// no epic is done, because one version of BMAD never moves an epic beyond contexted.
func epicOpen(r *check.Report, m *model) {
	closes := slices.ContainsFunc(m.epics, func(e *entry) bool { return e.status == status.Done })
	for _, e := range m.list {
		if e.kind == anEpic && e.status == status.InProgress && e.is == status.Done &&
			(closes || plain(e.text) != "contexted") {
			title, edit := e.set(status.Done)
			r.At(e.at, e.key+" is in progress, but "+work.SayAll(len(e.parts), "story")+" done").About(e.key).
				Offer(sdk.Review, title, edit)
		}
		if e.kind == aStory && e.built() {
			edits := e.file.write(e.spell(status.Review))
			if e.at.Pointer != "" {
				_, edit := e.set(status.Review)
				edits = append(edits, edit)
			}
			r.At(e.at, e.key+" is in progress, but "+work.SayAll(e.file.boxes().all, "task")+" ticked").About(e.key).
				Offer(sdk.Review, "Set "+e.key+" to "+e.spell(status.Review), edits...)
		}
	}
}

func retroEarly(r *check.Report, m *model) {
	for _, e := range m.list {
		if e.kind != aRetro || e.status != status.Done || e.epic == nil {
			continue
		}
		if left := e.epic.left; len(left) > 0 && e.epic.status != status.Done {
			r.At(e.at, e.key+" is done, but "+say.Count(len(left), "story")+" of "+e.epic.key+" "+say.Are(len(left))+
				" not: "+names(left)+e.epic.andUnknown()).About(e.key)
		}
	}
}

// keyUnmatched reports keys that BMAD's own check does not accept as an epic with its stories.
func keyUnmatched(r *check.Report, m *model) {
	told := map[string]bool{} // missing epics that were reported
	for _, t := range m.trackers {
		if len(t.epics) == 0 { // the sprint has no epics
			continue
		}
		numbered := slices.ContainsFunc(t.stories, func(s *entry) bool { return s.number != "" })
		for _, e := range t.list {
			text := ""
			epic, _, _ := strings.Cut(e.number, "-")
			switch {
			case e.kind == aStory && e.number == "" && numbered && t.epicOf(e) == nil:
				text = "has no number, unlike the other stories"
			case e.kind == aStory && e.epic == nil && !told[epic] && !m.left("epic-"+epic): // else item-lost reports it
				told[epic], text = true, "belongs to an epic that the tracker lacks"
			case e.kind == anEpic && len(e.parts) == 0 && e.status.Started():
				text = "is " + e.says() + ", but has no stories"
			default:
				continue
			}
			r.At(e.at, e.key+" "+text).About(e.key)
		}
	}
}

// actionsUnknown reports unknown statuses of a retrospective's action items.
func (t *tracker) actionsUnknown(r *check.Report) {
	for i, v := range t.root.Get("action_items").Elements() {
		if text, ok := v.Get("status").Text(); ok && statusOf(text) == status.Unknown {
			r.At(sdk.AtPointer(t.path, "/action_items/"+say.Int(i)+"/status"), "the status of action item "+
				say.Int(i+1)+" is "+say.Quote(say.Clip(text))+"; expected open, in-progress or done").
				Keyed("action " + say.Int(i)).As(sdk.Info)
		}
	}
}

// numberRepeated also reports a second file of a story: an untracked file that has tasks, and the number and title of a
// tracked story's file.
func numberRepeated(r *check.Report, m *model) {
	for _, e := range m.all {
		if e.file == nil || e.serial == "" || e.at.Pointer == "" {
			continue
		}
		for _, s := range m.numbered[e.serial] {
			if s != e.file && !s.spec() && m.byKey[s.name()] == nil && s.status != status.Unknown &&
				s.title() != "" && s.title() == e.file.title() && s.boxes().all > 0 {
				r.At(s.claims(), e.key+" has two files: "+e.file.doc.Path+" and "+s.doc.Path).About(s.name()).
					See(e.file.claims(), "the file that BMAD reads").
					Advise("Keep one file", "Keep the work of both in "+e.file.doc.Path+", and remove "+s.doc.Path+
						", or give it another number.")
			}
		}
	}
	for _, t := range m.trackers {
		first := map[string]*entry{}
		for _, e := range t.stories {
			if e.serial == "" || e.status == status.Cancelled {
				continue
			}
			if other := first[e.serial]; other != nil {
				r.At(e.at, e.serial+" appears twice: "+other.key+" and "+e.key).About(e.key).See(other.at, other.key)
				continue
			}
			first[e.serial] = e
		}
	}
}

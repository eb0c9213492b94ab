package bmad

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words/status"
)

// untracked creates stories from the numbered files of a project without a tracker. In such a file, "Approved" means
// ready: BMAD 4 gives a story this status before it is built. If no file has a status, the files are something else,
// unless they were stories in the base.
func (m *model) untracked(base *model) {
	t := &tracker{byKey: map[string]*entry{}}
	known := base != nil && len(base.trackers) > 0
	for _, name := range m.names {
		s := m.stories[name]
		e := &entry{key: name, name: name, text: s.text, status: s.status, at: s.claims(), path: s.doc.Path,
			number: numberOf(keyOf(name)), serial: serialOf(keyOf(name))}
		if e.status == status.Unknown {
			e.status = statusOf(s.text)
		}
		if e.number != "" && m.isStory(e, base) {
			t.list, t.stories, t.byKey[name] = append(t.list, e), append(t.stories, e), e
			known = known || e.status != status.Unknown
		}
	}
	if known && len(t.list) > 0 {
		m.trackers = append(m.trackers, t)
	}
}

// spell returns a status in the words of the version that wrote a story. A file such as 1.2.name.md is from BMAD 4.
func (e *entry) spell(is status.Status) string {
	if e.dotted() {
		return [...]string{status.Open: "Draft", status.Ready: "Approved", status.InProgress: "InProgress",
			status.Review: "Review", status.Done: "Done"}[is]
	}
	return written(is)
}

// by names the skill that does a step, or returns "" for BMAD 4, which has no skills.
func (e *entry) by(skill string) string {
	if e.dotted() {
		return ""
	}
	return " (" + skill + ")"
}

// dotted reports whether a story without a tracker has a dotted number.
func (e *entry) dotted() bool { return e.at.Pointer == "" && !strings.HasPrefix(e.name, e.number) }

// unknown returns a story's title in a brief if its status is unknown.
func (e *entry) unknown() string {
	if e.text == "" {
		return e.key + " (it has no status)"
	}
	return e.key + " (its status is " + say.Quote(say.Clip(e.text)) + ", which BMAD does not know)"
}

// tracked reports whether the project has a tracker.
func (m *model) tracked() bool {
	return slices.ContainsFunc(m.trackers, func(t *tracker) bool { return t.doc != nil })
}

// isStory reports whether a file with a number is a story. A file without a known status is a story if it has tasks and
// no other file with its number has a status. If another file has a status, that file is the story, and this one is a
// note on it. So is a finished file without tasks, such as a report, if another file has tasks and a status.
func (m *model) isStory(e *entry, base *model) bool {
	if base != nil && base.byKey[e.name] != nil || e.status.Left() {
		return true
	}
	s := m.stories[e.name]
	if e.status == status.Unknown {
		return s.boxes().all > 0 && !slices.ContainsFunc(m.numbered[e.serial], func(other *story) bool {
			return other != s && other.text != ""
		})
	}
	return !slices.ContainsFunc(m.numbered[e.serial], func(other *story) bool {
		return other != s && other.text != "" && other.boxes().all > 0 && s.boxes().all == 0
	})
}

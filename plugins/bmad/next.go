package bmad

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
	"github.com/stategate/stategate/sdk/work"
)

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

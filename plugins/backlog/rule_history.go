package backlog

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/tasks"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

// many is the number of deleted tasks from which an accident is more likely than decisions about single tasks.
const many = 5

// gone returns the base tasks that no longer exist in any folder: the finished ones if over is true, and the unfinished
// ones otherwise.
func (m *model) gone(over bool) []*task {
	if !m.docs.Complete() {
		return nil
	}
	titles := map[string]bool{}
	for _, t := range m.tasks {
		titles[t.title] = true
	}
	var lost []*task
	for _, was := range m.base.tasks {
		if was.over != over || was.folder != "tasks" && (!over || was.folder != "completed") || titles[was.title] ||
			m.docs.Get(was.doc.Path) != nil {
			continue
		}
		// Another task may have the id: a duplicate in the base, or one that took the id since.
		if is := m.find(was.id); is == nil || m.base.docs.Get(is.doc.Path) != nil || m.docs.Known(was.doc.Path) &&
			!is.like(was) && !m.renumbered(was) {
			lost = append(lost, was)
		}
	}
	return lost
}

// renumbered reports whether a base task has another id now: a new file has a similar title, or contains a long line of
// the task's text.
func (m *model) renumbered(was *task) bool {
	return slices.ContainsFunc(m.tasks, func(t *task) bool {
		if t.key == was.key || m.base.docs.Get(t.doc.Path) != nil {
			return false
		}
		return t.titledLike(was) || slices.ContainsFunc(was.prose(), func(line string) bool {
			return len(line) >= 60 && strings.Contains(t.front.Body, line)
		})
	})
}

// shares reports whether two tasks have a line of prose or the minute of their creation in common: a task that was
// only retitled keeps both.
func (t *task) shares(o *task) bool {
	born := t.front.Value("created_date")
	if strings.Contains(born, ":") && born == o.front.Value("created_date") {
		return true
	}
	other := o.prose()
	return slices.ContainsFunc(t.prose(), func(line string) bool { return slices.Contains(other, line) })
}

// prose lists the lines of a task except headings, comments, rules, code fences and acceptance criteria.
func (t *task) prose() (list []string) {
	for line := range strings.Lines(t.front.Body) {
		line = strings.TrimSpace(line)
		if words.Says(line) && line[0] != '#' && !strings.HasPrefix(line, "```") &&
			!strings.HasPrefix(line, "<!--") && !strings.HasPrefix(line, "- [") && !strings.HasPrefix(line, "* [") {
			list = append(list, line)
		}
	}
	return list
}

func configLost(r *check.Report, m *model) {
	for _, path := range configPaths {
		if d := m.base.docs.Get(path); d == nil || !d.Readable() || !m.docs.Known(path) {
			continue
		}
		if len(m.docs.Match("config.{yml,yaml}")) == 0 && r.Presence(m.rootConfig) == sdk.Absent {
			r.Missing(path, "")
		}
	}
}

// titledLike reports whether two titles are equal or similar.
func (t *task) titledLike(was *task) bool {
	return t.title == was.title || tasks.SameTitle(tasks.FoldTitle(t.title), tasks.FoldTitle(was.title))
}

// like reports whether a task is the same as a base task with the same id. A new title alone does not make it another
// task.
func (t *task) like(was *task) bool {
	return t.titledLike(was) || t.doc.Path == was.doc.Path || t.shares(was)
}

// criteriaGone reports a task that lost more criteria than it gained, and does not explain the loss. A task that was
// also set to done may only look done because of the loss. If a done task still has an open criterion, criteria-open
// reports it instead.
func criteriaGone(r *check.Report, was, is *task) {
	if !is.active || !is.front.Closed || was.boxes().all == 0 || is.explained(is.boxes().unmet) ||
		is.status.Finished() && (is.status != status.Done || is.boxes().open > 0) {
		return
	}
	text := tasks.Told(is.front.Body, tasks.Boxes(markdown.Blocks(is.front.Body), &form))
	p := tasks.Pair(was.boxes().list, is.boxes().list)
	gone := p.Gone(func(c *tasks.Task) bool { return !strings.Contains(text, c.Title) })
	var names, numbers []string
	for _, c := range gone {
		names, numbers = append(names, say.Quote(c.Text)), append(numbers, c.ID)
	}
	if len(gone) <= len(p.New()) || is.explained(numbers) {
		return
	}
	done := ""
	switch {
	case is.status == status.Done && was.status == status.Done:
		done = " is done, but"
	case is.status == status.Done:
		done = " was set to done, but"
	}
	r.At(is.at("status"), is.id+done+" lacks "+say.Count(len(gone), "acceptance criterion")+
		" that the base has: "+say.List(names)).
		About(is.key).Keyed("gone").As(sdk.Warning)
}

func cutShort(r *check.Report, m *model) {
	for _, t := range m.tasks {
		if t.active && t.front.Closed { // otherwise task-unreadable reports it
			for _, f := range r.CutShort(t.doc.Path) {
				f.About(t.key)
			}
		}
	}
}

// summaryLost reports tasks that were done in the base, still are, and lost their final summary. If the file still has
// the summary's first line, the summary was only moved.
func summaryLost(r *check.Report, m *model) {
	for _, was := range m.base.tasks {
		is := m.now(was)
		if is == nil || was.status != status.Done || is.status != status.Done || was.doc.Text == is.doc.Text {
			continue
		}
		section, first := was.summary()
		if _, kept := is.summary(); first == "" || kept != "" || strings.Contains(is.front.Body, first) {
			continue
		}
		at := len(strings.TrimRight(is.doc.Text, " \t\r\n"))
		r.At(is.at("status"), is.id+" is done, but lost its final summary: "+say.Quote(first)).About(is.key).
			Offer(sdk.Review, "Restore the final summary", sdk.Replace(sdk.AtBytes(is.doc.Path, at,
				len(is.doc.Text)), sdk.Literal("\n\n"+section+"\n")))
	}
}

// summary returns the section with a task's final summary, and the first line of its text. Backlog.md writes a marker
// after the text, which may contain headings.
func (t *task) summary() (section, first string) {
	const title, end = "## Final Summary\n", "<!-- SECTION:FINAL_SUMMARY:END -->"
	_, text, found := strings.Cut("\n"+strings.ReplaceAll(t.front.Body, "\r\n", "\n"), "\n"+title)
	if !found {
		return "", ""
	}
	if inside, _, marked := strings.Cut(text, end); marked {
		text = inside + end
	} else {
		text, _, _ = strings.Cut(text, "\n## ")
	}
	for line := range strings.Lines(text) {
		if first == "" && !strings.HasPrefix(line, "<!--") {
			first = strings.TrimSpace(line)
		}
	}
	return title + strings.TrimRight(text, " \t\n"), first
}

// criteriaEnd is the marker that Backlog.md writes after the criteria.
const criteriaEnd = "<!-- AC:END -->"

func (t *task) closed() bool { return strings.Contains(t.front.Body, criteriaEnd) }

// criteriaLost compares the acceptance criteria of tasks with the base. The criteria of a done task record what was
// proved.
func criteriaLost(r *check.Report, m *model) {
	for _, was := range m.base.tasks {
		is := m.now(was)
		if is == nil || was.doc.Text == is.doc.Text || was.status == status.Done && was.boxes().ticked == 0 {
			continue
		}
		then := "; the base has " + say.Int(was.boxes().all) + ", " + say.Int(was.boxes().ticked) + " of them ticked"
		switch done := was.status == status.Done && is.status == status.Done; {
		case done && is.boxes().all == 0:
			if !is.explained(is.boxes().unmet) {
				r.At(is.at("status"), is.id+" is done, but no longer has acceptance criteria"+then).About(is.key)
			}
		case done && was.closed() && !is.closed():
			r.At(is.at("status"), is.id+" is done, but its acceptance criteria are cut off: "+criteriaEnd+
				" is missing after them"+then).About(is.key)
		default:
			criteriaGone(r, was, is)
		}
	}
}

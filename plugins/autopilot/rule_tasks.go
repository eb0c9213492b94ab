package autopilot

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

func taskMismatch(l *finder) {
	m, h := l.m, l.m.hand
	if !m.inRange() {
		return
	}
	states := map[int]taskState{}
	var bad *handRow
	message := ""
	for n := range h.rows {
		row := &h.rows[n]
		first, seen := states[row.n]
		switch {
		case seen && first != row.state:
			l.At(row.at, "task "+itoa(row.n)+" has two rows with different statuses").
				Advise("Keep one row", "find out how far task "+itoa(row.n)+" is and keep one row for it")
			return
		case bad != nil:
		case row.n == h.task && row.state == taskDone:
			bad, message = row, "task "+itoa(row.n)+" is done here, but task is "+itoa(h.task)+" in the front matter"
		case row.n < h.task && row.state != taskDone && row.state != taskUnknown:
			bad, message = row, "task "+itoa(row.n)+" is not done here, but task is "+itoa(h.task)+" in the front matter"
		}
		states[row.n] = row.state
	}
	if bad == nil {
		return
	}
	f := l.At(bad.at, message).See(h.at[keyTask], "the current task")
	if n := firstOpen(states); n > 0 && n <= h.total {
		if edits := h.set("task", n); edits != nil {
			f.Offer(sdk.Review, "Go on from task "+itoa(n), edits...)
			return
		}
	}
	f.Advise("Find out which tasks are done", "look at git log and correct the rows or the front matter")
}

// firstOpen is the lowest number that is not done; what is not listed counts as done
// below the highest done row.
func firstOpen(states map[int]taskState) int {
	highest, open := 0, 0
	for n, s := range states {
		if s == taskDone {
			highest = max(highest, n)
		} else if open == 0 || n < open {
			open = n
		}
	}
	if open == 0 || open > highest+1 {
		open = highest + 1
	}
	return open
}

// set is the edit of a number of the front matter, none if it is not there.
func (h *hand) set(key string, n int) []sdk.Edit {
	for _, f := range h.fields {
		if words.Alike(f.Key(), key) {
			if e, ok := f.Set(itoa(n)); ok {
				return sdk.Edits(h.doc.Path, e)
			}
		}
	}
	return nil
}

// finished are the tasks with a row that is done.
func (h *hand) finished() map[int]bool {
	done := map[int]bool{}
	for n := range h.rows {
		if h.rows[n].state == taskDone {
			done[h.rows[n].n] = true
		}
	}
	return done
}

func finishedRemaining(l *finder) {
	h := l.m.hand
	done := h.finished()
	for n := range h.remaining {
		it := &h.remaining[n]
		for task := it.from; task <= it.to && task > 0; task++ {
			if !done[task] {
				continue
			}
			f := l.At(it.span(), "task "+itoa(task)+" is done above, and remains here").Keyed(clip(it.text, 100))
			if it.from == it.to {
				f.Offer(sdk.Review, "Take the item out", it.remove(h.doc.Text))
			} else {
				f.Advise("Split the item", "take task "+itoa(task)+" out of it")
			}
			break
		}
	}
}

func taskUnaccounted(l *finder) {
	m, h := l.m, l.m.hand
	if !m.inRange() || h.odd || h.total > 5000 || len(h.rows) == 0 {
		return
	}
	listed := make([]bool, h.total+1)
	for n := range h.remaining {
		it := &h.remaining[n]
		for task := it.from; task <= min(it.to, h.total); task++ {
			listed[task] = true
		}
	}
	open := map[int]bool{}
	for n := range h.rows {
		row := &h.rows[n]
		if row.n > h.task && row.state != taskDone && !listed[row.n] {
			open[row.n] = true
		}
	}
	for n := range h.rows {
		listed[h.rows[n].n] = true
	}
	var missing []string
	lost := false
	for n := 1; n <= h.total; n++ {
		if !listed[n] || open[n] {
			missing = append(missing, itoa(n))
			lost = lost || !listed[n] && m.base != nil && m.base.hand != nil && m.base.hand.lists(h, n)
		}
	}
	switch {
	case len(missing) > 0:
		unless(l.At(h.remainingAt, "task "+say.List(missing)+" of "+itoa(h.total)+" is neither done nor under Remaining Work, and would be forgotten"), lost).
			Advise("Account for it", "list it under Remaining Work, or as done with its commit")
	case len(h.remaining) == 0 && len(h.finished()) < h.total:
		l.At(h.remainingAt, "Remaining Work is empty, but "+itoa(len(h.finished()))+" of "+say.Count(h.total, "task")+" are done").As(sdk.Warning).
			Advise("Account for it", "list what remains under Remaining Work")
	}
}

// lists reports whether a task of another hand-off, for the same plan, is in one of the lists of this one.
func (h *hand) lists(other *hand, n int) bool {
	remains := func(it handItem) bool { return it.from <= n && n <= it.to }
	return h.phase == other.phase && h.plan == other.plan && (h.row(n) != nil || slices.ContainsFunc(h.remaining, remains))
}

func taskWithoutCommit(l *finder) {
	h := l.m.hand
	for n := range h.rows {
		if row := &h.rows[n]; row.state == taskDone && !isCommit(row.commit) {
			l.At(row.commitCell, "task "+itoa(row.n)+" is done, but has no commit to verify it by").Keyed(itoa(row.n)).
				Advise("Name the commit", "find the commit of task "+itoa(row.n)+" in git log")
		}
	}
}

// isCommit reports whether a text is a commit, of either kind of hash, or the beginning of one.
func isCommit(s string) bool {
	for n := range len(s) {
		if c := s[n] | 0x20; !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f') {
			return false
		}
	}
	return len(s) >= 6 && len(s) <= 64
}

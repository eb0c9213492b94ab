package tasks

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
)

// PutBack returns edits that restore lost tasks unchanged. Each task goes after the task that preceded it, or else
// before the task that followed it, with the blank line that was between them. PutBack returns no edits if a lost task
// has no remaining neighbor in its section, has a part that still exists, or has an id that another task uses now.
func (p *Pairing) PutBack(path, before, now string, lost []*Task) []sdk.Edit {
	type piece struct {
		at   int
		text string
	}
	var pieces []piece
	lost = p.wholes(lost)
	for i, t := range p.was.tasks {
		if !slices.Contains(lost, t) {
			continue
		}
		at, after := p.place(i, now)
		if at < 0 || p.partLeft(t) || p.taken(t.ID) {
			return nil
		}
		start, end := lineStart(before, t.Start), filled(before, t.Start, t.ItemEnd)
		text := before[start:end] + "\n"
		switch {
		case after && strings.HasSuffix(before[:start], "\n\n"):
			text = "\n" + text
		case !after && strings.HasPrefix(before[end:], "\n\n"):
			text += "\n"
		}
		if n := len(pieces); n > 0 && pieces[n-1].at == at {
			pieces[n-1].text += text
		} else {
			pieces = append(pieces, piece{at, text})
		}
	}
	var edits []sdk.Edit
	for _, piece := range pieces {
		if piece.at > 0 && now[piece.at-1] != '\n' {
			piece.text = "\n" + piece.text
		}
		edits = append(edits, sdk.Replace(sdk.AtBytes(path, piece.at, piece.at), piece.text))
	}
	return edits
}

// wholes lists the outermost missing tasks: the lost tasks themselves, or missing tasks that contained them.
func (p *Pairing) wholes(lost []*Task) (list []*Task) {
	for _, t := range lost {
		whole := t
		for i, o := range p.was.tasks {
			if o.Start < t.Start && t.Start < o.ItemEnd && p.was.found[i].Task == nil {
				whole = o
				break
			}
		}
		if !slices.Contains(list, whole) {
			list = append(list, whole)
		}
	}
	return list
}

// partLeft reports whether part of a lost task still exists.
func (p *Pairing) partLeft(lost *Task) bool {
	for i, t := range p.was.tasks {
		if t.Start > lost.Start && t.Start < lost.ItemEnd && p.was.found[i].Task != nil {
			return true
		}
	}
	return false
}

// taken reports whether a present task has the id.
func (p *Pairing) taken(id string) bool {
	return id != "" && slices.ContainsFunc(p.is.tasks, func(t *Task) bool { return t.ID == id })
}

// place returns the offset at which to insert a lost task, or -1 if it has no neighbor left. after reports whether
// that offset follows the neighbor.
func (p *Pairing) place(lost int, now string) (at int, after bool) {
	t := p.was.tasks[lost]
	for i := lost - 1; i >= 0; i-- {
		was, is := p.was.tasks[i], p.was.found[i].Task
		switch {
		case was.Section != t.Section:
			i = 0
		case was.Depth > t.Depth || is == nil:
		case t.Start < was.ItemEnd: // the lost task was within it
			return lineEnd(now, filled(now, is.Start, is.End)), true
		default:
			return lineEnd(now, filled(now, is.Start, is.ItemEnd)), true
		}
	}
	for i := lost + 1; i < len(p.was.tasks) && p.was.tasks[i].Section == t.Section; i++ {
		if is := p.was.found[i].Task; is != nil && p.was.tasks[i].Depth == t.Depth {
			return lineStart(now, is.Start), false
		}
	}
	return -1, false
}

// filled returns the offset after the last character in part of a document that is not white space.
func filled(text string, start, end int) int {
	return start + len(strings.TrimRight(text[start:end], " \t\r\n"))
}

func lineStart(text string, at int) int { return strings.LastIndexByte(text[:at], '\n') + 1 }

// lineEnd returns the offset at which the next line begins.
func lineEnd(text string, at int) int {
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}

package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/words"
)

// A pairing says which task of the base is which one of this revision.
type pairing struct{ now, then map[*task]*task }

// pair finds the tasks of the base by their words, by their titles or what these begin with where they have other
// numbers, and the others by their numbers. What two tasks of a revision share pairs none.
func (m *model) pair() *pairing {
	if m.pairs != nil || m.base == nil {
		return m.pairs
	}
	p := &pairing{make(map[*task]*task, len(m.tasks)), make(map[*task]*task, len(m.tasks))}
	m.pairs = p
	if m.list != nil && m.base.list != nil && m.list.Digest == m.base.list.Digest {
		for i, t := range m.tasks {
			p.now[m.base.tasks[i]], p.then[t] = t, m.base.tasks[i]
		}
		return p
	}
	p.bind(m, (*task).says)
	p.bind(m, (*task).title)
	p.bind(m, func(t *task) string {
		if t.up == nil {
			return ""
		}
		return t.up.title() + "\n" + t.title()
	})
	p.grown(m)
	p.bind(m, func(t *task) string { return t.number })
	return p
}

// bind pairs tasks that have none by a key.
func (p *pairing) bind(m *model, key func(*task) string) {
	if len(p.now) == len(m.base.tasks) || len(p.then) == len(m.tasks) {
		return
	}
	now, then := unpaired(m.tasks, p.then, key), unpaired(m.base.tasks, p.now, key)
	for k, was := range then {
		if t := now[k]; was != nil && t != nil {
			p.now[was], p.then[t] = t, was
		}
	}
}

// grown pairs tasks of which one's title begins with that of the other, where that holds for no third one.
func (p *pairing) grown(m *model) {
	then, now := unpaired(m.base.tasks, p.now, (*task).title), unpaired(m.tasks, p.then, (*task).title)
	partner := map[*task]*task{} // nil where there are several
	meet := func(a, b *task) {
		if a != nil {
			if _, met := partner[a]; met {
				b = nil
			}
			partner[a] = b
		}
	}
	for _, side := range [][2]map[string]*task{{then, now}, {now, then}} {
		for title, t := range side[0] {
			for _, beginning := range beginnings(title) {
				if other, ok := side[1][beginning]; ok {
					meet(t, other)
					meet(other, t)
				}
			}
		}
	}
	for _, was := range m.base.tasks {
		if t := partner[was]; t != nil && partner[t] == was {
			p.now[was], p.then[t] = t, was
		}
	}
}

// beginnings are those of a title up to a blank, of 12 to 500 bytes.
func beginnings(title string) (list []string) {
	for i := 12; i < min(len(title), 501); i++ {
		if title[i] == ' ' {
			list = append(list, title[:i])
		}
	}
	return list
}

// unpaired are the tasks without one that they are paired with, by a key; nil for a key that two have.
func unpaired(tasks []*task, paired map[*task]*task, key func(*task) string) map[string]*task {
	list := make(map[string]*task, len(tasks)-len(paired))
	for _, t := range tasks {
		if paired[t] != nil {
			continue
		}
		k := key(t)
		if _, twice := list[k]; twice || k == "" {
			t = nil
		}
		list[k] = t
	}
	return list
}

// find is the task that one of the base is in this revision, nil if it is gone or cannot be told.
func (m *model) find(was *task) *task { return m.pair().now[was] }

// before is the task in the base, nil without one.
func (m *model) before(t *task) *task {
	if m.base == nil {
		return nil
	}
	return m.pair().then[t]
}

// gone are the tasks of the base that this revision does not have. One that cannot be told from another is not gone.
func (m *model) gone(accept func(*task) bool) []*task {
	var list []*task
	var moved map[string]bool
	for _, was := range m.base.tasks {
		if accept(was) && m.find(was) == nil && len(m.saying(was.says())) == 0 &&
			!slices.ContainsFunc(m.of(was.number), func(t *task) bool { return m.before(t) == nil }) {
			if moved == nil {
				moved = m.moved()
			}
			if !moved[was.number] {
				list = append(list, was)
			}
		}
	}
	return list
}

// moved are the numbers of tasks that a line of tasks.md, other than a task, says were moved, merged or given up: ">
// Task 3 moved to …".
func (m *model) moved() map[string]bool {
	list := map[string]bool{}
	for line := range strings.Lines(m.list.Text) {
		line = words.TrimLeft(line, " \t>-*+_")
		if line == "" || line[0]|0x20 != 't' && line[0]|0x20 != 'n' {
			continue
		}
		line = words.Lower(line)
		if !strings.HasPrefix(line, "task") && !strings.HasPrefix(line, "note") {
			continue
		}
		if at := movedTo.Index(line); at >= 0 {
			for _, number := range numbersOf(line[:at]) {
				list[number] = true
			}
		}
	}
	return list
}

var movedTo = words.ListOf("moved", "merged", "dropped", "deferred", "removed", "superseded", "cancelled", "canceled",
	"covered by", "folded", "split")

// verbs are words that say nothing of what a task is about.
var verbs = words.ListOf("implement", "create", "build", "write", "add", "update", "make", "define", "test", "tests",
	"testing", "unit", "integration", "with", "from", "into", "that", "this", "support", "each", "task", "file",
	"files", "code", "json", "yaml", "java", "html")

// alike reports whether the titles of two tasks, or the names of the files that they make, have a word in common. In
// scripts without blanks two characters are enough.
func alike(a, b *task, filesA, filesB []file) bool {
	list := subjects(a, filesA)
	return slices.ContainsFunc(subjects(b, filesB), func(word string) bool { return slices.Contains(list, word) })
}

func subjects(t *task, files []file) (list []string) {
	text := t.title()
	for _, f := range files {
		text += " " + words.Lower(f.path[strings.LastIndexByte(f.path, '/')+1:])
	}
	for _, word := range strings.FieldsFunc(text, func(c rune) bool {
		return c < 0x80 && !words.IsWord(byte(c)) ||
			c == '_'
	}) {
		runes := []rune(word)
		switch {
		case runes[0] >= 0x3000:
			for i := range len(runes) - 1 {
				list = append(list, string(runes[i:i+2]))
			}
		case len(runes) > 3 && !verbs.Has(word):
			list = append(list, word)
		}
	}
	return list
}

// swapped reports whether a task of the base was replaced by another one under its number, which makes other files, and
// keeps its tick.
func (m *model) swapped(was, t *task) bool {
	if !was.done() || !t.done() || was.says() == t.says() || was.title() == t.title() {
		return false
	}
	then, now := filesOf(was.own(m.base.list)), filesOf(t.own(m.list))
	return len(then) > 0 && len(now) > 0 && !alike(was, t, then, now) &&
		!slices.ContainsFunc(now, func(f file) bool {
			return slices.ContainsFunc(then,
				func(o file) bool { return o.path == f.path })
		})
}

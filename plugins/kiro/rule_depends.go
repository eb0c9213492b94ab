package kiro

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// needs are the numbers of the tasks that a task depends on, of one series or plain.
func (t *task) needs(d *sdk.Document) []string { return numbersOf(t.note(d, "Depends:")) }

// numbersOf lists the words of a text that are numbers of tasks.
func numbersOf(text string) []string {
	var list []string
	for _, word := range strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ';' || c == ' ' || c == '、' }) {
		if number := strings.TrimRight(word, "."); number != "" && isDigit(number[0]) && strings.Trim(number, "0123456789.") == "" {
			list = append(list, number)
		}
	}
	return list
}

func dependencyMissing(r *check.Report, m *model) {
	if m.list == nil {
		return
	}
	for _, t := range m.tasks {
		var gone []string
		for _, n := range t.needs(m.list) {
			if len(m.of(n)) == 0 {
				gone = append(gone, n)
			}
		}
		if len(gone) > 0 {
			r.At(sdk.AtLine("tasks.md", t.line), say.Quote(t.text)+" depends on "+say.And(gone...)+", and tasks.md has no such task").Keyed(t.key())
		}
	}
	for _, f := range m.list.Outline().Document().Fences() {
		var gone []string
		waves := wavesOf(f.Text())
		for _, n := range waves {
			if len(m.of(n)) == 0 {
				gone = append(gone, n)
			}
		}
		if 2*len(gone) > len(waves) { // an example, or of another list
			continue
		}
		if len(gone) > 0 {
			r.At(sdk.AtLine("tasks.md", f.Line()), "the dependency graph has "+say.Count(len(gone), "task")+" that tasks.md does not have: "+say.List(gone)).Keyed("graph")
		}
	}
}

// wavesOf are the tasks of a graph as Kiro writes it: {"waves": [{"id": 0, "tasks": ["1.1"]}, …]}, or with lists for waves.
func wavesOf(code string) []string {
	if !strings.Contains(code, `"waves"`) {
		return nil
	}
	doc, err := jsondoc.Parse(code)
	if err != nil {
		return nil
	}
	var list []string
	for _, wave := range doc.Root().Get("waves").Elements() {
		if wave.Kind() == jsondoc.Object {
			wave = wave.Get("tasks")
		}
		for _, id := range wave.Elements() {
			text, _ := id.Text()
			list = append(list, numbersOf(text)...)
		}
	}
	return list
}

func dependencyOpen(r *check.Report, m *model) {
	for _, t := range m.tasks {
		if !t.done() {
			continue
		}
		for _, n := range t.needs(m.list) {
			if on := m.of(n); len(on) == 1 && on[0].open() && !on[0].waived() {
				r.At(sdk.AtLine("tasks.md", t.line), say.Quote(t.text)+" is ticked, but "+n+", on which it depends, is open"+say.Line(m.list, on[0].start)).Keyed(t.key() + " " + n)
			}
		}
	}
}

func blockedTicked(r *check.Report, m *model) {
	for _, t := range m.tasks {
		if why := t.note(m.list, "Blocked:"); t.done() && why != "" {
			r.At(sdk.AtBytes("tasks.md", t.markAt-1, t.markEnd+1), say.Quote(t.text)+" is ticked and blocked: "+say.Quote(why)).Keyed(t.key()).
				Offer(sdk.Review, "Untick it", t.set(" "))
		}
	}
}

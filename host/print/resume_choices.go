package print

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/result"
)

// MostChoices is the number of runs to choose from that are listed.
const MostChoices = 10

type choosing struct {
	*briefing
	about *Resumption
}

// list writes one line per run: its command, when it was last updated, and its next step.
func (b *choosing) list(list []result.Run) {
	if len(list) == 0 {
		return
	}
	var items []string
	var rows [][3]string
	for i := range list[:min(len(list), MostChoices)] {
		c := &list[i]
		next, label, updated := c.State().String(), "", ago(b.about.Now, c.Updated.At)
		if c.Self != nil && c.InProgress() {
			label = "next: "
			next = cmp.Or(c.Self.Resume.Next, c.Self.Resume.First)
		}
		next = cmp.Or(fixFirst(c, b.how.FailOn), next)
		rows = append(rows, [3]string{Safe(c.Resume), updated, Safe(next)})
		item := span(c.Name()) + ", updated " + updated + ": " + span(c.Resume+" --format markdown")
		if next != "" {
			item += "; " + label + span(next)
		}
		items = append(items, item)
	}
	rest := moreChoices(list)
	switch {
	case !b.markdown:
		if b.begun {
			b.line()
		}
		b.begun = true
		b.lines(rows)
		if rest != "" {
			b.line("  ", b.faint(rest))
		}
		return
	case rest != "":
		items = append(items, rest)
	}
	b.briefing.list(items)
}

// moreChoices counts the runs that are not listed. It returns "" if all runs are listed.
func moreChoices(list []result.Run) string {
	if n := len(list) - MostChoices; n > 0 {
		return "… and " + Count(n, "more run") + ": stategate status"
	}
	return ""
}

// numbered writes status's table with numbers to choose from.
func (b *briefing) numbered(x *Resumption) {
	b.line()
	o := &overview{&report{printer: b.printer}, &View{Now: x.Now}, nil}
	rows, places := []row{heads}, result.Places(x.Choices)
	most := min(len(x.Choices), MostChoices)
	for i := range most {
		row := o.row(&x.Choices[i], places[i])
		row.mark = padded(strconv.Itoa(i+1), len(strconv.Itoa(most)))
		rows = append(rows, row)
	}
	o.tableRows(rows)
	if rest := moreChoices(x.Choices); rest != "" {
		b.line(b.faint(rest))
	}
	b.line()
}

// lines writes one line per run. On a terminal, the next step is truncated to the width or moves to its own line.
func (b *choosing) lines(rows [][3]string) {
	var width [3]int
	for _, row := range rows {
		for n, cell := range row {
			width[n] = max(width[n], Columns(cell))
		}
	}
	gap, room := "  ", b.how.Width-len("  ")-width[0]-len("  ")-width[1]-len("  ")
	if b.how.Width > 0 && room < min(leastNext, width[2]) {
		gap, room, width[0] = "\n      ", b.how.Width-len("      ")-width[1]-len("  "), 0
	}
	for _, row := range rows {
		if b.how.Width > 0 {
			row[2] = firstColumns(row[2], room)
		}
		b.line(strings.TrimRight("  "+padded(row[0], width[0])+gap+padded(row[1], width[1])+"  "+row[2], " "))
	}
}

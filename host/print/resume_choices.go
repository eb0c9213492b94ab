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
	var rows [][]string
	for i := range list[:min(len(list), MostChoices)] {
		c := &list[i]
		next, command, label := c.State().String(), c.Resume, ""
		if c.Self != nil && c.InProgress() {
			label = "next: "
			next = cmp.Or(c.Self.Resume.Next, c.Self.Resume.First)
		}
		next = cmp.Or(fixFirst(c, b.how.FailOn), next)
		if b.markdown {
			command += " --format markdown"
		}
		rows = append(rows, []string{command, c.Name(), ago(b.about.Now, c.Updated.At), next, label})
	}
	rest := moreChoices(list)
	if !b.markdown {
		if b.begun {
			b.line()
		}
		b.begun = true
		b.lines(rows)
		if rest != "" {
			b.line("  ", b.faint(rest))
		}
		return
	}
	var items []string
	for _, row := range rows {
		item := span(row[1]) + ", updated " + row[2] + ": " + span(row[0])
		if row[3] != "" {
			item += "; " + row[4] + span(row[3])
		}
		items = append(items, item)
	}
	if rest != "" {
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
func (b *choosing) lines(rows [][]string) {
	command, updated, longest := 0, 0, 0
	for _, row := range rows {
		command, updated = max(command, Columns(Safe(row[0]))), max(updated, Columns(row[2]))
		longest = max(longest, Columns(Safe(row[3])))
	}
	gap, room := "  ", b.how.Width-len("  ")-command-len("  ")-updated-len("  ")
	if b.how.Width > 0 && room < min(leastNext, longest) {
		gap, room, command = "\n      ", b.how.Width-len("      ")-updated-len("  "), 0
	}
	for _, row := range rows {
		next := Safe(row[3])
		if b.how.Width > 0 {
			next = firstColumns(next, room)
		}
		b.line(strings.TrimRight("  "+padded(Safe(row[0]), command)+gap+padded(row[2], updated)+"  "+next, " "))
	}
}

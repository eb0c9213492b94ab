package print

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/host/result"
)

// mostChoices is how many runs to choose from are listed.
const mostChoices = 10

// A choosing writes the runs to choose from.
type choosing struct {
	*briefing
	about *Resumption
}

// list writes runs, a line each: the command that names it, when it was updated last, and its next step.
func (b *choosing) list(list []result.Run) {
	var rows [][]string
	for i := range list[:min(len(list), mostChoices)] {
		c := &list[i]
		next, command, label := c.State().String(), c.Resume, ""
		if c.Self != nil && c.InProgress() {
			label = "next: "
			next = cmp.Or(c.Self.Resume.Next, c.Self.Resume.First)
		}
		if closed, _ := closing(c, b.how.FailOn, "", 0); closed != "" {
			next = "fix first: " + closed
		}
		if b.markdown {
			command += " --format markdown"
		}
		rows = append(rows, []string{command, c.Name(), ago(b.about.Now, c.Updated.At), next, label})
	}
	rest := ""
	if n := len(list) - mostChoices; n > 0 {
		rest = "… and " + Count(n, "more run") + ": " + "stategate status"
	}
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

// lines writes a line for each run; on a terminal its next step is cut to the width.
func (b *choosing) lines(rows [][]string) {
	command, updated := 0, 0
	for _, row := range rows {
		command, updated = max(command, Columns(Safe(row[0]))), max(updated, Columns(row[2]))
	}
	for _, row := range rows {
		line := "  " + padded(Safe(row[0]), command) + "  " + padded(row[2], updated) + "  "
		next := Safe(row[3])
		if b.how.Width > 0 {
			next = FirstColumns(next, max(b.how.Width-Columns(line), leastNext))
		}
		b.line(strings.TrimRight(line+next, " "))
	}
}

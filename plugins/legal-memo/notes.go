package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
)

// notes holds the footnotes file's content. A file in which every section restarts at 1 proves nothing about the
// other sections.
type notes struct {
	strict    bool // whether every number from 1 to the highest exists
	count     int  // number of numbered lines
	highest   int
	gap       int      // first missing number if none is repeated or elided, or 0
	repeated  []string // numbers on two lines
	line      int      // line of the first repeated number
	elided    int
	elision   string // the first elided range
	elidedRow int
	bare      bool // whether the file has no digits outside its headings
	words     int  // word count of a bare file
}

// lacks reports whether a file without readable numbers is too short for the recorded footnotes.
func (n *notes) lacks(collected float64) bool { return n.bare && float64(n.words) < collected }

func readNotes(d *sdk.Document) notes {
	if !whole(d) {
		return notes{}
	}
	n := countNotes(d.Text, noteNumber)
	if n.count+n.elided == 0 {
		lines := 0
		for line := range strings.Lines(d.Text) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				lines++
			}
		}
		// another numbered list is not the footnote list
		if plain := countNotes(d.Text, plainNumber); 3*(plain.count+plain.elided) > lines {
			n = plain
		}
	}
	n.words = d.Summary.Words
	return n
}

// countNotes reads the footnotes in one form.
func countNotes(text string, number func(string) (int, bool)) notes {
	n, seen := notes{bare: true}, map[int]int{}
	row, last, restarts := 0, 0, false
	for line := range strings.Lines(text) {
		row++
		v, ok := number(line)
		n.bare = n.bare && (line[0] == '#' || !strings.ContainsAny(line, "0123456789")) // "1-30" in a table
		if !ok {
			if r := elision(line); r != "" {
				if n.elided++; n.elided == 1 {
					n.elision, n.elidedRow = r, row
				}
			}
			continue
		}
		if seen[v]++; seen[v] == 2 {
			if n.repeated = append(n.repeated, say.Int(v)); n.line == 0 {
				n.line = row
			}
		}
		restarts = restarts || v == 1 && last > 1
		last, n.highest = v, max(n.highest, v)
		n.count++
	}
	if restarts && seen[2] > 1 {
		n.repeated = nil
		return n
	}
	n.strict = n.count > 0 && n.highest == len(seen) && seen[0] == 0
	for v := 1; v < n.highest && !n.strict && n.elided == 0 && len(n.repeated) == 0 && n.gap == 0; v++ {
		if seen[v] == 0 {
			n.gap = v
		}
	}
	return n
}

// noteNumber reads the number at the start of a line such as "[12]", "[^12]", "**[12]**" and "- [12]".
func noteNumber(line string) (int, bool) {
	line, ok := strings.CutPrefix(strings.TrimLeft(line, " -*"), "[")
	line = strings.TrimPrefix(line, "^")
	n, rest := leading(line)
	return n, ok && rest != line && strings.HasPrefix(rest, "]") && n < 1e8
}

// plainNumber reads the number at the start of a line such as "12. …", for a file without numbers in brackets.
func plainNumber(line string) (int, bool) {
	line = strings.TrimLeft(line, " ")
	bare := strings.TrimLeft(line, " *")
	n, rest := leading(bare)
	return n, rest != bare && n < 1e8 && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ") ||
		strings.HasPrefix(rest, ".* ") || strings.HasPrefix(rest, ".** "))
}

// elision returns the range that a line such as "[Footnotes 40-80 …]" omits, or "" if there is none.
func elision(line string) string {
	if strings.HasPrefix(line, "[Due to length") {
		return "the rest"
	}
	if first, rest, _ := strings.Cut(line, " "); strings.HasPrefix(rest, "[") { // such as "40-80. [as before]"
		if _, _, ok := span(strings.TrimRight(first, ".:)")); ok {
			return strings.TrimRight(first, ".:)")
		}
	}
	for _, start := range [...]string{"[Footnotes ", "[Global Footnotes "} {
		rest, _, _ := strings.Cut(strings.TrimPrefix(line, start), " ")
		if _, _, ok := span(rest); ok && strings.HasPrefix(line, start) {
			return strings.TrimRight(rest, "]:,;\r\n")
		}
	}
	return ""
}

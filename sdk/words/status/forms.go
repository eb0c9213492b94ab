// The build constraint keeps the table of forms out of guests.

//go:build !wasip1

package status

import (
	_ "embed" // for the table
	"fmt"
	"strings"
)

// A Form is one notation for a status. The table of forms, testdata/forms.txt, has one line per form, with its
// place, its meaning and the form itself.
type Form struct {
	Place   string // value, title, note, heading, line: see the comment in the table
	Meaning string // the name of a Status, or a meaning specific to the place, such as optional
	Text    string
	Line    int // line number in the table, from 1
}

//go:embed testdata/forms.txt
var formTable string

// Forms returns the table of forms.
func Forms() ([]Form, error) {
	var list []Form
	line := 0
	for text := range strings.Lines(formTable) {
		line++
		if text = strings.TrimRight(text, "\n"); text == "" || text[0] == '#' {
			continue
		}
		place, rest, _ := strings.Cut(text, " ")
		meaning, form, ok := strings.Cut(strings.TrimLeft(rest, " "), " ")
		if form = strings.TrimLeft(form, " "); !ok || form == "" {
			return nil, fmt.Errorf("testdata/forms.txt:%d: expected a place, a meaning and a form, got %q", line, text)
		}
		list = append(list, Form{place, meaning, form, line})
	}
	return list, nil
}

// No guest links the table of forms.

//go:build !wasip1

package status

import (
	_ "embed" // of the table
	"fmt"
	"strings"
)

// A Form is one way in which people write how far something is. The table of forms, testdata/forms.txt, has a line for
// each: its place, its meaning, and the form itself.
type Form struct {
	Place   string // value, title, note, heading, line: see the comment of the table
	Meaning string // the name of a Status, or another one of the place, such as optional
	Text    string
	Line    int // 1-based, in the table
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

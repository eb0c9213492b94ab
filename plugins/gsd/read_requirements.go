package gsd

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// requirements holds the contents of REQUIREMENTS.md.
type requirements struct {
	doc    *sdk.Document
	list   []*requirement // requirements with a box
	traces []*trace       // rows of the table
	ranges bool           // a row maps several requirements
}

// A requirement is a box such as - [ ] **AUTH-01**: User can sign up.
type requirement struct {
	id, text string
	task     markdown.Task
	later    bool // it belongs to a later version or is out of scope
}

// A trace is a table row such as | AUTH-01 | Phase 1 | Pending |.
type trace struct {
	id, phase      string
	row            markdown.Row
	status         int // column
	complete, open bool
}

var requirementColumns = []string{"Requirement", "REQ-ID", "Requirement ID", "ID", "Req"}

func readRequirements(d *sdk.Document, ids numbering) *requirements {
	r := &requirements{doc: d}
	o := d.Outline()
	headings := o.Headings()
	retired := make([]bool, len(headings))
	for i, h := range headings {
		retired[i] = retires(h)
	}
	for _, t := range o.Tasks() {
		text := t.Text()
		id, rest := requirementID(text)
		if id == "" {
			continue
		}
		later, below := false, false // below: in a subsection that is retired on its own
		for i, h := range headings {
			if h.Start() > t.Start() {
				break
			}
			if below = retired[i]; h.Level() < 3 {
				later = below || mentions(h.Text(), "out of scope", "future", "deferred", "later", "v2 ", "backlog")
			}
		}
		r.list = append(r.list, &requirement{id, rest, t, later || below})
	}
	for _, table := range o.Tables() {
		name, phase, status := table.Column(requirementColumns...), table.Column("Phase", "Phase(s)"),
			table.Column("Status")
		if name < 0 || status < 0 {
			continue
		}
		for _, line := range table.Rows() {
			cell := line.Cell(name).Text()
			id, rest := requirementID(cell)
			if id == "" || rest != "" && rest[0] != '(' { // several ids, or a range
				r.ranges = true
				continue
			}
			t := &trace{id: id, row: line, status: status}
			t.phase, _ = ids.phaseIn(line.Cell(phase).Text())
			t.complete, t.open = claims(line.Cell(status).Raw())
			r.traces = append(r.traces, t)
		}
	}
	return r
}

// retires reports whether a heading, or a quotation in the text below it, gives up the requirements of its section.
func retires(h markdown.Heading) bool {
	text, _, _ := strings.Cut(h.Section().Raw(), "\n#")
	for line := range strings.Lines(text) {
		if note, ok := strings.CutPrefix(line, ">"); ok && givenUp(note) {
			return true
		}
	}
	return parked("", h.Raw())
}

// requirementID parses the id at the start of a text. An id consists of capitals, digits and hyphens and ends with a
// number: AUTH-01, SB-BLOCK-06.
func requirementID(text string) (id, rest string) {
	text = strings.TrimLeft(text, "*~ ")
	end := 0
	for end < len(text) && (words.IsWord(text[end]) && text[end] < 0x80 || text[end] == '-' || text[end] == '.' &&
		end+1 < len(text) && isDigit(text[end+1])) {
		end++
	}
	id = strings.TrimRight(text[:end], "-.")
	word, number := cutLast(id, "-")
	if word == "" || word[0] < 'A' || word[0] > 'Z' || number == "" || !isDigit(number[0]) ||
		words.Alike(word, "phase") {
		return "", text
	}
	return id, strings.TrimLeft(text[end:], " *:.—–-")
}

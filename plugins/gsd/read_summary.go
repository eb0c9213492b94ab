package gsd

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

// A summary is a SUMMARY file.
type summary struct {
	doc    *sdk.Document
	front  markdown.Front
	number string // of its plan, "" for none
	name   string // what else its file's name says
	failed bool   // it says that its own check failed
	// the status in its front matter that says that the plan is not finished, as written: "PAUSED", "partial"; "" for
	// none
	unfinished string
	void       string // why it proves nothing: "is empty"; "" if it proves something
	other      bool   // it proves nothing because it is of another plan
}

// readSummary reads the front matter of a summary. Upstream's tool reads its status: a plan that stopped at a
// checkpoint has a summary, too.
func readSummary(d *sdk.Document, number, name string) *summary {
	s := &summary{doc: d, number: number, name: name, failed: failedCheck(d.Text), front: front(d)}
	switch value := s.front.Value("status"); status.Of(value) {
	case status.Open, status.Ready, status.InProgress, status.Blocked:
		s.unfinished = value
	}
	return s
}

// id is that of its plan, or the name of the file where it has no number.
func (s *summary) id(ph *phase) string {
	if s.number == "" {
		return file(s.doc.Path)
	}
	return ph.number + "-" + s.number
}

// hollow reports whether nothing is in a document that was read.
func hollow(d *sdk.Document) bool { return d.Readable() && strings.TrimSpace(d.Text) == "" }

// failedCheck reports whether a summary says, in a heading, that its own check failed.
func failedCheck(text string) bool {
	const title = "Self-Check:"
	for at := strings.Index(text, title); at >= 0; {
		line, _, _ := strings.Cut(text[at+len(title):], "\n")
		before := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
		if strings.HasPrefix(before, "##") && strings.Trim(before, "# ") == "" &&
			strings.HasPrefix(strings.TrimLeft(line, " "), "FAILED") {
			return true
		}
		next := strings.Index(text[at+len(title):], title)
		if next < 0 {
			break
		}
		at += len(title) + next
	}
	return false
}

// void says why a summary proves nothing about what was done: it is empty, its writing was interrupted, or it is the
// summary of another plan. It returns "" if it proves something. Plans are those that its file's name pairs it with.
func (ph *phase) void(s *summary, plans []*plan) string {
	d := s.doc
	switch {
	case hollow(d):
		return "is empty"
	case !d.Readable():
		return ""
	case unclosed(d) && onlyKeys(d.Text):
		return "is cut off: its front matter has no end"
	case s.front.Closed && strings.TrimSpace(s.front.Body) == "":
		return "has no text after its front matter"
	}
	ofPhase, ofPlan := s.front.Value("phase"), s.front.Value("plan")
	for _, p := range plans { // renumbering renames files, and leaves what is in them
		if ofPhase == p.ofPhase && ofPlan == p.ofPlan {
			return ""
		}
	}
	if ph.isOther(ofPhase) || s.number != "" && ph.isOtherPlan(s.number, ofPlan) {
		s.other = true
		var says []string
		for _, value := range [][2]string{{"phase", ofPhase}, {"plan", ofPlan}} {
			if value[1] != "" {
				says = append(says, value[0]+" "+say.Quote(value[1]))
			}
		}
		return "is for " + strings.Join(says, ", ")
	}
	return ""
}

// isOther reports whether a value of front matter names another phase: a different number with a different name.
func (ph *phase) isOther(value string) bool {
	number, name := namedPhase(value)
	if number == "" {
		number, name = phaseNumber(unprefixed(value))
	}
	return number != "" && number != ph.number && strings.Trim(name, "-_: ") != ph.title
}

// isOtherPlan reports whether a value of front matter names a plan of another number.
func (ph *phase) isOtherPlan(number, value string) bool {
	phase, named := planRef(value, ph.number)
	if phase == "" {
		if named = words.First(value); !numbered(named) {
			return false
		}
		named = key(named)
	}
	return named != number
}

// onlyKeys reports whether all lines after the first --- are those of front matter, except the last one, which may be
// cut off.
func onlyKeys(text string) bool {
	_, rest, _ := strings.Cut(text, "\n")
	lines := strings.Split(strings.TrimRight(rest, " \t\r\n"), "\n")
	for _, line := range lines[:len(lines)-1] {
		line = strings.TrimRight(line, " \t\r")
		if line != "" && !isKey(line) && line[0] != ' ' && line[0] != '#' && !strings.HasPrefix(line, "- ") {
			return false
		}
	}
	return true
}

// voided returns the summary at a path that proves nothing, nil if there is none.
func (ph *phase) voided(path string) *summary {
	if at := slices.IndexFunc(ph.voids, func(s *summary) bool { return s.doc.Path == path }); at >= 0 {
		return ph.voids[at]
	}
	return nil
}

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
	number string // its plan's number, or ""
	name   string // the rest of its file name
	failed bool   // it reports a failed self-check
	// its status if the plan is not finished, as written ("PAUSED", "AWAITING HUMAN VERIFICATION (Task 3)"), or ""
	unfinished string
	void       string // why it proves nothing, such as "is empty", or ""
	endless    bool   // its text is front matter without a closing ---
	other      bool   // it proves nothing because it belongs to another plan
	of         string // the other phase that it belongs to, as written, or ""
}

// readSummary reads a summary and its status. Upstream's tool also reads the status, because a plan that stopped at a
// checkpoint has a summary, too.
func readSummary(d *sdk.Document, number, name string) *summary {
	s := &summary{doc: d, number: number, name: name, front: front(d), endless: unclosed(d) && onlyKeys(d.Text)}
	if s.endless {
		s.front = markdown.FrontOf(d.Text + "\n---\n")
	}
	s.failed = strings.HasPrefix(titled(d.Text, "Self-Check:", func(value string) bool {
		return strings.HasPrefix(value, "FAILED")
	}), "FAILED")
	if s.unfinished = titled(d.Text, "Status:", unfinished); s.front.Get("status") != nil {
		if s.unfinished = s.front.Value("status"); !unfinished(s.unfinished) {
			s.unfinished = ""
		}
	} else if s.unfinished == "" {
		s.unfinished = s.blocked()
	}
	return s
}

// blocked returns the tag that says that a plan was blocked before it created or provided anything, or "".
func (s *summary) blocked() string {
	created := markdown.Entry{}
	if e := s.front.Get("key-files"); e != nil {
		if c := markdown.Get(e.Map, "created"); c != nil {
			created = *c
		}
	}
	tags, provides := s.front.Get("tags"), s.front.Get("provides")
	if tags == nil || provides == nil || !empty(*provides) || !empty(created) {
		return ""
	}
	at := slices.IndexFunc(tags.List, func(tag string) bool {
		return words.Alike(tag, "blocked") || strings.HasPrefix(lower(tag), "blocked-")
	})
	if at < 0 {
		return ""
	}
	return tags.List[at]
}

// empty reports whether an entry of the front matter has no value.
func empty(e markdown.Entry) bool {
	return len(e.List)+len(e.Map) == 0 && (e.Value == "" || e.Value == "[]")
}

// unfinished reports whether a summary's status says that its plan is not finished.
func unfinished(value string) bool {
	switch status.Of(value) {
	case status.Open, status.Ready, status.InProgress, status.Blocked:
		return true
	}
	return awaiting(value)
}

func awaiting(status string) bool { return words.Alike(words.First(status), "awaiting") }

// awaits reports whether, according to its summary, the plan is only waiting for a person.
func (p *plan) awaits() bool { return p.stopped != nil && awaiting(p.stopped.unfinished) }

// id returns the id of the summary's plan, or the summary's file name if it has no number.
func (s *summary) id(ph *phase) string {
	if s.number == "" {
		return file(s.doc.Path)
	}
	return ph.number + "-" + s.number
}

// hollow reports whether a readable document is empty.
func hollow(d *sdk.Document) bool { return d.Readable() && strings.TrimSpace(d.Text) == "" }

// titled returns the first value that wanted accepts in a heading such as "## Self-Check: FAILED", or "". title is the
// text before the value.
func titled(text, title string, wanted func(string) bool) string {
	for rest := text; ; {
		at := strings.Index(rest, title)
		if at < 0 {
			return ""
		}
		line, _, _ := strings.Cut(rest[at+len(title):], "\n")
		before := rest[strings.LastIndexByte(rest[:at], '\n')+1 : at]
		line = strings.Trim(line, " \t\r")
		if strings.HasPrefix(before, "##") && strings.Trim(before, "# ") == "" && wanted(line) {
			return line
		}
		rest = rest[at+len(title):]
	}
}

// void returns why a summary proves nothing about what was done: it is empty, is cut off, or belongs to another plan.
// It returns "" if the summary proves something. plans are the plans that the summary's file name matches.
func (ph *phase) void(s *summary, plans []*plan) string {
	d := s.doc
	switch {
	case hollow(d):
		return "is empty"
	case !d.Readable():
		return ""
	case s.complete():
	case s.endless:
		return "is cut off: its front matter has no end"
	case s.front.Closed && strings.TrimSpace(s.front.Body) == "":
		return "has no text after its front matter"
	}
	ofPhase, ofPlan := s.front.Value("phase"), s.front.Value("plan")
	for _, p := range plans { // renumbering renames files, but keeps their text
		if ofPhase == p.ofPhase && ofPlan == p.ofPlan {
			return ""
		}
	}
	name := strings.TrimSuffix(file(d.Path), "-SUMMARY.md")
	if ph.isOther(ofPhase) || s.number != "" && ofPlan != name && ph.isOtherPlan(s.number, ofPlan) {
		s.other = true
		var says []string
		for _, value := range [][2]string{{"phase", ofPhase}, {"plan", ofPlan}} {
			if value[1] != "" {
				says = append(says, value[0]+" "+say.Quote(value[1]))
			}
		}
		if ph.isOther(ofPhase) {
			s.of = ofPhase
			return "is for " + strings.Join(says, ", ") + ", but is in " + ph.dir
		}
		if s.number != "" {
			return "is for " + strings.Join(says, ", ") + "; expected " + name
		}
	}
	return ""
}

// complete reports whether the front matter says that the plan is complete. Then it is the summary, even without text.
func (s *summary) complete() bool {
	return status.Of(s.front.Value("status")) == status.Done || words.Number(s.front.Value("completed")) > 0
}

// isOther reports whether a front matter value names another phase: both its number and its name are different.
func (ph *phase) isOther(value string) bool {
	number, name := ph.namedPhase(value)
	if number == "" {
		number, name = ph.phaseNumber(unprefixed(value))
	}
	return number != "" && number != ph.number && strings.Trim(name, "-_: ") != ph.title
}

// isOtherPlan reports whether a front matter value names a plan with another number.
func (ph *phase) isOtherPlan(number, value string) bool {
	phase, named := planRef(value, ph.number)
	if phase == "" {
		if named = words.First(value); !numbered(named) {
			return false
		}
		named = planKey(named)
	}
	return named != number
}

// onlyKeys reports whether all lines after the first --- are front matter, except the last one, which may be cut off.
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

// voided returns the summary at a path if it proves nothing, or nil.
func (ph *phase) voided(path string) *summary {
	if at := slices.IndexFunc(ph.voids, func(s *summary) bool { return s.doc.Path == path }); at >= 0 {
		return ph.voids[at]
	}
	return nil
}

package gsd

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/ordinal"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

// A phase is one directory of phases/.
type phase struct {
	dir     string // phases/02-parse/
	number  string // its key
	title   string // parse, as its directory is called
	plans   []*plan
	checks  []*verdict // VERIFICATION files
	uats    []*verdict
	orphans []string // summaries whose number no plan has
	reports []*summary
	whole   bool   // one summary is about the phase as a whole
	context string // path of CONTEXT
}

// A plan is a PLAN file, with its SUMMARY if it has one.
type plan struct {
	phase        *phase
	path         string
	number, name string
	summary      string   // path of the one that ends it, "" for none
	stopped      *summary // the one that says that the plan is not finished, nil for none
	failed       bool     // the summary says that its own check failed
	superseded   bool     // it will not be executed
	gaps         bool     // it closes gaps that a verification found
	wave         int
	needs        []string
	needsLine    int
	waveLine     int
	doc          *sdk.Document
}

// A summary is a SUMMARY file.
type summary struct {
	doc    *sdk.Document
	number string // of its plan, "" for none
	name   string // what else its file's name says
	failed bool   // it says that its own check failed
	// the status in its front matter that says that the plan is not finished, as written: "PAUSED", "partial"; "" for
	// none
	unfinished string
}

// readSummary reads the status of a summary. Upstream's tool reads it: a plan that stopped at a checkpoint has a
// summary, too.
func readSummary(d *sdk.Document, number, name string) *summary {
	s := &summary{doc: d, number: number, name: name, failed: failedCheck(d.Text)}
	if !strings.Contains(d.Text, "\nstatus:") { // most have none, and there are many
		return s
	}
	f := front(d)
	switch value := f.Value("status"); status.Of(value) {
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

func (p *plan) id() string { return p.phase.number + "-" + p.number }

// file is the name of a path below the directory of a phase.
func file(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// open reports whether the plan is numbered, and is to be executed still.
func (p *plan) open() bool { return p.summary == "" && p.number != "" && !p.superseded }

// readPhases reads the directories of phases/, ordered by their numbers.
func readPhases(docs sdk.Docs) []*phase {
	byDir := map[string]*phase{}
	var list []*phase
	for _, d := range docs.All() {
		rest, ok := strings.CutPrefix(d.Path, "phases/")
		cut := strings.IndexByte(rest, '/')
		if !ok || cut < 0 {
			continue
		}
		name := rest[:cut]
		ph := byDir[name]
		if ph == nil {
			number, title := phaseNumber(unprefixed(name))
			if number == "" {
				continue
			}
			ph = &phase{dir: "phases/" + name + "/", number: number, title: title}
			byDir[name], list = ph, append(list, ph)
		}
		if rest = rest[cut+1:]; rest == "" || d.Dir {
			continue
		}
		nested := strings.HasPrefix(rest, "plans/")
		if rest = strings.TrimPrefix(rest, "plans/"); strings.Contains(rest, "/") {
			continue
		}
		kind, number, slug := phaseFile(ph.number, rest)
		switch {
		case kind == planFile && (!nested || number != ""):
			p := &plan{phase: ph, path: d.Path, number: number, name: slug, doc: d}
			p.read()
			ph.plans = append(ph.plans, p)
		case kind == summaryFile && hollow(d): // it says nothing of what was done
		case kind == summaryFile:
			ph.reports = append(ph.reports, readSummary(d, number, slug))
		case strings.HasSuffix(rest, "-VERIFICATION.md") || rest == "VERIFICATION.md":
			ph.checks = append(ph.checks, readVerdict(d))
		case strings.HasSuffix(rest, "-UAT.md") || rest == "UAT.md":
			ph.uats = append(ph.uats, readVerdict(d))
		case strings.HasSuffix(rest, "-CONTEXT.md") || rest == "CONTEXT.md":
			ph.context = d.Path
		}
	}
	for _, ph := range list {
		if len(ph.plans) > 1 { // a PLAN.md beside others is an overview
			ph.plans = slices.DeleteFunc(ph.plans, func(p *plan) bool { return file(p.path) == "PLAN.md" })
		}
		for _, p := range ph.plans { // 01-PLAN.md beside 02-PLAN.md is the first plan of phase 1
			if p.number == "" && p.name == "" && len(ph.plans) > 1 && isDigit(file(p.path)[0]) {
				p.number = ph.number
			}
		}
		for _, s := range ph.reports {
			ph.pair(s)
		}
		slices.SortStableFunc(ph.plans, func(a, b *plan) int { return ordinal.Compare(a.number, b.number) })
	}
	slices.SortStableFunc(list, func(a, b *phase) int { return ordinal.Compare(a.number, b.number) })
	return list
}

// hollow reports whether nothing is in a document that was read.
func hollow(d *sdk.Document) bool { return d.Readable() && strings.TrimSpace(d.Text) == "" }

// pair gives a summary to the plan that it is of: the one of the same name, or else of the same number.
func (ph *phase) pair(s *summary) {
	number, name := s.number, s.name
	var found []*plan
	for _, p := range ph.plans {
		if p.number == number && p.name == name {
			found = []*plan{p}
			break
		}
		if p.number == number && number != "" {
			found = append(found, p)
		}
	}
	if found == nil && name == "" && len(ph.plans) == 1 &&
		(number == "" || ph.plans[0].number == "" && len(ph.plans[0].name) == 0) {
		found = ph.plans
	}
	for _, p := range found {
		if s.unfinished != "" {
			p.stopped = s
			continue
		}
		p.summary, p.failed = s.doc.Path, p.failed || s.failed
	}
	if found == nil {
		if ph.whole = ph.whole || number == "" && name == ""; number != "" && name == "" {
			ph.orphans = append(ph.orphans, s.doc.Path)
		}
	}
}

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

// read reads the front matter of a plan.
func (p *plan) read() {
	f := front(p.doc)
	p.superseded = status.Of(f.Value("status")) == status.Cancelled
	p.gaps = f.Value("gap_closure") == "true"
	if e := f.Get("wave"); e != nil {
		p.wave, p.waveLine = words.Number(e.Value), e.Line
	}
	if e := f.Get("depends_on"); e != nil {
		p.needsLine = e.Line
		if p.needs = e.List; e.List == nil && words.Real(e.Value) {
			p.needs = strings.Split(e.Value, ",")
		}
	}
}

// hasFront reports whether a document has front matter that has an end.
func hasFront(d *sdk.Document) bool { return d != nil && markdown.HasFront(d.Text) }

// front is the front matter of a document; none is read of one that has no end, which is reported.
func front(d *sdk.Document) markdown.Front {
	if !hasFront(d) {
		return markdown.Front{}
	}
	return markdown.FrontOf(d.Text)
}

// executed counts the plans that have a summary, of those that are to be executed.
func (ph *phase) executed() (done, all int) {
	for _, p := range ph.plans {
		if p.superseded {
			continue
		}
		if all++; p.summary != "" {
			done++
		}
	}
	return done, all
}

// open lists the plans that surely wait: numbered and without a summary. Nothing is sure where one summary is about the
// whole phase, or as many summaries have the number of no plan as plans wait.
func (ph *phase) open() (list []*plan) {
	for _, p := range ph.plans {
		if p.open() {
			list = append(list, p)
		}
	}
	if ph.whole || len(list) <= len(ph.orphans) {
		return nil
	}
	return list
}

// gapsFound is the verdict that found gaps which no plan has closed since, nil for none.
func (ph *phase) gapsFound() *verdict {
	for _, p := range ph.plans {
		if p.gaps {
			return nil
		}
	}
	for _, v := range ph.checks {
		if v.word == "gaps_found" && len(ph.checks) == 1 {
			return v
		}
	}
	return nil
}

// passed reports whether a verification says so.
func (ph *phase) passed() bool {
	return slices.ContainsFunc(ph.checks, func(v *verdict) bool { return v.word == "passed" })
}

// proved reports whether more than a tick says that the goal of the phase is reached: a verification, in whatever words
// and even if a person has to look as well, or the tests of a person. Then a summary that is missing was forgotten, and
// the work is done.
func (ph *phase) proved() bool {
	for _, v := range ph.checks {
		if strings.HasPrefix(v.word, "passed") || strings.HasPrefix(v.word, "verified") ||
			strings.HasPrefix(v.word, "complete") || v.word == "approved" || v.word == "human_needed" {
			return true
		}
	}
	return slices.ContainsFunc(ph.uats, (*verdict).tried)
}

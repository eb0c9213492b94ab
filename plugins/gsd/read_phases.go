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
	voids   []*summary // those that prove nothing
	copies  []*plan    // plans without a summary whose text another plan has
	whole   bool       // one summary is about the phase as a whole
	context string     // path of CONTEXT
}

// A plan is a PLAN file, with its SUMMARY if it has one.
type plan struct {
	phase        *phase
	path         string
	number, name string
	summary      string   // path of the one that ends it, "" for none
	stopped      *summary // the one that says that the plan is not finished, nil for none
	void         *summary // the one that proves nothing, nil for none
	body         bool     // it says more than its front matter
	original     *plan    // the plan that it is a copy of, nil for none
	failed       bool     // the summary says that its own check failed
	superseded   bool     // it will not be executed
	lost         bool     // only the base has it
	// what its front matter says of itself, as written; "" for nothing
	ofPhase, ofPlan string
	gaps            bool // it closes gaps that a verification found
	wave            int
	needs           []string
	requires        []string // the requirements that it lists
	needsLine       int
	waveLine        int
	doc             *sdk.Document
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
		ph.reports = slices.DeleteFunc(ph.reports, func(s *summary) bool { return s.void != "" })
		ph.sort()
		ph.setAside()
	}
	slices.SortStableFunc(list, func(a, b *phase) int { return ordinal.Compare(a.number, b.number) })
	return list
}

func (ph *phase) sort() {
	slices.SortStableFunc(ph.plans, func(a, b *plan) int { return ordinal.Compare(a.number, b.number) })
}

// setAside removes copies from the plans: each plan without a summary that has the text of another one. Of two, the one
// whose front matter says its number is the original.
func (ph *phase) setAside() {
	for _, p := range ph.plans {
		for _, other := range ph.plans {
			if p != other && p.doc.Readable() && p.doc.Digest == other.doc.Digest && p.body &&
				p.original == nil && other.original == nil && p.summary == "" && p.stopped == nil &&
				(ph.isOtherPlan(p.number, p.ofPlan) || !ph.isOtherPlan(other.number, other.ofPlan) &&
					ordinal.Compare(p.number, other.number) > 0) {
				p.original = other
			}
		}
	}
	for _, p := range ph.plans {
		if p.original != nil {
			ph.copies = append(ph.copies, p)
		}
	}
	ph.plans = slices.DeleteFunc(ph.plans, func(p *plan) bool { return p.original != nil })
}

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
	if s.void = ph.void(s, found); s.void != "" {
		ph.voids = append(ph.voids, s)
		for _, p := range found {
			p.void = s
		}
		return
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

// read reads the front matter of a plan.
func (p *plan) read() {
	f := front(p.doc)
	p.superseded = status.Of(f.Value("status")) == status.Cancelled
	p.gaps = f.Value("gap_closure") == "true"
	p.body = strings.TrimSpace(f.Body) != "" || !strings.HasPrefix(p.doc.Text, "---") && !hollow(p.doc)
	p.ofPhase, p.ofPlan = f.Value("phase"), f.Value("plan")
	if e := f.Get("wave"); e != nil {
		p.wave, p.waveLine = words.Number(e.Value), e.Line
	}
	if e := f.Get("requirements"); e != nil {
		if p.requires = append([]string{}, e.List...); e.Value != "" {
			p.requires = append(p.requires, e.Value)
		}
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

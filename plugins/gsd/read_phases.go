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

// A phase is one directory in phases/.
type phase struct {
	numbering
	dir     string // phases/02-parse/
	number  string // normalized; see key
	title   string // parse, from the directory's name
	empty   bool   // it has no documents
	plans   []*plan
	checks  []*verdict // VERIFICATION files
	uats    []*verdict
	orphans []string // numbered summaries without a plan
	reports []*summary
	voids   []*summary // summaries that prove nothing
	copies  []*plan    // plans without a summary that have another plan's text
	whole   bool       // one summary is about the phase as a whole
	context string     // path of CONTEXT, or ""
	studied string     // path of RESEARCH, or ""
}

// A plan is a PLAN file, with its SUMMARY if it has one.
type plan struct {
	phase        *phase
	path         string
	number, name string
	summary      string   // path of the summary that finishes it, or ""
	stopped      *summary // the summary that says that the plan is not finished, or nil
	void         *summary // the summary that proves nothing, or nil
	body         bool     // it has text after its front matter
	original     *plan    // the plan that it is a copy of, or nil
	failed       bool     // the summary reports a failed self-check
	superseded   bool     // it will not be executed
	lost         bool     // only the base has it
	// phase and plan in the front matter, as written, or ""
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

// file returns the last element of a path.
func file(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// open reports whether the plan is numbered and still has to be executed.
func (p *plan) open() bool { return p.summary == "" && p.number != "" && !p.superseded }

// plan returns the phase's first plan with the given number, or nil.
func (ph *phase) plan(number string) *plan {
	for _, p := range ph.plans {
		if p.number == number {
			return p
		}
	}
	return nil
}

// readPhases returns the directories in phases/, sorted by number.
func readPhases(docs sdk.Docs, ids numbering) []*phase {
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
			number, title := ids.phaseNumber(unprefixed(name))
			if number == "" {
				continue
			}
			ph = &phase{numbering: ids, dir: "phases/" + name + "/", number: number, title: title, empty: true}
			byDir[name], list = ph, append(list, ph)
		}
		if rest = rest[cut+1:]; rest == "" || d.Dir {
			continue
		}
		ph.empty = false
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
		case strings.HasSuffix(rest, "-RESEARCH.md") || rest == "RESEARCH.md":
			ph.studied = d.Path
		}
	}
	for _, ph := range list {
		if len(ph.plans) > 1 { // a PLAN.md next to other plans is an overview
			ph.plans = slices.DeleteFunc(ph.plans, func(p *plan) bool { return file(p.path) == "PLAN.md" })
		}
		for _, p := range ph.plans { // in phase 1, 01-PLAN.md next to 02-PLAN.md is the first plan
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

// setAside moves copied plans from ph.plans to ph.copies. A copy has no summary and has the same text as another plan.
// The original is the plan whose front matter has the number in its file name.
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

// pair assigns a summary to its plan: the plan with the same number and name, or else all plans with the same number.
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

// hasFront reports whether a document has front matter with a closing ---.
func hasFront(d *sdk.Document) bool { return d != nil && markdown.HasFront(d.Text) }

// front returns a document's front matter. It returns an empty one if the closing --- is missing, which a rule reports.
func front(d *sdk.Document) markdown.Front {
	if !hasFront(d) {
		return markdown.Front{}
	}
	return markdown.FrontOf(d.Text)
}

// executed returns the number of plans that have a summary, and the number of all plans. It ignores superseded plans.
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

// open returns the plans that certainly still have to be executed: those with a number and without a summary. It
// returns nil if one summary covers the whole phase, or if the phase has at least as many orphaned summaries as such
// plans.
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

// gapsFound returns the verification that found gaps, or nil if there is none or if a plan closes the gaps.
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

// passed reports whether a verification has the status passed.
func (ph *phase) passed() bool {
	return slices.ContainsFunc(ph.checks, func(v *verdict) bool { return v.word == "passed" })
}

// untried returns the verification that asks a person to test the phase. It returns nil if there is none, if the phase
// has other verifications, or if the tests are finished.
func (ph *phase) untried() *verdict {
	at := slices.IndexFunc(ph.checks, func(v *verdict) bool { return v.word == "human_needed" && v.line > 0 })
	if at < 0 || len(ph.checks) > 1 || ph.tried() {
		return nil
	}
	return ph.checks[at]
}

// proved reports whether more than a tick shows that the phase reached its goal: a verification, in any wording and
// even if a person still has to check something, or a person's tests. The work is then done, and a missing summary was
// only forgotten.
func (ph *phase) proved() bool {
	for _, v := range ph.checks {
		if strings.HasPrefix(v.word, "passed") || strings.HasPrefix(v.word, "verified") ||
			strings.HasPrefix(v.word, "complete") || v.word == "approved" || v.word == "human_needed" {
			return true
		}
	}
	return ph.tried()
}

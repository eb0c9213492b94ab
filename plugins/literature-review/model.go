package literaturereview

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/wire"
)

// A model is what the rules see of one Literature directory.
type model struct {
	pass    *sdk.Pass
	docs    sdk.Docs
	index   *index
	reviews []*review // by name
	named   map[string]*review
	mine    string // why the directory does not belong to this workflow, or "" if it does
	base    *model // the earlier revision, empty if there is none
}

// A review is one review folder.
type review struct {
	readings
	name, date, slug string // date is "" unless the name begins with a valid date; slug is the rest of the name
	dir              string // the name with a slash
	rp, sm, lr       *document
	entryFile        bool // there is a Paper_Entry file, or it cannot be seen
	row              *row
	tied             bool    // an index row may belong to it
	was              *review // the review in the base; it has no name if there is nothing to compare with

	lost      bool   // the state file is missing, opaque or unreadable
	loss      string // the rule that reports this, or "" if there is no recovery option
	abandoned bool
	fit       sdk.Fit

	status                           []*value
	claim                            claim
	dateField, topicField, modeField *value
	topic, topicFolded               string
	mode                             int
	goals                            [3]bool
	tables                           [len(needed)]*table
	unread                           [len(needed)]bool // sections that contain text, but no table
	concepts                         []*concept
	sources                          []*source
	ofTemplates                      int  // number of sources that are in the upstream's templates
	ownSources                       bool // the review has sources of its own
	rounds                           []*round
	badRound                         bool // a row of Convergence Tracking has more cells than its header
	papers                           []*paper
	lacksColumn, badPaper, cutPapers bool   // papers or their statuses cannot be read
	stub                             *value // a row of Paper Tracking that ends before its citation
	counts                           [len(countKeys)]count
	checks, ticked, outputs          []markdown.Task
	unticked                         []string
	critique                         bool
	unfinished                       *value // where the antagonistic review says that it is not finished
	nextSteps                        string

	plans        []*plan
	logged       []int // sources that the rounds of the search log name
	planned, ran bool

	topics                   []*topic
	tabled                   []*value // rows of evidence tables, with their subjects
	entries, repeated        []*entry // repeated are the duplicates
	hasEntries, identifiable bool
	verified                 bool // a text says that all DOIs were verified

	floor, ceiling, observed int
	proof                    string // the evidence for the floor
	shut, shutIn             string // what the phase after the ceiling lacks, and the section that shows this
	unwritten                bool   // it claims to be complete, but has no synthesis
	stage                    int    // the first stage of organizing with open work
	organizing               []step
}

func modelOf(p *sdk.Pass) *model { return p.Model.(*model) }

func prepare(p *sdk.Pass) (any, error) {
	m := newModel(p.Docs)
	m.pass, m.base = p, &model{index: &index{}}
	if p.Base.State == sdk.BaseAt {
		m.base = newModel(p.Base.Docs)
	}
	none := (&model{}).folder("")
	for _, r := range m.reviews {
		if r.was = m.base.named[r.name]; r.was == nil || r.was.lost {
			r.was = none
		}
		r.compare(r.was)
	}
	return m, nil
}

// compare pairs the parts of a review with the same parts in the base.
func (r *review) compare(was *review) {
	for _, s := range r.sources {
		s.had = cmp.Or(was.planOf(s.id, s.name), &plan{})
		s.was = first(was.sources, func(old *source) bool {
			return old.twin == nil && !old.bad() && old.id == s.id &&
				old.same(s)
		})
	}
	for _, p := range was.plans {
		p.now = r.planOf(sourceOf(p.name), p.name)
	}
	for _, old := range was.papers {
		sameID := func(p *paper) bool { return p.id != "" && p.id == old.id }
		sameName := func(p *paper) bool { return p.slug == old.slug }
		old.now = cmp.Or(first(r.papers, func(p *paper) bool { // two rows may have the same id or name
			return p.was == nil && p.id == old.id && sameName(p)
		}), first(r.papers, sameID), first(r.papers, sameName))
		if old.now != nil && !old.bad() && !old.now.bad() {
			old.now.was = old
		}
	}
	for _, old := range was.entries {
		sameID := func(e *entry) bool { return e.id != "" && e.id == old.id }
		sameName := func(e *entry) bool { return e.surname == old.surname && e.year == old.year }
		old.now = cmp.Or(first(r.entries, func(e *entry) bool { return sameID(e) && sameName(e) }),
			first(r.entries, sameID), first(r.entries, sameName))
		if old.now != nil {
			old.now.was = old
		}
	}
	r.missEntries()
}

// newModel reads the documents of one revision.
func newModel(docs sdk.Docs) *model {
	m := &model{docs: docs, named: map[string]*review{}, index: readIndex(docs)}
	m.mine = m.lookAlike(m.folders())
	for _, r := range m.reviews {
		r.read()
	}
	if m.index.kind == indexUsable {
		m.index.pair(m.named, m.reviews)
	}
	for _, r := range m.reviews {
		r.abandoned = r.claim.abandoned || r.row != nil && r.row.status == rowAbandoned
		r.judge()
	}
	return m
}

// folders finds all folders and determines which of them are review folders.
func (m *model) folders() []*review {
	var all []*review
	r := &review{}
	for _, doc := range m.docs.All() {
		name, rest, ok := strings.Cut(doc.Path, "/")
		if !ok {
			continue
		}
		if r.name != name {
			r = m.folder(name)
			if all = append(all, r); r.isReview(m.index) {
				m.reviews, m.named[name] = append(m.reviews, r), r
			}
		}
		r.entryFile = r.entryFile || strings.HasPrefix(rest, "Paper_Entry")
	}
	return all
}

// folder returns the review in a folder, with its documents.
func (m *model) folder(name string) *review {
	r := &review{readings: readings{read: map[string]bool{}}, name: name, slug: name, dir: name + "/", claim: noClaim,
		entryFile: !m.docs.Known(name + "/Paper_Entry.md")}
	if dated(r.name) {
		r.date, r.slug = date(r.name), r.name[11:]
	}
	r.slug = slug(r.slug)
	r.rp, r.sm, r.lr = newDocument(m.docs, r.dir+progressName), newDocument(m.docs, r.dir+methodsName),
		newDocument(m.docs, r.dir+textName)
	return r
}

// documents returns the three documents of a review.
func (r *review) documents() [3]*document { return [...]*document{r.rp, r.sm, r.lr} }

// isReview reports whether a folder contains a review, and not templates or something else.
func (r *review) isReview(x *index) bool {
	isDated := dated(r.name)
	isLinked := some(x.linked, func(l *link) bool { return l.folder == r.name })
	switch {
	case strings.Contains(r.name, `\`), r.rp.doc == nil &&
		(r.sm.doc == nil && r.lr.doc == nil || !isDated && !isLinked):
		return false
	case r.rp.doc == nil || isDated:
		return true
	}
	return !strings.Contains(r.rp.doc.Text, "{{DATE}}") || !strings.Contains(r.rp.doc.Text, "{{TOPIC}}")
}

// dated reports whether a name begins with digits in the form of a date and an underscore: "2026-02-10_".
func dated(name string) bool {
	return len(name) > 11 && name[4] == '-' && name[7] == '-' && name[10] == '_' &&
		allDigits(name[:4]+name[5:7]+name[8:10])
}

// lookAlike returns why the directory contains no reviews, or "" if it contains any.
func (m *model) lookAlike(folders []*review) string {
	t := m.index.table
	isOurs := func(r *review) bool {
		return strings.HasPrefix(r.rp.top().name, "literaturereviewprogress") || r.rp.sections() >= 2 ||
			m.named[r.name] != nil && (r.rp.opaque || dated(r.name))
	}
	if m.index.titled() || t.cols[colTopic] >= 0 && t.cols[colMode] >= 0 && t.cols[colStatus] >= 0 ||
		some(folders, isOurs) {
		return ""
	}
	return "INDEX.md is not a Literature Review Index, and no folder contains the progress of a literature review"
}

// sections returns how many of the needed sections the document has.
func (d *document) sections() int {
	n := 0
	for i := range needed {
		if d.heading(needed[i].names).OK() {
			n++
		}
	}
	return n
}

func (r *review) read() {
	if r.rp.readable() {
		r.readHeader()
	}
	switch d := r.rp; {
	case d.missing():
		r.loss = "state-missing"
	case d.doc != nil && !d.opaque && len(r.status) == 0 && d.sections() == 0:
		r.loss = "state-unreadable"
	case d.opaque && d.doc.Need == sdk.Content:
		r.loss = wire.RuleUnreadable
	}
	if r.lost = r.loss != "" || !r.rp.readable(); !r.lost {
		r.readProgress()
	} else {
		r.status, r.topicFolded, r.claim = nil, "", noClaim
	}
	r.readMethods()
	r.readText()
	r.pairPapers()
}

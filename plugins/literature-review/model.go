package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

// A model is one Literature directory as the rules see it.
type model struct {
	pass    *sdk.Pass
	docs    sdk.Docs
	index   *index
	reviews []*review // by name
	named   map[string]*review
	mine    string // why the directory is none, "" if it is one
	base    *model // the earlier revision, nil if there is none
	found   []*sdk.Diagnostic
}

// A review is one review folder.
type review struct {
	name, date, slug string // date is "" unless the name has a valid one
	slugged          string // slug in the form in which slugs are compared
	dir              string // with a slash
	rp, sm, lr       *document
	entryFile        bool     // there is a Paper_Entry
	others           []string // files in Full_text_references/, by name
	row              *row
	tied             bool // an index row may be its own

	lost, unreadable bool // the state file is missing, opaque or unreadable
	abandoned        bool
	fit              sdk.Fit

	status                           []*field
	claim                            claim
	dateField, topicField, modeField *field
	topic, topicFolded               string
	mode                             int
	goals                            [3]bool
	artifact                         bool
	concepts                         []concept
	conceptTable                     table
	sourceTable                      table
	sources                          []*source
	ownSources                       bool // they are not those of the upstream's templates
	over                             []budget
	odd                              []counted
	excess                           []excess
	rounds                           []round
	capField, density                *field
	roundCap, threshold              int
	paperTable                       table
	papers                           []*paper
	papersCut                        bool    // rows of papers stand where no rule reads them
	unread                           [3]bool // needed sections that hold text, and no table
	countFields                      [4]*field
	counts                           [4]int
	antagonist                       markdown.Heading
	checks, outputs                  []markdown.Task
	ticked                           int
	critique                         bool
	nextSteps                        string
	down                             [extraSource]bool

	plans        []*plan
	logged       []int // sources that rounds of the log name
	planned, ran bool

	topics                   []*topic
	entries                  []*entry
	hasEntries, identifiable bool
	verified                 bool // a text says that all DOIs were verified

	floor, ceiling, observed int
	stage                    int
	reopened                 *source // why searching goes on
}

func prepare(p *sdk.Pass) (any, error) {
	m := newModel(p.Docs)
	m.pass = p
	if p.Base.State == sdk.BaseAt {
		m.base = newModel(p.Base.Docs)
	}
	return m, nil
}

// newModel reads documents.
func newModel(docs sdk.Docs) *model {
	m := &model{docs: docs, named: map[string]*review{}}
	m.index = readIndex(newDocument(m.docs, indexPath))
	m.folders()
	m.mine = m.lookAlike()
	for _, r := range m.reviews {
		r.read()
	}
	if m.index.kind == indexUsable {
		for i := range m.index.linked {
			m.index.linked[i].to = m.named[m.index.linked[i].folder]
		}
		m.index.pair(m.reviews)
	}
	for _, r := range m.reviews {
		r.abandoned = r.claim.abandoned || r.row != nil && r.row.status == rowAbandoned
		r.judge()
	}
	return m
}

// was is a review in the base, nil if it is not there or its state file cannot be read.
func (m *model) was(r *review) *review {
	if m.base == nil || r == nil || m.base.named[r.name] == nil || m.base.named[r.name].lost {
		return nil
	}
	return m.base.named[r.name]
}

// folders finds the review folders.
func (m *model) folders() {
	all := m.docs.All()
	for i := 0; i < len(all); {
		name, _, ok := strings.Cut(all[i].Path, "/")
		if !ok {
			i++
			continue
		}
		r := &review{name: name, dir: name + "/"}
		for ; i < len(all) && strings.HasPrefix(all[i].Path, r.dir); i++ {
			switch rest := all[i].Path[len(r.dir):]; {
			case strings.HasPrefix(rest, fullTexts) && len(rest) > len(fullTexts):
				if len(r.others) < 50 && rest[len(fullTexts)] != '.' && clean(rest[len(fullTexts):]) != "" && begins(fold(rest[len(fullTexts):]), "readme") == 0 {
					r.others = append(r.others, rest[len(fullTexts):])
				}
			case strings.HasPrefix(rest, "Paper_Entry"):
				r.entryFile = true
			}
		}
		m.folder(r)
	}
}

// folder adds a folder if it is that of a review.
func (m *model) folder(r *review) {
	if m.named[r.name] != nil || strings.Contains(r.name, `\`) {
		return
	}
	isDated := dated(r.name)
	r.slug = r.name
	if isDated {
		r.date, r.slug = date(r.name), r.name[11:]
	}
	r.slugged = slug(r.slug)
	r.rp = newDocument(m.docs, r.dir+progressName)
	r.sm = newDocument(m.docs, r.dir+methodsName)
	r.lr = newDocument(m.docs, r.dir+textName)
	if r.rp.doc == nil && (r.sm.doc == nil && r.lr.doc == nil || !isDated && !m.index.names(r.name)) {
		return
	}
	if text := r.rp.text(); !isDated && strings.Contains(text, "{{DATE}}") && strings.Contains(text, "{{TOPIC}}") {
		return
	}
	m.reviews = append(m.reviews, r)
	m.named[r.name] = r
}

func (d *document) text() string {
	if d.doc == nil {
		return ""
	}
	return d.doc.Text
}

// dated reports whether a name begins with four, two and two digits, hyphens and an underscore.
func dated(name string) bool {
	return len(name) > 11 && name[4] == '-' && name[7] == '-' && name[10] == '_' && allDigits(name[:4]+name[5:7]+name[8:10])
}

// lookAlike says why the directory holds no reviews, "" if it does.
func (m *model) lookAlike() string {
	t := &m.index.reviews
	if m.index.titled("literaturereviewindex") || t.cols[colTopic] >= 0 && t.cols[colMode] >= 0 && t.cols[colStatus] >= 0 {
		return ""
	}
	for _, doc := range m.docs.All() {
		folder, name, _ := strings.Cut(doc.Path, "/")
		if dated(folder) && (name == progressName || name == methodsName || name == textName) {
			return ""
		}
		if name != progressName {
			continue
		}
		d := &document{}
		if r := m.named[folder]; r != nil {
			d = r.rp
		} else {
			d = newDocument(m.docs, doc.Path)
		}
		if d.titled("literaturereviewprogress") || d.sections() >= 2 || d.opaque && m.named[folder] != nil {
			return ""
		}
	}
	return "INDEX.md is no Literature Review Index, and no folder holds a literature review's progress"
}

// sections counts the sections that every state file has.
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
		r.unreadable = len(r.status) == 0 && r.rp.sections() == 0
	} else {
		r.claim = claim{phase: noPhase, words: noPhase}
		r.unreadable = r.rp.doc != nil && !r.rp.opaque
	}
	if r.lost = r.unreadable || !r.rp.readable(); !r.lost {
		r.readProgress()
	} else {
		r.status, r.topicFolded, r.claim = nil, "", claim{phase: noPhase, words: noPhase}
	}
	r.readMethods()
	r.readText()
	r.pairPapers()
}

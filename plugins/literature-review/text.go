package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
)

// Where an entry stands.
const (
	nowhere = iota
	exemplars
	supporting
	demoted
	evidence
)

// A topic is a section of Literature_Review.md that holds entries.
type topic struct {
	heading   markdown.Heading
	title     string
	exemplars int
	evidence  int
}

// The bullets of an entry.
const (
	hasSummary = 1 << iota
	hasRelevance
	hasMethods
	hasWhy
	hasQuality
)

// An entry is a paper in Literature_Review.md.
type entry struct {
	markdown.Heading
	title         string
	id, source    string
	surname, year string
	kind          int
	has           int // bits
	deep          int // bullets
	verified      markdown.Field
	hasDOI        bool
	topic         *topic
	paper         *paper
}

// closings are the sections that are no topics. The first three and References
// are what synthesizing writes.
var closings = [...]string{"keymethodologicalinsights", "quantitativesummary", "gapsandlimitations", "references",
	"searchgoals", "coreconcepts", "prioritypapersforfulltextretrieval"}

// A textReader walks Literature_Review.md once.
type textReader struct {
	r            *review
	d            *document
	topic        *topic
	kind, level  int // of the section with entries
	entry        *entry
	entryLevel   int
	ignored      bool // below a placeholder heading
	deep         bool // below Deep Extraction
	sections     bool // there is a section for entries
	words, loose int
	keys         map[string]string // names of keys by how they are written
}

func (r *review) readText() {
	t := textReader{r: r, d: r.lr, keys: map[string]string{}}
	nodes := r.lr.o.Nodes
	for i := 0; i < len(nodes); i++ {
		n := &nodes[i]
		switch n.Kind {
		case markdown.KindHeading:
			if n.Parent < 0 {
				t.heading(markdown.Heading{Part: r.lr.o.At(i)}, n.Data)
			}
		case markdown.KindFrontMatter:
			for i+1 < len(nodes) && nodes[i+1].Start < n.End {
				i++
			}
		case markdown.KindHeader:
			i += n.Data
		case markdown.KindRow:
			t.row(markdown.Row{Part: r.lr.o.At(i)})
			i += n.Data
		case markdown.KindField:
			t.field(i)
		case markdown.KindParagraph:
			t.paragraph(i)
		}
	}
	r.hasEntries = len(r.entries) > 0 || t.loose > 0 || !t.sections && t.words >= 100
	r.identifiable = len(r.entries) > 0 && t.loose == 0
}

func (t *textReader) heading(h markdown.Heading, level int) {
	text := h.Text()
	t.ignored = strings.Contains(text, "{{")
	name := markdown.Name(text)
	if level <= t.level {
		t.kind, t.level = nowhere, 0
	}
	if level == 2 {
		t.topic = nil
		if !closing(name) {
			t.topic = &topic{heading: h, title: text}
			if t.ignored {
				t.topic.title = ""
			}
			t.r.topics = append(t.r.topics, t.topic)
		}
	}
	switch kind := kindOf(name); {
	case t.ignored:
		t.entry = nil
	case kind != nowhere && level <= 3:
		t.kind, t.level, t.entry = kind, level, nil
		t.sections = t.sections || kind != evidence
	case t.kind == nowhere || t.kind == evidence:
		t.entry = nil
	case t.entry == nil || level <= t.entryLevel:
		t.begin(h, text, level)
	}
}

func kindOf(name string) int {
	switch name {
	case "exemplarpapers":
		return exemplars
	case "supportingpapers":
		return supporting
	case "demotedexemplars":
		return demoted
	case "evidencetable":
		return evidence
	}
	return nowhere
}

func closing(name string) bool {
	for _, c := range closings {
		if name == c {
			return true
		}
	}
	return false
}

func (t *textReader) begin(h markdown.Heading, text string, level int) {
	e := &entry{Heading: h, title: text, kind: t.kind, topic: t.topic}
	for _, mark := range [...]string{" -- Demoted", " – Demoted", " — Demoted"} {
		if cut := len(text) - len(mark); cut > 0 && strings.EqualFold(text[cut:], mark) {
			e.title, e.kind = text[:cut], demoted
		}
	}
	e.surname = surname(e.title)
	if all := years(e.title); len(all) > 0 {
		e.year = all[len(all)-1]
	}
	if e.kind == exemplars && t.topic != nil {
		t.topic.exemplars++
	}
	t.entry, t.entryLevel, t.deep = e, level, false
	t.r.entries = append(t.r.entries, e)
}

func (t *textReader) row(row markdown.Row) {
	real := clean(row.Cell(0).Text()) != "" && !t.ignored
	switch {
	case !real:
	case t.kind == evidence && t.topic != nil:
		t.topic.evidence++
	case (t.kind == exemplars || t.kind == supporting) && t.entry == nil:
		t.loose++
	}
}

// field reads a bullet of an entry.
func (t *textReader) field(i int) {
	e := t.entry
	if e == nil || t.ignored {
		return
	}
	o := t.d.o
	value := o.At(i + 2)
	text := clean(value.Text())
	bit := 0
	raw := o.At(i + 1).Raw()
	name, ok := t.keys[raw]
	if !ok {
		name = markdown.Name(markdown.Plain(raw))
		t.keys[raw] = name
	}
	switch name {
	case "deepextraction", "originaldeepextraction":
		if t.deep = true; deep(text) {
			e.deep++
		}
		return
	case "sourcetype":
		e.source = text
	case "doi", "doi/pmid":
		e.hasDOI = text != ""
		if id := identifier(value.Text()); id != "" && !strings.HasPrefix(e.id, "10.") {
			e.id = id
		}
	case "pmid":
		if e.id == "" {
			e.id = identifier(value.Text())
		}
	case "verified":
		e.verified = o.FieldAt(i)
	case "summary":
		bit = hasSummary
	case "relevance":
		bit = hasRelevance
	case "keymethodstoemulate", "keymethods":
		bit = hasMethods
	case "whyexemplar":
		bit = hasWhy
	case "qualitynote":
		bit = hasQuality
	default:
		if t.deep && deep(text) {
			e.deep++
		}
		return
	}
	t.deep = false
	if text != "" || bit != 0 && len(t.d.follow(i)) > 0 {
		e.has |= bit
	}
}

func deep(text string) bool {
	return text != "" && begins(fold(text), "n/a,abstract only") == 0
}

// paragraph reads what is no field: a loose item, a bullet, or prose.
func (t *textReader) paragraph(i int) {
	if t.ignored {
		return
	}
	nodes := t.d.o.Nodes
	if i+1 < len(nodes) && nodes[i+1].Kind == markdown.KindField && nodes[i+1].Parent == i {
		if t.entry == nil && nodes[i].Parent >= 0 && (t.kind == exemplars || t.kind == supporting) && t.d.prose(i) != "" {
			t.loose++
		}
		return
	}
	p := t.d.o.At(i)
	text := clean(p.Text())
	if text == "" {
		return
	}
	item := p.In(markdown.KindItem)
	switch {
	case t.entry != nil && strings.HasPrefix(markdown.Name(text), "deepextraction"):
		t.deep = true
	case t.entry != nil && t.deep && item && deep(text):
		t.entry.deep++
	case t.entry == nil && item && (t.kind == exemplars || t.kind == supporting):
		t.loose++
	}
	if t.words < 100 {
		t.words += len(strings.Fields(text))
	}
}

// level is the status that an entry proves.
func (e *entry) level() int {
	const summarised, all = hasSummary | hasQuality, hasSummary | hasQuality | hasRelevance | hasMethods | hasWhy
	switch {
	case e.has&summarised != summarised:
		return included
	case e.kind != exemplars || e.has&all != all:
		return level2
	case e.deep > 0:
		return level4
	}
	return level3
}

// unverified reports whether nobody has verified the entry's DOI.
func (e *entry) unverified() bool {
	return e.hasDOI && begins(fold(clean(e.verified.Text())), "yes,verified|no|n/a") == 0
}

// pairPapers gives tracked rows their entries: by DOI or PMID, then by
// surname and year.
func (r *review) pairPapers() {
	if len(r.entries) == 0 || len(r.papers) == 0 {
		return
	}
	byID, byName := map[string]*entry{}, map[string][]*entry{}
	for _, e := range r.entries {
		if e.id != "" && byID[e.id] == nil {
			byID[e.id] = e
		}
		if e.surname != "" && e.year != "" {
			byName[e.surname+e.year] = append(byName[e.surname+e.year], e)
		}
	}
	for _, p := range r.papers {
		if e := byID[p.id]; p.id != "" && e != nil && e.paper == nil && !p.bad {
			p.entry, e.paper = e, p
		}
	}
	for _, p := range r.papers {
		if p.entry != nil || p.bad {
			continue
		}
		name := surname(p.citation)
		for _, year := range years(p.citation) {
			for _, e := range byName[name+year] {
				if e.paper == nil && p.entry == nil {
					p.entry, e.paper = e, p
				}
			}
		}
	}
}

// matchable reports whether a citation has what entries are found by.
func (p *paper) matchable() bool {
	return !p.bad && surname(p.citation) != "" && len(years(p.citation)) > 0
}

package literaturereview

import (
	"math/bits"
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

// boldLabel is the level of a line in bold that stands for the heading of a section: any heading ends it.
const boldLabel = 7

// An entry is a paper in Literature_Review.md.
type entry struct {
	markdown.Heading
	title         string
	id, source    string
	surname, year string
	kind          int
	has           int    // bits
	blank         string // a field of it that is there without a value
	deep          int    // bullets
	noDeep        bool   // Deep Extraction is there, and blank
	verified      markdown.Field
	said, saidBy  string // what says whether the DOI was verified, and its key
	hasDOI        bool
	written       bool // there is text below its heading
	topic         *topic
	paper         *paper
}

// closings are the sections that are no topics, by their names. The first ones are what
// synthesizing writes.
var closings = [...]string{"keymethodologicalinsights|methodologicalinsights", "quantitativesummary", "gapsandlimitations|gaps|limitations|researchgaps", "references|bibliography",
	"synthesis|conclusion|conclusions|discussion|summary|keyfindings|overview|mainfindings|takeaways|implications|summaryoffindings|findings|finalsynthesis",
	"searchgoals|coreconcepts|prioritypapersforfulltextretrieval|researchgoals|introduction|abstract|background|methods|scope|purpose|contents|tableofcontents|openquestions|notes|corrections|antagonisticreview|doiverification"}

// The places of closings: the sections that the templates name, and all that synthesizing writes.
const (
	namedClosings = 4
	allClosings   = 5
)

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
	mentioned    bool              // the text names a tracked paper
	tracked      map[string]bool   // surnames and years of tracked papers
	keys         map[string]string // names of keys by how they are written
}

func (r *review) readText() {
	t := textReader{r: r, d: r.lr, keys: map[string]string{}, tracked: map[string]bool{}}
	for _, p := range r.papers {
		for _, year := range years(p.citation) {
			t.tracked[surname(p.citation)+year] = !p.bad
		}
	}
	t.topic = &topic{title: r.lr.title()}
	r.topics = append(r.topics, t.topic)
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
			t.header(markdown.Row{Part: r.lr.o.At(i)})
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
	for _, e := range r.entries {
		e.written = r.lr.real(e.Heading, true)
		if e.kind == exemplars && e.topic != nil {
			e.topic.exemplars++
		}
	}
	r.verified = r.verifiesDOIs()
	r.hasEntries = len(r.entries) > 0 || t.loose > 0 || t.mentioned || !t.sections && t.words >= 100
	r.identifiable = len(r.entries) > 0 && t.loose == 0
}

// verifiesDOIs reports whether one text says that all DOIs were verified.
func (r *review) verifiesDOIs() bool {
	for _, d := range [...]*document{r.lr, r.rp} {
		for i := range d.heads {
			if h := &d.heads[i]; strings.HasPrefix(h.name, "doiverification") && d.real(h.Heading, true) {
				return true
			}
		}
		if f := pick(d.fields(d.o.Document()), "doiverification|doisverified|doiverificationrun"); says(f.Text()) && begins(fold(clean(f.Text())), "no") == 0 {
			return true
		}
	}
	return false
}

func (t *textReader) heading(h markdown.Heading, level int) {
	text := h.Text()
	t.ignored = strings.Contains(text, "{{")
	name := markdown.Name(text)
	if level <= t.level {
		t.kind, t.level = nowhere, 0
	}
	kind := kindOf(name)
	if level == 2 && kind == nowhere && !t.isEntry(text) {
		t.topic = nil
		if closing(name) < 0 {
			t.topic = &topic{heading: h, title: text}
			if t.ignored {
				t.topic.title = ""
			}
			t.r.topics = append(t.r.topics, t.topic)
		}
	}
	switch {
	case t.ignored:
		t.entry = nil
	case kind != nowhere && level <= 4 && (t.entry == nil || level <= t.entryLevel):
		t.kind, t.level, t.entry = kind, level, nil
		t.sections = t.sections || kind != evidence
		if kind == evidence && level <= 2 {
			t.topic = t.r.topics[0] // it serves the whole text
		}
	case t.entry != nil && level > t.entryLevel:
	case t.kind != nowhere && t.kind != evidence, level > 1 && t.isEntry(text):
		t.begin(h, text, level)
	default:
		t.entry = nil
	}
}

// isEntry reports whether a heading outside the sections for entries is that of one: it says so, or
// names a paper that is tracked.
func (t *textReader) isEntry(title string) bool {
	_, kind := labelled(title)
	if kind != nowhere {
		return true
	}
	for _, year := range years(title) {
		if t.tracked[surname(title)+year] {
			return true
		}
	}
	return false
}

// labelled takes the kind of a paper off a title: "A 2019 (Exemplar)", "A 2019 -- Demoted".
func labelled(title string) (bare string, kind int) {
	cut := max(strings.LastIndexAny(title, "([–—"), strings.LastIndex(title, " - "), strings.LastIndex(title, "--"))
	if cut <= 0 {
		return title, nowhere
	}
	kind = kindOf(markdown.Name(strings.TrimRight(title[cut:], ")] ")))
	if kind == nowhere || kind == evidence {
		return title, nowhere
	}
	return strings.TrimRight(title[:cut], " -–—("), kind
}

// kindOf is the kind of a section by its name.
func kindOf(name string) int {
	if cut := strings.IndexAny(name, "(:–—,"); cut > 0 {
		name = name[:cut]
	}
	for i, names := range [...]string{"exemplar|exemplars|exemplarpaper|exemplarpapers|exemplarstudies|exemplarentries", "supporting|supportingpaper|supportingpapers|supportingstudies|supportingentries",
		"demoted|demotedexemplar|demotedexemplars|demotedpapers", "evidence|evidencetable|evidencesummary|evidencematrix"} {
		if among(name, names) {
			return exemplars + i
		}
	}
	return nowhere
}

// closing is the place of a section that is not a topic among those, -1 for a topic.
func closing(name string) int {
	for i, c := range closings {
		if among(name, c) {
			return i
		}
	}
	return -1
}

func (t *textReader) begin(h markdown.Heading, text string, level int) {
	e := &entry{Heading: h, title: text, kind: t.kind, topic: t.topic}
	if bare, kind := labelled(text); kind != nowhere {
		e.title, e.kind = bare, kind
	}
	e.surname = surname(e.title)
	if all := years(e.title); len(all) > 0 {
		e.year = all[len(all)-1]
	}
	t.entry, t.entryLevel, t.deep = e, level, false
	t.r.entries = append(t.r.entries, e)
}

// header notes a table of papers, which is evidence wherever it stands.
func (t *textReader) header(row markdown.Row) {
	if among(markdown.Name(row.Cell(0).Text()), "paper|study|author|authors|citation|reference") && t.kind == nowhere && t.entry == nil && t.topic != nil {
		for _, w := range row.Table().Rows() {
			if clean(w.Cell(0).Text()) != "" {
				t.topic.evidence++
			}
		}
	}
}

func (t *textReader) row(row markdown.Row) {
	real := clean(row.Cell(0).Text()) != "" && !t.ignored
	switch {
	case !real:
	case t.kind == evidence && t.topic != nil:
		t.topic.evidence++
	case (t.kind == exemplars || t.kind == supporting) && t.entry == nil:
		t.loose++
	case t.kind != evidence:
		for i := range row.Len() {
			t.mention(row.Cell(i).Text())
		}
	}
}

// mention notes a text that names a tracked paper by surname and year.
func (t *textReader) mention(text string) {
	if t.mentioned || len(t.tracked) == 0 || t.kind == evidence {
		return
	}
	all := years(text)
	words := strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return c != '\'' && c != '-' && markdown.Symbol(c) })
	for _, word := range words {
		for _, year := range all {
			t.mentioned = t.mentioned || t.tracked[word+year]
		}
	}
}

// field reads a bullet of an entry with a bold key.
func (t *textReader) field(i int) {
	if t.entry == nil || t.ignored {
		return
	}
	o := t.d.o
	raw := o.At(i + 1).Raw()
	name, ok := t.keys[raw]
	if !ok {
		name = markdown.Name(markdown.Plain(raw))
		t.keys[raw] = name
	}
	text := o.At(i + 2).Text()
	t.bullet(name, text, text == "" && len(t.d.follow(i)) > 0)
	if t.entry.saidBy == name && !t.entry.verified.OK() {
		t.entry.verified = o.FieldAt(i)
	}
}

// bullet reads a key with its value, or what follows a blank one.
func (t *textReader) bullet(name, value string, follows bool) {
	e, bit, text := t.entry, 0, clean(value)
	switch name {
	case "deepextraction", "originaldeepextraction":
		if t.deep = true; deep(text) {
			e.deep++
		}
		e.noDeep = true
		return
	case "role", "kind", "paperrole", "category", "exemplar?", "exemplar":
		if kind := kindOf(markdown.Name(text)); kind != nowhere && kind != evidence {
			e.kind = kind
		}
		return
	case "sourcetype":
		e.source = text
	case "doi", "doi/pmid":
		e.hasDOI = text != ""
		if rest := strings.ToLower(value); yesNo(rest) == "yes" || strings.Contains(rest, "verified") || strings.Contains(rest, "resolves") {
			e.said = rest
		}
		if id := identifier(value); id != "" && !strings.HasPrefix(e.id, "10.") {
			e.id = id
		}
	case "pmid":
		if e.id == "" {
			e.id = identifier(value)
		}
	case "verified", "doiverified", "doicheck", "doiverification", "doistatus":
		e.saidBy, e.said = name, yesNo(value)
	case "summary":
		bit = hasSummary
	case "relevance":
		bit = hasRelevance
	case "keymethodstoemulate", "keymethods":
		bit = hasMethods
	case "whyexemplar":
		bit = hasWhy
	case "qualitynote", "quality", "qualityassessment":
		bit = hasQuality
	default:
		if t.deep && deep(text) {
			e.deep++
		}
		return
	}
	t.deep = false
	if says(text) || follows {
		e.has |= bit
	} else if bit != 0 && e.blank == "" && !strings.Contains(value, "{{") {
		e.blank = [...]string{"Summary", "Relevance", "Key Methods to Emulate", "Why Exemplar", "Quality Note"}[bits.TrailingZeros(uint(bit))]
	}
}

func deep(text string) bool {
	return says(text) && begins(fold(text), "n/a,abstract only") == 0
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
	if kind := kindOf(markdown.Name(text)); kind != nowhere && !item && strings.HasPrefix(p.Raw(), "**") && (t.entry == nil || t.level == boldLabel) {
		t.kind, t.level, t.entry = kind, boldLabel, nil
		t.sections = t.sections || kind != evidence
		return
	}
	t.mention(text)
	if key, value, ok := strings.Cut(text, ":"); ok && t.entry != nil && len(key) < 30 {
		t.bullet(markdown.Name(key), value, false)
	}
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

// unverified reports whether nothing says that the entry's DOI was verified. That it failed counts
// if there is a reason.
func (e *entry) unverified(r *review) bool {
	said := fold(clean(e.said))
	switch {
	case !e.hasDOI:
		return false
	case said == "":
		return !r.verified
	case strings.Contains(said, "unverified") || strings.Contains(said, "not verified"):
		return true
	case begins(said, "no") > 0:
		return !strings.ContainsAny(said, "(:;, ")
	}
	return begins(said, "pending,tbd,todo,to do,?") > 0
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

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

package literaturereview

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
)

// A topic is a section of Literature_Review.md that contains entries.
type topic struct {
	_ [0]func() // not comparable; see entry
	*value
	title               string
	exemplars, evidence int
}

// closings are the names of the sections that are not topics. The last phase writes the first allClosings of them.
var closings = [...]string{"keymethodologicalinsights|methodologicalinsights", "quantitativesummary",
	"gapsandlimitations|gaps|limitations|researchgaps", "references|bibliography",
	"synthesis|conclusion|conclusions|discussion|summary|keyfindings|overview|mainfindings|takeaways|implications|summaryoffindings|findings|finalsynthesis",
	"searchgoals|coreconcepts|prioritypapersforfulltextretrieval|researchgoals|introduction|abstract|background|methods|scope|purpose|contents|tableofcontents|openquestions|notes|corrections|antagonisticreview|doiverification"}

// Indexes into closings: the last section that the templates name, and the end of those that the last phase writes.
const (
	references  = 3
	allClosings = 5
)

// closing returns the index in closings of a section that is not a topic, or -1 for a topic.
func closing(name string) int { return placeAmong(name, closings[:]) }

// A textReader reads Literature_Review.md in one pass.
type textReader struct {
	r            *review
	d            *document
	topic        *topic
	kind, level  int // of the current section for entries
	entry        *entry
	ignored      bool // below a placeholder heading
	deep         bool // below Deep Extraction
	open         int  // 1 + the index of a bullet without a value; the next text may be its value
	sections     bool // the text has a section for entries
	ofPapers     bool // the current table is about papers, so it is evidence in any section
	words, loose int
	mentioned    bool              // the text names a tracked paper
	tracked      map[string]bool   // surnames and years of tracked papers
	keys         map[string]string // the names of keys, by their text in the document
}

func (r *review) readText() {
	t := textReader{r: r, d: r.lr, keys: map[string]string{}, tracked: map[string]bool{}}
	for _, p := range r.papers {
		for _, year := range p.years {
			t.tracked[p.surname+year] = !p.bad()
		}
	}
	t.topic = &topic{value: r.lr.whole(), title: r.lr.title()}
	r.topics = append(r.topics, t.topic)
	nodes := r.lr.o.Nodes
	for i := 0; i < len(nodes); i++ {
		switch n := &nodes[i]; n.Kind {
		case markdown.KindHeading:
			if n.Parent < 0 {
				t.heading(markdown.Heading{Part: t.d.o.At(i)}, n.Data)
			}
		case markdown.KindFrontMatter:
			i = t.d.lastIn(i)
		case markdown.KindHeader:
			title := markdown.Row{Part: t.d.o.At(i)}.Cell(0).Text()
			t.ofPapers = among(markdown.Name(title), "paper|study|author|authors|citation|reference")
			i = t.d.lastIn(i)
		case markdown.KindRow:
			t.row(markdown.Row{Part: t.d.o.At(i)})
			i = t.d.lastIn(i)
		case markdown.KindField:
			t.field(i)
		case markdown.KindParagraph:
			t.paragraph(i)
		}
	}
	for _, e := range r.entries {
		e.written = t.d.real(e.Heading, true)
	}
	r.parted()
	r.verified = r.verifiesDOIs()
	r.hasEntries = len(r.entries) > 0 || t.loose > 0 || t.mentioned || !t.sections && t.words >= 100
	r.identifiable = len(r.entries) > 0 && t.loose == 0
}

// verifiesDOIs reports whether the review text or the state file says that all DOIs were verified.
func (r *review) verifiesDOIs() bool {
	for _, d := range [...]*document{r.lr, r.rp} {
		run := first(d.heads, func(h *head) bool {
			return strings.HasPrefix(h.name, "doiverification") &&
				d.real(h.Heading, true)
		})
		f := d.pick(d.fields(d.o.Document()), "doiverification|doisverified|doiverificationrun")
		if run != nil || says(f.text) && begins(fold(f.real()), "no") == 0 {
			return true
		}
	}
	return some(strings.Split(markdown.Lower(r.rp.heading("sessionnotes").Section().Raw()), "\n"), allVerified)
}

// allVerified reports whether a line of the notes says that every DOI was verified: "all DOIs verified", "3/3 DOIs
// resolve".
func allVerified(line string) bool {
	if !strings.Contains(line, "doi") || !strings.Contains(line, "verified") && !strings.Contains(line, "resolve") ||
		last(line, "not ", "unverified", "pending", "fail", "todo", "next", "must", "until", "to be ", "except",
			"?") >= 0 {
		return false
	}
	isWhole := func(word string) bool {
		n, all, isFraction := strings.Cut(word, "/")
		return isFraction && n == all && allDigits(n) || word == "all"
	}
	return some(strings.FieldsFunc(line, func(c rune) bool { return c != '/' && markdown.Symbol(c) }), isWhole)
}

func (t *textReader) heading(h markdown.Heading, level int) {
	text := h.Text()
	t.ignored, t.open = strings.Contains(text, "{{"), 0
	name := markdown.Name(text)
	if level <= t.level {
		t.kind, t.level = nowhere, 0
	}
	kind := kindOf(name)
	bare, role := roled(text)
	if role != nowhere && !t.isEntry(bare, level) && (surname(bare) == "" || len(years(bare)) != 1) {
		role = nowhere
	}
	if level == 2 && kind == nowhere && !t.isEntry(text, level) {
		t.topic = nil
		if closing(name) < 0 {
			t.topic = &topic{value: t.d.part(h.Part), title: text}
			if t.ignored {
				t.topic.title = ""
			}
			t.r.topics = append(t.r.topics, t.topic)
		}
	}
	switch {
	case t.ignored:
		t.entry = nil
	case role != nowhere && level > 1 && (t.entry == nil || level <= t.entry.Level()):
		t.begin(h, bare, role)
	case kind != nowhere && level <= 4 && (t.entry == nil || level <= t.entry.Level()):
		t.section(kind, level)
		if kind == evidence && level <= 2 {
			t.topic = t.r.topics[0] // the table is for the whole text
		}
	case t.entry != nil && level > t.entry.Level():
		t.deep = strings.HasPrefix(name, "deepextraction")
		t.entry.noDeep, t.entry.other = t.entry.noDeep || t.deep, true
	case t.kind != nowhere && t.kind != evidence, level > 1 && t.isEntry(text, level):
		t.begin(h, text, t.kind)
	default:
		t.entry = nil
	}
}

// section begins a section for entries of a kind.
func (t *textReader) section(kind, level int) {
	t.kind, t.level, t.entry = kind, level, nil
	t.sections = t.sections || kind != evidence
}

// isEntry reports whether a heading outside the sections for entries is the heading of an entry: it says so, names a
// tracked paper, or has a year like the previous entry on the same level.
func (t *textReader) isEntry(title string, level int) bool {
	_, kind := labelled(title)
	n := len(t.r.entries) - 1
	who, when := t.cited(title)
	if t.tracked[who+when] || some(t.r.papers, func(p *paper) bool { return !p.bad() && p.titled(title) }) {
		return true
	}
	for _, year := range years(title) {
		if t.tracked[surname(title)+year] || n >= 0 && t.r.entries[n].Level() == level &&
			t.r.entries[n].topic == t.topic && strings.Contains(title, "("+year+")") {
			return true
		}
	}
	return kind != nowhere
}

// cited returns the surname and the year in a title. They are usually at its beginning. If they belong to a tracked
// paper, they may also be in a key ("Rasch2013") or in a citation in parentheses after the paper's title.
func (t *textReader) cited(title string) (who, year string) {
	title = unnumbered(title)
	who = surname(title)
	if all := years(title); len(all) > 0 {
		year = all[len(all)-1]
	}
	if key := strings.TrimRight(who, "0123456789"); len(who) == len(key)+4 && t.tracked[who] {
		return key, who[len(key):]
	}
	if cut := strings.LastIndexByte(title, '('); cut > 0 && !t.tracked[who+year] {
		if other := surname(title[cut+1:]); t.tracked[other+year] {
			who = other
		}
	}
	return who, year
}

// unnumbered returns a title without the number of its paper ("Paper 2: …").
func unnumbered(title string) string {
	word, rest, _ := strings.Cut(title, " ")
	number, rest, isNumbered := strings.Cut(rest, " ")
	if among(markdown.Lower(word), "paper|study|entry") && isNumbered && allDigits(strings.Trim(number, "#:.–—-")) {
		return strings.TrimLeft(rest, ":–—- ")
	}
	return title
}

func (t *textReader) begin(h markdown.Heading, text string, kind int) {
	e := &entry{Heading: h, value: t.d.part(h.Part), title: text, kind: kind, topic: cmp.Or(t.topic, t.r.topics[0])}
	if bare, kind := labelled(text); kind != nowhere {
		e.title, e.kind = bare, kind
	}
	e.surname, e.year = t.cited(e.title)
	t.entry, t.deep = e, false
	t.r.entries = append(t.r.entries, e)
}

func (t *textReader) row(row markdown.Row) {
	switch {
	case clean(row.Cell(0).Text()) == "" || t.ignored:
	case t.kind == evidence && t.topic != nil:
		t.topic.evidence++
		v := t.d.part(row.Part)
		if v.text = row.Cell(0).Text(); len(v.text) < 5 && strings.ContainsAny(v.text, "0123456789") {
			v.text = row.Cell(1).Text() // the first cell is the number of the paper
		}
		t.r.tabled = append(t.r.tabled, v)
	case t.entry == nil && t.listing():
		t.loose++
	default:
		if t.entry != nil {
			if t.entry.other = true; t.deep && deep(clean(row.Cell(row.Len()-1).Text())) {
				t.entry.deep++
			}
		} else if t.ofPapers && t.kind == nowhere && t.topic != nil {
			t.topic.evidence++
		}
		t.mention(row.Raw())
	}
}

// listing reports whether the current section is one for entries.
func (t *textReader) listing() bool { return t.kind == exemplars || t.kind == supporting }

// mention records whether a text names a tracked paper by surname and year.
func (t *textReader) mention(text string) {
	if t.mentioned || len(t.tracked) == 0 || t.kind == evidence {
		return
	}
	all := years(text)
	for _, word := range strings.FieldsFunc(markdown.Lower(text),
		func(c rune) bool { return c != '\'' && c != '-' && markdown.Symbol(c) }) {
		for _, year := range all {
			t.mentioned = t.mentioned || t.tracked[word+year]
		}
	}
}

// paragraph reads a paragraph that is not a field: a loose item, a bullet, or prose.
func (t *textReader) paragraph(i int) {
	p := t.d.o.At(i)
	item := p.In(markdown.KindItem)
	loose := t.entry == nil && item && t.listing()
	text := clean(p.Text())
	switch {
	case t.ignored || text == "":
		return
	case t.d.keyed(i):
		if loose && t.d.prose(i) != "" {
			t.loose++
		}
		return
	}
	t.mention(text)
	if e := t.entry; e != nil {
		if t.open > 0 {
			if e.has |= 1 << (t.open - 1); e.blank == bulletTitles[t.open-1] {
				e.blank = ""
			}
			t.open = 0
		}
		if key, value, ok := strings.Cut(text, ":"); ok && len(key) < 30 {
			t.bullet(markdown.Name(key), value)
		} else {
			e.other = e.other || !t.deep
		}
		if strings.HasPrefix(markdown.Name(text), "deepextraction") {
			t.deep, e.noDeep = true, true
		} else if t.deep && deep(text) {
			e.deep++
		}
	} else if loose {
		t.loose++
	}
	t.words += len(strings.Fields(text))
}

package literaturereview

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// The kinds of sections. An entry is of the same kind as its section.
const (
	nowhere = iota
	exemplars
	supporting
	demoted
	evidence
)

// An entry is a paper in Literature_Review.md.
type entry struct {
	_ [0]func() // not comparable: code that compares all fields would make the guest larger
	markdown.Heading
	*value
	title         string
	id, source    string
	surname, year string
	kind          int
	has           int    // a set of bits such as hasSummary
	blank         string // the title of a field that has no value
	other         bool   // it has text outside the known fields, which may replace one of them
	deep          int    // number of bullets under Deep Extraction
	noDeep        bool   // it has a Deep Extraction, which is blank if deep is 0
	verified      markdown.Field
	said, saidBy  string // the text that says whether the DOI was verified, and its key
	hasDOI        bool
	written       bool // there is text below its heading
	topic         *topic
	paper         *paper
	twin          *entry // the entry of the same paper that takes precedence
	was, now      *entry // the same entry in the base; for an entry of the base, the current one; or nil
}

// level returns the highest paper status that the content of an entry supports.
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

// name returns a text that distinguishes the entries of a review.
func (e *entry) name() string {
	return cmp.Or(e.id, say.Clip(fold(e.title)))
}

// absent returns Summary or Quality Note if an entry has only the other one. It returns "" if the entry may contain the
// missing field in another form.
func (e *entry) absent() string {
	switch has := e.has & (hasSummary | hasQuality); {
	case e.other:
	case has == hasQuality:
		return "Summary"
	case has == hasSummary && !strings.Contains(markdown.Lower(e.Section().Raw()), "quality"):
		return "Quality Note"
	}
	return ""
}

// poorer reports whether an entry contains less than in the base: fields are blank or missing, and no other text
// replaces them.
func (e *entry) poorer(old *entry) bool {
	return e.written && !e.other && e.kind != demoted && (old.other || old.has&^(e.has|hasWhy) != 0) &&
		e.size() < old.size()
}

// size returns the number of words in an entry, without Markdown marks.
func (e *entry) size() int { return len(strings.FieldsFunc(e.Section().Raw(), markdown.Symbol)) }

// labelled separates a title from the paper's kind at its end: "A 2019 (Exemplar)", "A 2019 -- Demoted".
func labelled(title string) (bare string, kind int) {
	cut := last(title, "(", "[", "–", "—", " - ", "--")
	if cut <= 0 {
		return title, nowhere
	}
	kind = kindOf(markdown.Name(strings.TrimRight(title[cut:], ")] ")))
	if kind == nowhere || kind == evidence {
		return title, nowhere
	}
	return strings.TrimRight(title[:cut], " -–—("), kind
}

// roled separates a title from the paper's kind at its beginning: "Exemplar: A 2019", "[Supporting] B 2020".
func roled(title string) (bare string, kind int) {
	for _, mark := range [...]string{":", "]", ")", "–", "—", " -"} {
		left, rest, _ := strings.Cut(title, mark)
		left = strings.TrimRight(strings.TrimLeftFunc(left, markdown.Symbol), " #0123456789")
		kind = kindOf(markdown.Name(left))
		if kind != nowhere && kind != evidence && !strings.Contains(left, "(") {
			return strings.TrimLeftFunc(rest, markdown.Symbol), kind
		}
	}
	return title, nowhere
}

// kindOf returns the kind of a section by its name.
func kindOf(name string) int {
	if cut := strings.IndexAny(name, "(:–—,"); cut > 0 {
		name = name[:cut]
	}
	name = strings.TrimSuffix(name, "table")
	return 1 + placeAmong(name, kindWords[:])
}

var kindWords = [...]string{"exemplar|exemplars|exemplarpaper|exemplarpapers|exemplarstudies|exemplarentries",
	"supporting|supportingpaper|supportingpapers|supportingstudies|supportingentries",
	"demoted|demotedexemplar|demotedexemplars|demotedpapers",
	"evidence|evidencesummary|evidencematrix|summaryofevidence"}

// unverified reports whether nothing says that the entry's DOI was verified. A verification that failed for a stated
// reason counts as done.
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

// parted moves duplicate entries to r.repeated. Two entries of one author are duplicates if they have the same DOI, or
// the same title and not different DOIs. The first one with text is used. A paper may have a demoted entry besides an
// entry of another kind.
func (r *review) parted() {
	var list []*entry
	for _, e := range r.entries {
		same := func(other *entry) bool {
			if e.id != "" && other.id != "" {
				return e.id == other.id && (e.surname == "" || e.surname == other.surname)
			}
			return e.surname != "" && fold(e.title) == fold(other.title)
		}
		at := slices.IndexFunc(list, same)
		switch {
		case at < 0, (e.kind == demoted) != (list[at].kind == demoted):
			if list = append(list, e); at >= 0 {
				e.twin = list[at]
			}
			continue
		case !list[at].written && e.written:
			e, list[at] = list[at], e
		}
		e.twin = list[at]
		r.repeated = append(r.repeated, e)
	}
	r.entries = list
}

// pairPapers pairs the rows of Paper Tracking with their entries: first by DOI or PMID, so that no row takes an entry
// with another row's DOI, then by surname and year, then by title. Either the table or the text may say which papers
// are exemplars.
func (r *review) pairPapers() {
	both := func(p *paper, e *entry) bool { return p.sameID(e) && p.sameName(e) }
	for _, are := range [...]func(*paper, *entry) bool{both, (*paper).sameID, (*paper).sameName, (*paper).sameTitle} {
		for _, p := range r.papers {
			e := first(r.entries, func(e *entry) bool { return e.paper == nil && are(p, e) })
			if e != nil && p.entry == nil && !p.bad() {
				p.entry, e.paper = e, p
			}
		}
	}
	t := r.tables[inPapers]
	marked := t == nil || t.cols[paperExemplar] >= 0
	for _, e := range r.entries {
		if p := e.paper; p != nil && p.exemplar && e.kind == nowhere {
			e.kind = exemplars
		} else if p != nil && !marked && e.kind == exemplars {
			p.exemplar = true
		}
		if e.kind == exemplars {
			e.topic.exemplars++
		}
	}
}

// The bullets of an entry, as bits.
const (
	hasSummary = 1 << iota
	hasRelevance
	hasMethods
	hasWhy
	hasQuality
)

var bulletTitles = [...]string{"Summary", "Relevance", "Key Methods to Emulate", "Why Exemplar", "Quality Note"}

// bulletNames are the keys that documents use for the bullets.
var bulletNames = [...]string{"summary", "relevance", "keymethodstoemulate|keymethods", "whyexemplar",
	"qualitynote|quality|qualityassessment"}

// field reads an entry's bullet that has a bold key.
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
	value := o.At(i + 2).Text()
	if value == "" {
		value = t.d.below(i)
	}
	t.bullet(name, value)
	if t.entry.saidBy == name && !t.entry.verified.OK() {
		t.entry.verified = o.FieldAt(i)
	}
}

// bullet reads the key and the value of a bullet.
func (t *textReader) bullet(name, value string) {
	e, text := t.entry, clean(value)
	t.open = 0
	switch name {
	case "deepextraction", "originaldeepextraction":
		if t.deep, e.noDeep = true, true; deep(text) {
			e.deep++
		}
		return
	case "role", "kind", "type", "tier", "paperrole", "category", "exemplar?", "exemplar":
		if kind := kindOf(markdown.Name(text)); kind != nowhere && kind != evidence {
			e.kind = kind
		}
		return
	case "sourcetype":
		e.source = text
	case "doi", "doi/pmid":
		e.hasDOI = text != ""
		if rest := markdown.Lower(value); yesNo(rest) == "yes" || strings.Contains(rest, "verified") ||
			strings.Contains(rest, "resolves") {
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
	default:
		if i := placeAmong(name, bulletNames[:]); i >= 0 {
			t.deep = false
			t.filled(i, value)
			return
		}
		if t.deep && deep(text) {
			e.deep++
		}
		e.other = e.other || !t.deep && !among(name, "citation|authors|author|year|title|journal|link|url")
		return
	}
	t.deep = false
}

// filled records whether a bullet has a value. The text that follows a blank bullet may be its value.
func (t *textReader) filled(i int, value string) {
	e := t.entry
	if says(clean(value)) {
		e.has |= 1 << i
		return
	}
	if needed := 1<<i&(hasSummary|hasQuality) != 0; needed || e.blank == "" && !strings.Contains(value, "{{") {
		e.blank = bulletTitles[i]
	}
	if strings.TrimSpace(value) == "" {
		t.open = i + 1
	}
}

func deep(text string) bool {
	return says(text) && begins(fold(text), "n/a,abstract only") == 0
}

package literaturereview

import (
	"math/bits"
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
)

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

// The bullets of an entry.
const (
	hasSummary = 1 << iota
	hasRelevance
	hasMethods
	hasWhy
	hasQuality
)

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

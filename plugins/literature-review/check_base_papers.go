package literaturereview

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

func (c *comparison) papers() {
	r, was := c.now, c.was
	if len(was.papers) >= 2 && len(r.papers) == 0 {
		if r.lacksColumn() {
			return
		}
		at := r.paperTable.Part
		if !at.OK() {
			at = r.rp.heading("papertracking").Part
		}
		found := c.tell("tracking-table-emptied", r, r.rp, at, "", itoa(len(was.papers))+" papers tracked before, none now")
		c.putTableBack(found)
		return
	}
	byID, byCitation := map[string]*paper{}, map[string]*paper{}
	isBad := false
	for _, p := range r.papers {
		isBad = isBad || p.bad
		if p.id != "" {
			byID[p.id] = p
		}
		byCitation[p.citation] = p
	}
	var gone []string
	for _, old := range was.papers {
		if old.bad {
			continue
		}
		p := byID[old.id]
		if p == nil {
			p = byCitation[old.citation]
		}
		if p == nil {
			gone = append(gone, short(old.citation))
			continue
		}
		if !p.bad {
			c.paper(old, p)
		}
	}
	if len(gone) > 0 && !isBad && !r.papersCut {
		c.tell("paper-row-removed", r, r.rp, r.paperTable.Part, "", itoa(len(gone))+" papers removed: "+few(gone, 5))
	}
}

func (c *comparison) paper(old, p *paper) {
	r := c.now
	if p.rank < old.rank && p.rank >= 0 && old.rank != excluded && !c.upgraded {
		found := c.tell("paper-status-regressed", r, r.rp, r.statusAt(p), p.key(), p.cite()+": "+statusNames[old.rank]+" before, "+statusNames[p.rank]+" now")
		if r.hasEntries {
			r.setPaper(found, p, old.rank)
		}
	}
	at := r.paperTable.at(p.Row, paperExemplar)
	if old.chosen && !p.chosen && r.paperTable.cols[paperExemplar] >= 0 {
		part := at.Part
		if !at.OK() {
			part = p.Part
		}
		found := c.tell("user-exemplar-demoted", r, r.rp, part, p.key(), p.cite()+": only the user may demote")
		offer(found, sdk.Review, "Set Exemplar? to User-Designated", r.rp.cell(p.Row, r.paperTable.cols[paperExemplar], "User-Designated"))
	}
}

// putTableBack offers the table of the base, or one made from the entries.
func (c *comparison) putTableBack(found *sdk.Diagnostic) {
	r, was := c.now, c.was
	if t := &r.paperTable; t.OK() && !c.strands() && strings.LastIndexByte(r.rp.o.Text[:t.Start()], '\n')+1 == t.Start() {
		raw := was.paperTable.Raw()
		if start := was.paperTable.Start(); strings.LastIndexByte(was.rp.o.Text[:start], '\n')+1 == start && raw != "" {
			offer(found, sdk.Review, "Put back the table of the base revision", r.rp.edit(markdown.Edit{Start: t.Start(), End: t.End(), New: raw}, true))
		}
	}
	if r.identifiable {
		offer(found, sdk.Review, "Rebuild the rows from "+textName, r.rebuiltRows())
	}
	if len(found.Remedies) == 0 {
		advise(found, "Put back the table", "copy Paper Tracking from the base revision")
	}
}

// strands reports whether the base's papers would bring an error: annotations
// that no text holds, candidates in a finished review, a gate that shuts.
func (c *comparison) strands() bool {
	r := c.now
	for _, p := range c.was.papers {
		if p.rank == candidate && r.observed == complete || p.rank >= level2 && p.rank <= processed && !r.hasEntries {
			return true
		}
	}
	return r.claim.phase >= antagonizing && !r.hasEntries || r.claim.phase <= interviewing
}

func (c *comparison) entries() {
	r, was := c.now, c.was
	byID, byName := map[string]*entry{}, map[string]*entry{}
	for _, e := range r.entries {
		if e.id != "" {
			byID[e.id] = e
		}
		byName[e.surname+e.year] = e
	}
	isFewer := r.identifiable && was.identifiable && len(r.entries) < len(was.entries)
	for _, old := range was.entries {
		e := byID[old.id]
		if old.id == "" || e == nil {
			e = byName[old.surname+old.year]
		}
		key := orElse(old.id, short(fold(old.title)))
		if e != nil {
			if old.deep > 0 && e.deep == 0 {
				found := c.tell("deep-extraction-dropped", r, r.lr, e.Part, key, shown(e.title)+" lost its deep extraction")
				advise(found, "Bring the extraction back", "copy the bullets from the base revision; a demotion keeps them")
			}
			continue
		}
		if p := r.tracked(old); isFewer && p != nil && p.rank != excluded {
			found := c.tell("annotation-lost", r, r.lr, markdown.Part{}, key, "entry "+shown(old.title)+" is gone, its paper is still "+orElse(statusName(p.rank), shown(p.status)))
			offer(found, sdk.Review, "Put the entry back", c.entryBack(old))
			if len(found.Remedies) == 0 {
				advise(found, "Put the entry back", "copy the entry from the base revision")
			}
		}
	}
}

func statusName(rank int) string {
	if rank < 0 {
		return ""
	}
	return statusNames[rank]
}

// tracked is the paper that an entry of the base is about.
func (r *review) tracked(old *entry) *paper {
	for _, p := range r.papers {
		if p.bad || p.entry != nil {
			continue
		}
		if old.id != "" && p.id == old.id {
			return p
		}
		if old.surname != "" && old.surname == surname(p.citation) {
			if slices.Contains(years(p.citation), old.year) {
				return p
			}
		}
	}
	return nil
}

// entryBack is the edit that puts an entry of the base behind the last entry of
// its kind.
func (c *comparison) entryBack(old *entry) []sdk.Edit {
	var last *entry
	for _, e := range c.now.entries {
		if e.kind == old.kind && e.Level() == old.Level() {
			last = e
		}
	}
	raw := strings.TrimRight(old.Section().Raw(), " \r\n\t")
	if last == nil || !c.now.lr.closed() || !c.was.lr.closed() || strings.ContainsAny(raw, "`~") || strings.Contains(raw, "<!--") || raw[0] != '#' {
		return nil
	}
	end := last.Section().End()
	text := c.now.lr.o.Text
	for end > 0 && (text[end-1] == '\n' || text[end-1] == '\r' || text[end-1] == ' ') {
		end--
	}
	return c.now.lr.insert(end, "\n\n"+raw)
}

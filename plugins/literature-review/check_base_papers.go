package literaturereview

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

func (c *comparison) papers() {
	r, was := c.now, c.was
	if len(was.papers) >= 2 && len(r.papers) == 0 {
		if r.lacksColumn() || r.unread[unreadPapers] {
			return
		}
		at := r.paperTable.Part
		if !at.OK() {
			at = r.rp.heading(papersSection).Part
		}
		found := c.tell("tracking-table-emptied", r, r.rp, at, "", "Paper Tracking has no row; the base has "+itoa(len(was.papers))+before(was.rp, was.papers[0]))
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
		c.tell("paper-row-removed", r, r.rp, r.paperTable.Part, "", "Paper Tracking lacks "+say.Count(len(gone), "paper")+" of the base: "+say.List(gone))
	}
}

func (c *comparison) paper(old, p *paper) {
	r := c.now
	if p.rank < old.rank && p.rank >= 0 && old.rank != excluded && !c.upgraded {
		found := c.tell("paper-status-regressed", r, r.rp, r.statusAt(p), p.key(), say.Was("Status of "+p.cite(), statusNames[p.rank], statusNames[old.rank], before(c.was.rp, old)))
		if old.rank-p.rank == 1 {
			found.Severity = sdk.Info // a user may set a paper back a step
		}
		r.setPaper(found, p, old.rank)
	}
	at := r.paperTable.at(p.Row, paperExemplar)
	if old.chosen && !p.chosen && r.paperTable.cols[paperExemplar] >= 0 {
		part := at.Part
		if !at.OK() {
			part = p.Part
		}
		found := c.tell("user-exemplar-demoted", r, r.rp, part, p.key(), p.cite()+" was an exemplar chosen by the user and is none any more; only the user may demote it"+before(c.was.rp, old))
		offer(found, sdk.Review, "Set Exemplar? to User-Designated", r.rp.cell(p.Row, r.paperTable.cols[paperExemplar], "User-Designated"))
	}
}

// putTableBack offers the table of the base, or one made from the entries.
func (c *comparison) putTableBack(found *sdk.Diagnostic) {
	r, was := c.now, c.was
	if t := &r.paperTable; t.OK() && strings.LastIndexByte(r.rp.o.Text[:t.Start()], '\n')+1 == t.Start() {
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
		if e != nil && old.written && !e.written {
			found := c.tell("annotation-lost", r, r.lr, e, key, "the entry "+shown(e.title)+" has nothing but its heading; the base has its text"+before(was.lr, old))
			advise(found, "Bring the text back", "copy the entry from the base revision")
			continue
		}
		if e != nil {
			if old.deep > 0 && e.deep == 0 {
				found := c.tell("deep-extraction-dropped", r, r.lr, e.Part, key, "the entry "+shown(e.title)+" has no deep extraction any more; the base has it"+before(was.lr, old))
				advise(found, "Bring the extraction back", "copy the bullets from the base revision; a demotion keeps them")
			}
			continue
		}
		if p := r.tracked(old); isFewer && p != nil && p.rank != excluded {
			found := c.tell("annotation-lost", r, r.lr, markdown.Part{}, key, "the entry "+shown(old.title)+" is gone, but its paper is still "+orElse(statusName(p.rank), shown(p.status))+"; the base has it"+before(was.lr, old))
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

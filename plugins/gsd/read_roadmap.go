package gsd

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/ordinal"
	"github.com/stategate/stategate/sdk/words"
)

// A roadmap holds the contents of ROADMAP.md.
type roadmap struct {
	numbering
	doc     *sdk.Document
	entries []*entry        // phase boxes
	heads   []*head         // phase sections
	boxes   []*box          // plan boxes
	copies  []*box          // plan boxes in the section of another phase
	rows    []*row          // rows of progress tables
	spans   []span          // history: the parts about shipped or other milestones
	others  []string        // phases whose sections have a ticked box that does not name a plan
	unread  []markdown.Task // phase boxes whose numbers may be ranges: Phase 1-02
	claims  string          // see claimed
}

type span struct {
	start, end int
	milestone  string // the version in its title, or ""
}

// An entry is a phase's box: - [x] **Phase 2: Parse** - one line.
type entry struct {
	number, name string
	task         markdown.Task
	off          bool // cancelled, deferred, parked: it will not be finished here
	old          bool // history: it belongs to a shipped milestone or another one
}

// A head is a phase's section: ### Phase 2: Parse.
type head struct {
	number, name string
	heading      markdown.Heading
	section      markdown.Section
	old, off     bool
}

// A box is a plan's box: - [x] 02-01-PLAN.md — parse the header.
type box struct {
	phase, number string
	within        string // the phase whose section has the box, or ""
	task          markdown.Task
	off, old      bool
}

// A row is a row in a progress table: | 2. Parse | 1/3 | In Progress | |.
type row struct {
	number, name        string
	row                 markdown.Row
	plans, status, date int // columns
	percent             int // column, or -1 if missing
	done, all           int
	counted             bool // the plans cell contains done/all, such as 1/3
	complete, old, open bool // open: the status says that work is in progress or has not begun
}

// readRoadmap reads ROADMAP.md; milestone is the milestone that STATE.md names, or "".
func readRoadmap(d *sdk.Document, milestone string, ids numbering) *roadmap {
	r := &roadmap{doc: d, numbering: ids}
	o := d.Outline()
	r.readSpans(o, milestone)
	for _, h := range o.Headings() {
		number, name := r.namedPhase(h.Text())
		if number == "" || h.Level() < 2 {
			continue
		}
		r.heads = append(r.heads, &head{number: number, name: name, heading: h, section: h.Section(),
			old: r.old(h.Start()), off: parked(number, h.Raw())})
	}
	for _, t := range o.Tasks() {
		text, within := t.Text(), r.within(t.Start())
		if number, name := r.namedPhase(text); number != "" {
			if cut := strings.Index(name, " - "); cut > 0 {
				name = name[:cut]
			}
			r.entries = append(r.entries, &entry{number, name, t, parked(number, t.Raw()), r.old(t.Start())})
		} else if hasPrefixedID(text) && !r.old(t.Start()) {
			r.unread = append(r.unread, t)
		} else if phase, plan := planRef(text, within); phase != "" {
			b := &box{phase, plan, within, t, parked(phase, t.Raw()), r.old(t.Start())}
			if within == "" || within == phase {
				r.boxes = append(r.boxes, b)
			} else {
				r.copies = append(r.copies, b)
			}
		} else if within != "" && t.Checked() {
			r.others = append(r.others, within)
		}
	}
	for _, t := range o.Tables() {
		r.readTable(t, milestone)
	}
	return r
}

// otherwise reports whether a phase's section lists finished work but no plans: the section itself is the record.
func (r *roadmap) otherwise(phase string) bool {
	return slices.Contains(r.others, phase) && !slices.ContainsFunc(r.boxes,
		func(b *box) bool { return b.phase == phase })
}

// finished reports whether all phases are ticked, except parked ones.
func (r *roadmap) finished() bool {
	return len(r.entries) > 0 && !slices.ContainsFunc(r.entries,
		func(e *entry) bool { return !e.off && !e.task.Checked() })
}

// says reports whether ROADMAP.md has a phase's number in a box, a section or a row, or in prose as "Phase 7" or
// "Phases 5-7".
func (r *roadmap) says(number string) bool { return r.saysIn(r.doc.Text, number) }

// saysIn is like says, but searches only the given part of ROADMAP.md for prose.
func (r *roadmap) saysIn(text, number string) bool {
	return r.lists(number) || inProse(text, number)
}

// lists reports whether a phase has a box, a section or a row.
func (r *roadmap) lists(number string) bool {
	return r.boxed(number) || slices.ContainsFunc(r.heads, func(h *head) bool { return h.number == number }) ||
		slices.ContainsFunc(r.rows, func(w *row) bool { return w.number == number })
}

// inProse reports whether a text contains a phase's number as "Phase 7" or "Phases 5-7".
func inProse(text, number string) bool {
	for rest := lower(text); ; {
		_, after, ok := strings.Cut(rest, "phase")
		if !ok {
			return false
		}
		rest = after
		text := strings.TrimLeft(strings.TrimPrefix(after, "s"), " #*")
		first, tail := ordinal.Leading(text)
		if end := prefixedID(text); end > 0 && key(text[:end]) == number {
			return true
		}
		if cut := strings.IndexByte(first, '-'); cut >= 0 {
			first, tail = first[:cut], text[cut:]
		}
		if key(first) == number {
			return true
		}
		if last, _ := ordinal.Leading(strings.TrimLeft(tail, " -–—&,to")); first != "" && last != "" &&
			ordinal.Compare(key(first), number) < 0 && ordinal.Compare(number, key(last)) <= 0 {
			return true
		}
	}
}

// shippedLine reports whether a line says that the phase with a number is shipped: "v1.0 — Phases 1-7 (shipped)". If
// versions are given, the line must name one of them or no version.
func (r *roadmap) shippedLine(number string, versions ...string) bool {
	for line := range strings.Lines(r.doc.Text) {
		if v := version(line); shipped(line) && inProse(line, number) &&
			(versions == nil || v == "" || slices.Contains(versions, v)) {
			return true
		}
	}
	return false
}

// within returns the number of the phase whose section contains an offset, or "".
func (r *roadmap) within(at int) string {
	for i := len(r.heads) - 1; i >= 0; i-- {
		if s := r.heads[i].section; s.Start() <= at && at < s.End() {
			return r.heads[i].number
		}
	}
	return ""
}

// old reports whether an offset is in history.
func (r *roadmap) old(at int) bool {
	for _, s := range r.spans {
		if s.start <= at && at < s.end {
			return true
		}
	}
	return false
}

// readSpans finds history. A <details> block or a section is history if its title says that it is shipped. If
// STATE.md's milestone has its own section, the sections of other versions are history, too.
func (r *roadmap) readSpans(o *markdown.Outline, milestone string) {
	type section struct {
		span
		title string
	}
	var list []section
	for at := 0; ; {
		start := strings.Index(o.Text[at:], "<details")
		if start < 0 {
			break
		}
		start += at
		block, _, _ := strings.Cut(o.Text[start:], "</details>")
		end := start + len(block)
		title := o.Text[start:min(end, start+400)]
		if cut := strings.Index(title, "</summary>"); cut >= 0 {
			title = title[:cut]
		}
		list = append(list, section{span{start, end, version(title)}, title})
		at = min(end+1, len(o.Text))
	}
	for _, h := range o.Headings() {
		if number, _ := r.namedPhase(h.Text()); number == "" && h.Level() > 1 && h.Level() < 5 {
			list = append(list, section{span{h.Start(), h.Section().End(), version(h.Raw())}, h.Raw()})
		}
	}
	own := false
	for _, s := range list {
		own = own || milestone != "" && version(s.title) == milestone && !shipped(s.title)
	}
	for _, s := range list {
		if v := version(s.title); shipped(s.title) || own && v != "" && v != milestone {
			r.spans = append(r.spans, s.span)
		}
	}
}

// shipped reports whether a title marks its section as shipped or archived.
func shipped(title string) bool {
	return (strings.Contains(title, "✅") || words.Mentions(title, "shipped", "archived", "completed milestone",
		"previous milestone")) &&
		!words.Mentions(title, "in progress", "planned", "partial")
}

// version returns the first version in a text, such as v1.2, or "".
func version(text string) string {
	for i := range len(text) {
		if (text[i] != 'v' && text[i] != 'V') || i > 0 && words.IsWord(text[i-1]) || i+1 == len(text) ||
			!isDigit(text[i+1]) {
			continue
		}
		end := i + 1
		for end < len(text) && (words.IsWord(text[end]) && text[end] < 0x80 || text[end] == '.' && end+1 < len(text) &&
			isDigit(text[end+1])) {
			end++
		}
		return "v" + text[i+1:end]
	}
	return ""
}

// readTable reads a table with a phase column and a status column.
func (r *roadmap) readTable(t markdown.Table, milestone string) {
	name, status, plans := t.Column("Phase"), t.Column("Status"),
		t.Column("Plans Complete", "Plans", "Plans Done", "Plans Executed")
	if name < 0 || status < 0 || t.Column(requirementColumns...) >= 0 {
		return
	}
	hash, of, called := t.Column("#"), t.Column("Milestone"), t.Column("Name")
	if milestone == "" {
		for _, line := range t.Rows() {
			if v := version(line.Cell(of).Text()); ordinal.Compare(v, milestone) > 0 {
				milestone = v
			}
		}
	}
	for _, line := range t.Rows() {
		cell := line.Cell(name).Text()
		number, title := r.namedPhase(cell)
		if number == "" {
			number, title = r.phaseNumber(mark(cell))
		}
		if title == "" {
			title = line.Cell(called).Text()
		}
		if hash >= 0 && number == "" {
			number, _ = r.phaseNumber(line.Cell(hash).Text())
			title = cell
		}
		if number == "" || parked(number, cell) || givenUp(line.Cell(status).Raw()) {
			continue
		}
		w := &row{number: number, name: title, row: line, plans: plans, status: status,
			date: t.Column("Completed", "Completed On", "Date"), old: r.old(line.Start()),
			percent: t.Column("Progress")}
		if v := version(line.Cell(of).Text()); v != "" && milestone != "" && v != milestone {
			w.old = true
		}
		if _, _, shifted := fraction(line.Cell(of).Text()); shifted && of+1 == w.plans {
			// upstream's tool once wrote rows without the milestone's cell
			w.plans, w.status, w.date = of, w.status-1, w.date-1
		}
		w.done, w.all, w.counted = fraction(line.Cell(w.plans).Text())
		w.complete, w.open = claims(line.Cell(w.status).Raw())
		r.rows = append(r.rows, w)
	}
}

// fraction parses a text such as 3/5.
func fraction(text string) (done, all int, ok bool) {
	left, right, ok := strings.Cut(strings.Trim(text, " *`"), "/")
	if left, right = strings.TrimSpace(left), strings.TrimSpace(right); !ok || !digits(left) || !digits(right) {
		return 0, 0, false
	}
	return words.Number(left), words.Number(right), true
}

func digits(text string) bool {
	for i := range len(text) {
		if !isDigit(text[i]) {
			return false
		}
	}
	return text != ""
}

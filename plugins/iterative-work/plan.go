package iterativework

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/ordinal"
	"github.com/stategate/stategate/sdk/words"
)

// An outlook is the plan: plan.md, then its parts.
type outlook struct {
	docs     []*planDoc
	items    []*item // every id once, in the order of the documents
	parts    bool    // there is a plan-part document
	parallel map[string]bool
	order    order
	dangling []dangling
}

// A planDoc is one document of the plan.
type planDoc struct {
	*sdk.Document
	ids   int     // different ones
	twice []*item // items whose id the document has before
}

// An item is a phase of the plan.
type item struct {
	doc        *planDoc
	id, title  string
	box, boxed int  // where the mark in its box begins and ends, -1 if it has no box
	marked     bool // it has a box, or a sign in place of one
	ticked     bool
	start, end int // of its first line, from the box on
	outer, out int // of all of it
	subs       []markdown.Pair
	needs      [][]string // each all or any of which must be met
	saysNeeds  bool
	max        int // 0 without
	parallel   bool
}

// The keys below an item, each with other names for it.
var (
	criteriaKeys = []string{"Criteria", "Criterion", "Success criteria", "Acceptance criteria", "Acceptance", "Done when"}
	outputKeys   = []string{"Output", "Outputs", "Deliverable", "Deliverables"}
	maxKeys      = []string{"Max iterations", "Maximum iterations", "Max", "Iterations", "Max iteration", "Iteration limit"}
	needsKeys    = []string{"Depends", "Depends on", "Dependencies", "Dependency", "Requires", "Needs", "After", "Blocked by"}
)

func (it *item) sub(keys []string) *markdown.Pair { return markdown.PairAmong(it.subs, keys...) }

func (it *item) at() sdk.Range { return sdk.AtBytes(it.doc.Path, it.start, it.end) }

// lacks lists what the item does not say.
func (it *item) lacks() []string {
	var lacks []string
	for _, keys := range [][]string{criteriaKeys, outputKeys, maxKeys} {
		if len(it.sub(keys).Texts()) == 0 {
			lacks = append(lacks, keys[0])
		}
	}
	return lacks
}

func readOutlook(docs sdk.Docs) *outlook {
	o := &outlook{parallel: map[string]bool{}}
	for _, d := range docs.All() {
		if d.Path == planPath || strings.HasPrefix(d.Path, "plan-part") && strings.HasSuffix(d.Path, ".md") && strings.IndexByte(d.Path, '\\') < 0 {
			o.docs = append(o.docs, &planDoc{Document: d})
			o.parts = o.parts || d.Path != planPath
		}
	}
	// "plan.md" is before "plan-part2.md" without its extension.
	arrange(len(o.docs), func(i, j int) bool {
		return ordinal.Compare(strings.TrimSuffix(o.docs[i].Path, ".md"), strings.TrimSuffix(o.docs[j].Path, ".md")) < 0
	}, func(i, j int) { o.docs[i], o.docs[j] = o.docs[j], o.docs[i] })
	known := map[string]bool{}
	for _, d := range o.docs {
		here := map[string]bool{}
		for _, it := range d.read() {
			switch {
			case here[it.id]:
				d.twice = append(d.twice, it)
			case !known[it.id]:
				it.settle()
				o.items = append(o.items, it)
				o.parallel[it.id] = it.parallel
			}
			here[it.id], known[it.id] = true, true
		}
		d.ids = len(here)
	}
	o.relate()
	return o
}

// read lists the items of a document: those with a box or a sign in its place, or else rows of a table, or
// else headings, or else items of a list. Headings and rows of an id that has a box say more about it.
func (d *planDoc) read() []*item {
	if !d.Readable() {
		return nil
	}
	listed, rows, headed := d.listed(), d.tabled(), d.headed()
	more := map[string][]markdown.Pair{}
	for _, found := range [][]*item{rows, headed} {
		for _, it := range found {
			if !it.marked {
				more[it.id] = append(more[it.id], it.subs...)
			}
		}
	}
	var boxes []*item
	for i, j := 0, 0; i+j < len(listed)+len(headed); {
		it := (*item)(nil)
		if j == len(headed) || i < len(listed) && listed[i].start < headed[j].start {
			it, i = listed[i], i+1
		} else {
			it, j = headed[j], j+1
		}
		if it.marked {
			boxes = append(boxes, it)
		}
	}
	for _, found := range [][]*item{boxes, rows, headed} {
		for _, it := range found {
			it.subs = append(slices.Clip(it.subs), more[it.id]...)
			delete(more, it.id) // the first one of an id counts
		}
		if len(found) > 0 {
			return found
		}
	}
	return listed
}

// named makes an item of a text that begins with an id, nil if it does not.
func (d *planDoc) named(text string) *item {
	rest := unmarked(text)
	sign := strings.TrimLeft(text[:len(text)-len(rest)], " *_`~([")
	w := words.First(rest)
	if !isID(upper(w)) {
		return nil
	}
	return &item{doc: d, id: upper(w), title: strings.TrimLeft(rest[len(w):], " \t:-–—.])*`"), box: -1, marked: sign != "" && (sign[0] >= utf8.RuneSelf || strings.ContainsAny(sign, "]")), ticked: marked(sign) || words.Mentions(sign, "x]")}
}

// span sets the place of an item: its first line, and all of it.
func (it *item) span(start, end, outer, out int) *item {
	text := it.doc.Text
	if cut := strings.IndexByte(text[start:end], '\n'); cut >= 0 {
		end = start + len(strings.TrimRight(text[start:start+cut], " \t\r"))
	}
	it.start, it.end, it.outer, it.out = start, end, outer, out
	return it
}

// listed lists the items of lists, those without a box outside of a section on dependencies only.
func (d *planDoc) listed() []*item {
	var list []*item
	o := d.Outline()
	dependencies := o.Split(onDependencies)
	for _, li := range o.Document().Items() {
		own := li.Own()
		first, _, _ := strings.Cut(own.Raw(), "\n")
		mark, behind := markOf(first)
		it := d.named(markdown.Plain(behind))
		if it == nil || mark == "" && !it.marked && (!strings.ContainsAny(first, ":—–-") || inside(dependencies, li.Start())) {
			continue
		}
		it.span(own.Start(), own.End(), li.Start(), li.End())
		it.subs = li.Pairs()
		if mark != "" {
			it.marked = true
			it.boxIn(own.Start(), own.End())
		}
		list = append(list, it)
	}
	return list
}

func onDependencies(h markdown.Heading) bool {
	return strings.HasPrefix(markdown.Name(h.Text()), "dependenc")
}

// headed lists the items that are headings: "### R1: title", ticked by [x] or a check mark.
func (d *planDoc) headed() []*item {
	var list []*item
	for _, s := range d.Outline().Split(func(h markdown.Heading) bool { return h.Level() > 1 && d.named(h.Text()) != nil }) {
		h := s.Heading()
		it := d.named(h.Text()).span(h.Start(), h.End(), s.Start(), s.End())
		it.subs, it.ticked = s.Pairs(), marked(h.Raw()) || isDone(markdown.PairAmong(s.Pairs(), "Status"))
		it.boxIn(h.Start(), h.End())
		list = append(list, it)
	}
	return list
}

// boxIn takes the box that a stretch of the document has, if there is one.
func (it *item) boxIn(from, to int) {
	if at := strings.IndexByte(it.doc.Text[from:to], '['); at >= 0 && it.box < 0 {
		if mark, _ := markOf(it.doc.Text[from+at : to]); mark != "" {
			it.box, it.boxed, it.ticked = from+at+1, from+at+1+len(mark), it.ticked || ticks(mark)
		}
	}
}

func isDone(status *markdown.Pair) bool {
	return status != nil && (ticks(status.Value) || slices.Contains([]string{"done", "complete", "completed", "yes"}, words.Fold(strings.TrimLeftFunc(status.Value, markdown.Symbol))))
}

// tabled lists the items that are rows of a table with a column of ids.
func (d *planDoc) tabled() []*item {
	var list []*item
	dependencies := d.Outline().Split(onDependencies)
	for _, t := range d.Outline().Tables() {
		if inside(dependencies, t.Start()) {
			continue
		}
		columns := t.Columns()
		for _, row := range t.Rows() {
			it := (*item)(nil)
			var before *markdown.Pair
			for _, c := range row.Cells() {
				if c.Column() >= len(columns) {
					break
				}
				p := markdown.PairOf(columns[c.Column()], c.Part)
				switch {
				case it != nil:
					it.subs = append(it.subs, p)
				case c.Column() < 2:
					if it = d.named(p.Value); it == nil {
						before = &p
					} else {
						it.boxIn(p.Start, p.End)
					}
				}
			}
			if it == nil {
				continue
			}
			if title := markdown.PairAmong(it.subs, "Title", "Name", "Phase", "Description", "Goal"); title != nil && it.title == "" {
				it.title = title.Value
			}
			for _, p := range []*markdown.Pair{before, markdown.PairAmong(it.subs, "Status", "Done", "State")} {
				if it.ticked = it.ticked || isDone(p); p != nil {
					it.boxIn(p.Start, p.End)
				}
			}
			list = append(list, it.span(row.Start(), row.End(), row.Start(), row.End()))
		}
	}
	return list
}

// inside reports whether a place is in one of some sections.
func inside(sections []markdown.Section, at int) bool {
	return slices.ContainsFunc(sections, func(s markdown.Section) bool { return s.Start() <= at && at < s.End() })
}

// settle reads what stands below the item.
func (it *item) settle() {
	if f := it.sub(maxKeys); f != nil {
		if s := f.Value[len(f.Value)-len(strings.TrimLeftFunc(f.Value, func(r rune) bool { return r < '0' || r > '9' })):]; s != "" {
			it.max = words.Number(s)
			rest := strings.TrimLeft(s, "0123456789")
			if upper := strings.TrimLeft(rest, " -–—"); upper != rest {
				it.max = max(it.max, words.Number(upper))
			}
		}
	}
	if f := markdown.PairAmong(it.subs, "Parallel"); f != nil {
		w := words.First(f.Value)
		it.parallel = words.Alike(w, "true") || words.Alike(w, "yes")
	}
	if f := it.sub(needsKeys); f != nil {
		it.saysNeeds, it.needs = true, needs(strings.Join(f.Texts(), ", "))
	}
}

// head is a field of the header: what stands before the first heading of level 2.
func (d *planDoc) head(key string) *markdown.Pair {
	return markdown.PairAmong(d.Outline().Head().Pairs(), key)
}

// blank reports whether the document has nothing in it that a plan could be.
func (d *planDoc) blank() bool {
	for _, line := range d.Outline().Document().Meaning() {
		if !strings.HasPrefix(line, "#") && !strings.Contains(line, ": ") || mentionsID(line) {
			return false
		}
	}
	return true
}

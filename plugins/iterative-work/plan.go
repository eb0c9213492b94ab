package iterativework

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/ordinal"
	"github.com/stategate/stategate/sdk/words"
)

// An outlook is the plan: plan.md, followed by its parts.
type outlook struct {
	docs     []*planDoc
	items    []*item // every id once, in the order of the documents
	byID     map[string]*item
	parts    bool // there is a plan-part document
	implied  bool // it does not state dependencies, so phases run in order
	dangling []dangling
}

// A planDoc is one document of the plan.
type planDoc struct {
	*sdk.Document
	ids   int     // number of different ids
	twice []*item // items that repeat an id in the document
}

// A form is the notation of a plan item. All items of a document have the same form: the first of these that occurs in
// the document.
type form uint8

const (
	boxed  form = iota // with a box, or a symbol in place of one
	row                // a table row
	headed             // "### R1: title"
	listed             // without a box
)

// An item is a phase of the plan.
type item struct {
	doc        *planDoc
	id, title  string
	form       form
	box, end   int // start and end of the mark in its box; -1 if it has no box
	ticked     bool
	line, more sdk.Range // its first line, starting at the box, and the whole item
	subs       []markdown.Pair
	needs      [][]string // dependency groups; of each group, the item needs any one member
	saysNeeds  bool
	max        int // 0 if there is none
	parallel   bool
}

// The keys under an item, each with its synonyms.
var (
	criteriaKeys = []string{"Criteria", "Criterion", "Success criteria", "Acceptance criteria", "Acceptance",
		"Done when"}
	outputKeys = []string{"Output", "Outputs", "Deliverable", "Deliverables"}
	maxKeys    = []string{"Max iterations", "Maximum iterations", "Max", "Iterations", "Max iteration",
		"Iteration limit"}
	needsKeys = []string{"Depends", "Depends on", "Dependencies", "Dependency", "Requires", "Needs", "After",
		"Blocked by"}
)

// said returns the text under the first of these keys, as one string.
func (it *item) said(keys ...string) string {
	return strings.Join(markdown.PairAmong(it.subs, keys...).Texts(), ", ")
}

// lacks returns the fields that the item lacks.
func (it *item) lacks() []string {
	real := func(text string) bool { return text != "" && words.Placeholder(text) == "" }
	return lacking(part{"Criteria", real(it.said(criteriaKeys...))}, part{"Output", real(it.said(outputKeys...))},
		part{"Max iterations", it.max > 0})
}

func (o *outlook) parallel(id string) bool { return o.byID[id] != nil && o.byID[id].parallel }

func readOutlook(docs sdk.Docs) *outlook {
	o := &outlook{byID: map[string]*item{}}
	for _, d := range docs.All() {
		if d.Path == planPath || strings.HasPrefix(d.Path, "plan-part") && strings.HasSuffix(d.Path, ".md") &&
			strings.IndexByte(d.Path, '\\') < 0 {
			// plan.md comes before plan-part2.md
			o.docs = insert(o.docs, &planDoc{Document: d}, func(other *planDoc) bool {
				return ordinal.Compare(strings.TrimSuffix(other.Path, ".md"), strings.TrimSuffix(d.Path, ".md")) <= 0
			})
			o.parts = o.parts || d.Path != planPath
		}
	}
	for _, d := range o.docs {
		here := map[string]bool{}
		for _, it := range d.read() {
			switch {
			case here[it.id]:
				d.twice = append(d.twice, it)
			case o.byID[it.id] == nil:
				it.settle()
				o.items = append(o.items, it)
				o.byID[it.id] = it
			}
			here[it.id] = true
		}
		d.ids = len(here)
	}
	o.relate()
	return o
}

// read lists the items of a document. Headings and rows that have the id of an item in another notation add fields to
// it.
func (d *planDoc) read() []*item {
	if !d.Readable() {
		return nil
	}
	found := slices.Concat(d.listed(), d.tabled(), d.headed())
	first := listed
	for _, it := range found {
		first = min(first, it.form)
	}
	var list []*item
	more := map[string][]markdown.Pair{}
	for _, it := range found {
		if it.form == first {
			list = insert(list, it, func(other *item) bool { return other.line.Start < it.line.Start })
		} else if it.form != listed {
			more[it.id] = append(more[it.id], it.subs...)
		}
	}
	for _, it := range list {
		it.subs = append(it.subs, more[it.id]...)
		delete(more, it.id) // only the first item with an id gets them
	}
	return list
}

// named returns an item for text that begins with an id, or nil.
func (d *planDoc) named(text string, otherwise form) *item {
	rest := unmarked(text)
	sign := strings.TrimLeft(text[:len(text)-len(rest)], " *_`~([")
	w := words.First(rest)
	if !isID(upper(w)) {
		return nil
	}
	it := &item{doc: d, id: upper(w), title: strings.TrimLeft(rest[len(w):], " \t:-–—.])*`"), form: otherwise, box: -1,
		ticked: marked(sign) || words.Mentions(sign, "x]")}
	if sign != "" && (sign[0] >= utf8.RuneSelf || strings.ContainsAny(sign, "]")) {
		it.form = boxed
	}
	return it
}

// stand sets the location of an item.
func (it *item) stand(start, end, outer, out int) *item {
	first, _, _ := strings.Cut(it.doc.Text[start:end], "\n")
	it.line, it.more = sdk.AtBytes(it.doc.Path, start, start+len(strings.TrimRight(first, " \t\r"))),
		sdk.AtBytes(it.doc.Path, outer, out)
	return it
}

// listed lists the items in lists. Items without a box count only outside Dependencies sections.
func (d *planDoc) listed() []*item {
	var list []*item
	o := d.Outline()
	dependencies := o.Split(onDependencies)
	for _, li := range o.Document().Items() {
		own := li.Own()
		first, _, _ := strings.Cut(own.Raw(), "\n")
		mark, behind := markOf(first)
		it := d.named(markdown.Plain(behind), listed)
		if it == nil || mark == "" && it.form != boxed &&
			(!strings.ContainsAny(first, ":—–-") || inside(dependencies, li.Start())) {
			continue
		}
		if it.subs = li.Pairs(); mark != "" {
			it.form = boxed
			it.boxIn(own.Start(), own.End())
		}
		list = append(list, it.stand(own.Start(), own.End(), li.Start(), li.End()))
	}
	return list
}

func onDependencies(h markdown.Heading) bool {
	return strings.HasPrefix(markdown.Name(h.Text()), "dependenc")
}

// headed lists the items that are headings: "### R1: title", ticked by [x] or a check mark.
func (d *planDoc) headed() []*item {
	var list []*item
	for _, s := range d.Outline().Split(func(h markdown.Heading) bool {
		return h.Level() > 1 &&
			d.named(h.Text(), headed) != nil
	}) {
		h := s.Heading()
		it := d.named(h.Text(), headed).stand(h.Start(), h.End(), s.Start(), s.End())
		it.subs = s.Pairs()
		it.ticked = marked(h.Raw()) || isDone(markdown.PairAmong(it.subs, "Status"))
		it.boxIn(h.Start(), h.End())
		list = append(list, it)
	}
	return list
}

// boxIn sets the box in a range of the document, if there is one.
func (it *item) boxIn(from, to int) {
	if at := strings.IndexByte(it.doc.Text[from:to], '['); at >= 0 && it.box < 0 {
		if mark, _ := markOf(it.doc.Text[from+at : to]); mark != "" {
			it.box, it.end, it.ticked = from+at+1, from+at+1+len(mark), it.ticked || ticks(mark)
		}
	}
}

func isDone(status *markdown.Pair) bool {
	return status != nil && (words.Alike(status.Value, "x") || marked(status.Value) ||
		among(" done complete completed yes ", strings.TrimLeftFunc(status.Value, markdown.Symbol)))
}

// tabled lists the items that are rows of a table whose first or second column contains ids.
func (d *planDoc) tabled() []*item {
	var list []*item
	dependencies := d.Outline().Split(onDependencies)
	for _, t := range d.Outline().Tables() {
		columns := t.Columns()
		for _, r := range t.Rows() {
			var cells []markdown.Pair
			for _, c := range r.Cells()[:min(r.Len(), len(columns))] {
				cells = append(cells, markdown.PairOf(columns[c.Column()], c.Part))
			}
			i := slices.IndexFunc(cells[:min(2, len(cells))],
				func(p markdown.Pair) bool { return d.named(p.Value, row) != nil })
			if i < 0 || inside(dependencies, t.Start()) {
				continue
			}
			it := d.named(cells[i].Value, row).stand(r.Start(), r.End(), r.Start(), r.End())
			it.form, it.subs = row, cells[i+1:]
			it.title = cmp.Or(it.title, it.said("Title", "Name", "Phase", "Description", "Goal"))
			it.boxIn(cells[i].Start, cells[i].End)
			states := cells[:i:i]
			if status := markdown.PairAmong(it.subs, "Status", "Done", "State"); status != nil {
				states = append(states, *status)
			}
			for j := range states {
				it.ticked = it.ticked || isDone(&states[j])
				it.boxIn(states[j].Start, states[j].End)
			}
			list = append(list, it)
		}
	}
	return list
}

// inside reports whether a position is in one of the sections.
func inside(sections []markdown.Section, at int) bool {
	return slices.ContainsFunc(sections, func(s markdown.Section) bool { return s.Start() <= at && at < s.End() })
}

// settle reads the limit, the dependencies and the Parallel field under the item.
func (it *item) settle() {
	limit := strings.TrimLeftFunc(it.said(maxKeys...), func(r rune) bool { return r < '0' || r > '9' })
	it.max = max(0, words.Number(limit), words.Number(strings.TrimLeft(strings.TrimLeft(limit, digits), " -–—")))
	it.parallel = among(" true yes ", words.First(it.said("Parallel")))
	it.saysNeeds, it.needs = markdown.PairAmong(it.subs, needsKeys...) != nil, needs(it.said(needsKeys...))
}

// head returns a field of the header of a document, which ends before the first heading of level 2.
func head(d *sdk.Document, key string) *markdown.Pair {
	return markdown.PairAmong(d.Outline().Head().Pairs(), key)
}

// blank reports whether the document contains nothing that could be a plan.
func (d *planDoc) blank() bool {
	return !slices.ContainsFunc(d.Outline().Document().Meaning(), func(line string) bool {
		return !strings.HasPrefix(line, "#") && !strings.Contains(line, ": ") || mentionsID(line)
	})
}

// outputs lists the literal paths in an item's Output, relative to the instance.
func (it *item) outputs(root string) []string {
	var paths []string
	for _, w := range it.paths() {
		if p := literal(w, root); p != "" && !slices.Contains(paths, p) {
			paths = append(paths, p)
		}
	}
	return paths
}

// paths returns the words in an item's Output that may be paths: those in code marks, or else all.
func (it *item) paths() []string {
	f := markdown.PairAmong(it.subs, outputKeys...)
	if f == nil || words.Mentions(strings.Join(f.Texts(), " "), "per document") {
		return nil
	}
	raw, _, _ := strings.Cut(it.doc.Text[f.Start:f.End], "<!--")
	if spans := strings.Split(raw, "`"); len(spans) > 2 && f.Value != "" {
		var found []string
		for i := 1; i+1 < len(spans); i += 2 {
			found = append(found, strings.TrimSpace(spans[i]))
		}
		return found
	}
	return strings.Fields(strings.ReplaceAll(strings.ReplaceAll(strings.Join(f.Texts(), " "), ",", " "), ";", " "))
}

// literal returns the output path that a word names, relative to root, or "" if it names none.
func literal(w, root string) string {
	own := max(strings.LastIndex(root, ".iterative-work/"), 0)
	if _, below, ok := strings.Cut("/"+w, "/"+root[own:]+"/"); ok {
		w = below
	}
	w = strings.TrimPrefix(strings.TrimPrefix(w, "."), "/")
	dir, rest, ok := strings.Cut(w, "/")
	ok = ok && slices.Contains(strings.Split(strings.Trim(outputDirs, "{}"), ","), dir)
	plain := !strings.ContainsAny(w, "{}*<>?[]… \t\\:\"|") && !words.Mentions(w, "..", "//", "/./")
	if name := rest[strings.LastIndexByte(rest, '/')+1:]; ok && plain && (name == "" || hasExtension(name)) {
		return w
	}
	return ""
}

// hasExtension reports whether name ends in a dot and letters or digits. Punctuation after a path in prose is not part
// of the name.
func hasExtension(name string) bool {
	extension := name[strings.LastIndexByte(name, '.')+1:]
	// U+2000 to U+206F contains dashes and quotes
	sign := func(r rune) bool { return r < 0x80 && !words.IsWord(byte(r)) || r == '_' || 0x2000 <= r && r < 0x2070 }
	return extension != "" && len(extension) < len(name) && strings.IndexFunc(extension, sign) < 0
}

package iterativework

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

// An outlook is the plan: plan.md, then its parts.
type outlook struct {
	docs     []*planDoc
	items    []*item // every id once, in the order of the documents
	parts    bool    // there is a plan-part document
	depends  bool    // an item says what it depends on
	parallel map[string]bool
	arrows   bool // a section Dependencies has a line of ids joined by arrows
}

// A planDoc is one document of the plan.
type planDoc struct {
	*sdk.Document
	sections []section
	ids      int     // different ones
	twice    []*item // items whose id the document has before
}

// An item is a phase of the plan.
type item struct {
	doc        *planDoc
	id, title  string
	ticked     bool
	start, end int // of its first line, from the box on
	outer, out int // of the whole list item
	subs       []field
	needs      [][]string // each all or any of which must be met
	saysNeeds  bool
	max        int // 0 without
	parallel   bool
}

// sub is the first sub-item that has one of the keys, nil without one.
//
//go:noinline
func (it *item) sub(keys ...string) *field { return (&section{fields: it.subs}).field(keys...) }

func readOutlook(docs sdk.Docs) *outlook {
	o := &outlook{parallel: map[string]bool{}}
	for _, d := range docs.All() {
		if d.Path == planPath || strings.HasPrefix(d.Path, "plan-part") && strings.HasSuffix(d.Path, ".md") && strings.IndexByte(d.Path, '\\') < 0 {
			o.docs = append(o.docs, &planDoc{Document: d, sections: sections(d)})
			o.parts = o.parts || d.Path != planPath
		}
	}
	for i := range o.docs {
		for j := i; j > 0 && partLess(o.docs[j].Path, o.docs[j-1].Path); j-- {
			o.docs[j], o.docs[j-1] = o.docs[j-1], o.docs[j]
		}
	}
	known := map[string]*item{}
	for _, d := range o.docs {
		here := map[string]bool{}
		for _, it := range d.read() {
			if here[it.id] {
				d.twice = append(d.twice, it)
				continue
			}
			here[it.id] = true
			if known[it.id] == nil {
				known[it.id] = it
				o.items = append(o.items, it)
			}
		}
		d.ids = len(here)
	}
	for _, it := range o.items {
		it.settle()
		if it.parallel {
			o.parallel[it.id] = true
		}
	}
	o.relate()
	return o
}

// partLess is the natural order: plan.md first, part 2 before part 10.
func partLess(a, b string) bool {
	if a == planPath || b == planPath {
		return a == planPath && b != planPath
	}
	for a != "" && b != "" {
		if isDigit(a[0]) && isDigit(b[0]) {
			restA, restB := strings.TrimLeft(a, "0123456789"), strings.TrimLeft(b, "0123456789")
			x, y := strings.TrimLeft(a[:len(a)-len(restA)], "0"), strings.TrimLeft(b[:len(b)-len(restB)], "0")
			if x != y {
				return len(x) < len(y) || len(x) == len(y) && x < y
			}
			a, b = restA, restB
			continue
		}
		if a[0] != b[0] {
			return a[0] < b[0]
		}
		a, b = a[1:], b[1:]
	}
	return len(a) < len(b)
}

// read lists the items of a document.
func (d *planDoc) read() []*item {
	if !d.Readable() {
		return nil
	}
	var found []*item
	var last *item
	o, column := d.Outline(), 0
	for i := range o.Nodes {
		n := &o.Nodes[i]
		switch n.Kind {
		case markdown.KindHeading:
			last = nil
		case markdown.KindItem:
			if start, end := own(o.Nodes, i); last != nil && end > start && columnOf(o.Text, n.Start) > column {
				last.readSub(o.Text, start, end)
				last.out = max(last.out, n.End)
			}
		case markdown.KindTask:
			outer := &o.Nodes[n.Parent]
			it := readItem(o.Text, n)
			if it == nil {
				if last != nil && columnOf(o.Text, outer.Start) <= column {
					last = nil
				}
				continue
			}
			it.doc, it.outer, it.out = d, outer.Start, outer.End
			last, column = it, columnOf(o.Text, outer.Start)
			found = append(found, it)
		}
	}
	return found
}

//go:noinline
func columnOf(text string, at int) int { return at - strings.LastIndexByte(text[:at], '\n') - 1 }

// readItem reads a box with a bold id and what follows on its lines, nil if
// there is no such id.
func readItem(text string, n *markdown.Node) *item {
	raw := strings.TrimLeft(text[n.Start+len("[ ]"):n.End], " \t\r")
	inner, ok := strings.CutPrefix(raw, "**")
	label, rest, closed := strings.Cut(inner, "**")
	if !ok || !closed {
		return nil
	}
	id, lead, _ := strings.Cut(label, ":")
	if id = strings.TrimSpace(id); !isID(id) {
		return nil
	}
	title := lead + rest
	if cut := strings.IndexByte(title, '\n'); cut >= 0 {
		title = title[:cut]
	}
	it := &item{id: id, title: markdown.Plain(strings.TrimLeft(title, " \t:-–—")), ticked: n.Data == 1, start: n.Start, end: n.End}
	if cut := strings.IndexByte(text[n.Start:n.End], '\n'); cut >= 0 {
		it.end = n.Start + len(strings.TrimRight(text[n.Start:n.Start+cut], " \t\r"))
		it.readSub(text, n.Start+cut+1, n.End)
	}
	return it
}

// subKeys are the keys of sub-items; another one below an empty value belongs to it.
var subKeys = [...]string{"Criteria", "Output", "Outputs", "Max iterations", "Depends", "Depends on", "Completion", "Model", "Parallel"}

func isSubKey(key string) bool {
	for _, known := range subKeys {
		if alike(key, known) {
			return true
		}
	}
	return false
}

// readSub reads the lines of a sub-item.
func (it *item) readSub(text string, start, end int) {
	for at := start; at < end; {
		stop := at + strings.IndexByte(text[at:end]+"\n", '\n')
		line := text[at:stop]
		key, from := split(line)
		value := strings.TrimRight(line[from:], " \t\r")
		if n := len(it.subs) - 1; n >= 0 && it.subs[n].end == it.subs[n].start && !isSubKey(key) {
			it.subs[n].value += " " + markdown.Plain(line)
			it.subs[n].items[0] += " " + bare(line)
		} else if key != "" {
			it.subs = append(it.subs, field{key: key, value: markdown.Plain(value), start: at + from, end: at + from + len(value), items: []string{bare(value)}})
		}
		at = stop + 1
	}
}

// settle reads what the sub-items mean.
func (it *item) settle() {
	if f := it.sub("Max iterations"); f != nil {
		for s := f.value; s != ""; s = s[1:] {
			if n := leading(s); n >= 0 {
				it.max = n
				s = strings.TrimLeft(s, "0123456789")
				if rest := strings.TrimLeft(s, " -–—"); rest != s && leading(rest) >= 0 {
					it.max = leading(rest)
				}
				break
			}
		}
	}
	if f := it.sub("Parallel"); f != nil {
		w := word(f.value)
		it.parallel = alike(w, "true") || alike(w, "yes")
	}
	if f := it.sub("Depends", "Depends on"); f != nil {
		it.saysNeeds, it.needs = true, needs(f.value)
	}
}

// needs reads what Depends says: groups of alternatives.
func needs(s string) [][]string {
	var all [][]string
	var part []string
	any := false
	flush := func() {
		if any && len(part) > 0 {
			all = append(all, part)
		} else {
			for _, id := range part {
				all = append(all, []string{id})
			}
		}
		part, any = nil, false
	}
	for s != "" {
		w := word(s)
		switch {
		case isID(w):
			push(&part, w)
		case s[0] == '|' || alike(w, "or"):
			any = true
		case s[0] == ',' || s[0] == ';' || s[0] == '&' || alike(w, "and"):
			flush()
		}
		s = s[max(len(w), 1):]
	}
	flush()
	return all
}

// relate gives the items that do not say what they need their place in the order:
// that of the arrows in the section Dependencies, else that of the list unless
// another item says what it needs.
func (o *outlook) relate() {
	known := make(map[string]*item, len(o.items))
	o.arrows, o.depends = false, false
	for _, it := range o.items {
		known[it.id] = it
		if o.depends = o.depends || it.saysNeeds; !it.saysNeeds {
			it.needs = nil
		}
	}
	for _, d := range o.docs {
		for i := range d.sections {
			if s := &d.sections[i]; s.begins("Dependencies") {
				for line := range strings.Lines(bare(d.Text[s.end:s.stop])) {
					o.arrow(line, known)
				}
			}
		}
	}
	if o.arrows || o.depends {
		return
	}
	for i, it := range o.items[min(1, len(o.items)):] {
		it.needs = [][]string{{o.items[i].id}}
	}
}

// arrow reads one line: every id needs all ids of the segment before it.
func (o *outlook) arrow(line string, known map[string]*item) {
	line = strings.ReplaceAll(strings.ReplaceAll(line, "->", "→"), "►", "→")
	var before []string
	for segment := range strings.SplitSeq(line, "→") {
		now := ids(segment)
		for _, id := range now {
			o.arrows = o.arrows || len(before) > 0
			it := known[id]
			if it == nil || it.saysNeeds {
				continue
			}
			for _, need := range before {
				it.needs = append(it.needs, []string{need})
			}
		}
		before = now
	}
}

// outputs lists the literal paths of an item's Output, below the instance's
// own path.
func (it *item) outputs(root string) []string {
	f := it.sub("Output", "Outputs")
	if f == nil || mentions(f.value, "per document") {
		return nil
	}
	words := strings.Fields(strings.ReplaceAll(strings.ReplaceAll(f.value, ",", " "), ";", " "))
	if spans := strings.Split(f.items[0], "`"); len(spans) > 2 {
		words = nil
		for i := 1; i+1 < len(spans); i += 2 {
			push(&words, strings.TrimSpace(spans[i]))
		}
	}
	var paths []string
	for _, w := range words {
		if p := literal(w, root); p != "" && !has(paths, p) {
			push(&paths, p)
		}
	}
	return paths
}

//go:noinline
func has(texts []string, text string) bool {
	return slices.Contains(texts, text)
}

// literal is the path below the root that a word names, "" if none.
func literal(w, root string) string {
	own := max(strings.LastIndex(root, ".iterative-work/"), 0)
	w = strings.TrimPrefix(strings.TrimPrefix(w, "./"), root[own:]+"/")
	dir, rest, ok := strings.Cut(w, "/")
	if !ok || !has(strings.Split(strings.Trim(outputDirs, "{}"), ","), dir) {
		return ""
	}
	if strings.ContainsAny(w, "{}*<>?[]… \t\\:\"|") || strings.Contains(w, "..") || strings.Contains(w, "//") || strings.Contains(w, "/./") {
		return ""
	}
	name := rest[strings.LastIndexByte(rest, '/')+1:]
	if name != "" && !hasExtension(name) {
		return ""
	}
	return w
}

// hasExtension reports whether name ends in a dot and letters or digits:
// punctuation behind a path in prose is no part of a name.
func hasExtension(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 || dot == len(name)-1 {
		return false
	}
	for _, r := range name[dot+1:] {
		sign := r < 0x80 && (r < '0' || '9' < r) && (r|0x20 < 'a' || 'z' < r|0x20)
		if sign || 0x2000 <= r && r < 0x2070 { // general punctuation: dashes and quotes
			return false
		}
	}
	return true
}

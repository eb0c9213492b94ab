package literaturereview

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

// An indexKind says whether the rules can use INDEX.md and, if not, why.
type indexKind int

const (
	indexMissing    indexKind = iota // absent or blank, or it is unknown whether it exists
	indexOpaque                      // cannot be read
	indexForeign                     // it belongs to another tool
	indexUnreadable                  // it belongs to this workflow, but has no usable table
	indexUsable
)

// An index is INDEX.md.
type index struct {
	*document
	readings
	kind   indexKind
	table  *table // its columns are colNumber and the following constants
	rows   []*row
	quick  *table // Quick Links
	linked []*link
}

// The columns of the Reviews table.
const (
	colNumber = iota
	colDate
	colTopic
	colMode
	colStatus
	colPapers
	colFinding
)

var indexColumns = []string{"#|no|nr", "date|started|startdate", "!topic|review|title|subject", "mode|reviewmode",
	"!status|state", "papers|paper*|papersfound|count", "keyfinding|finding|mainfinding|keyfindings"}

// The statuses of an index row.
const (
	rowUnknown = iota - 1
	rowInProgress
	rowComplete
	rowAbandoned
)

var rowStatuses = vocabulary{names: []string{"In Progress", "Complete", "Abandoned"},
	statuses: []status.Status{status.InProgress, status.Done, status.Cancelled},
	own:      map[string]status.Status{"searching": status.InProgress, "begun": status.InProgress}}

// A row is a row of the Reviews table that is not a placeholder.
type row struct {
	record
	number, date, topic string
	folded, slug        string // the topic in the form in which topics are compared, and as a slug
	status, mode        int
	papers              int
	review              *review   // the folder that it belongs to
	twin                *row      // an earlier row of the same folder
	named               []*review // the folders that Quick Links name
	maybe               []*review // the folders that it may belong to
	stranger            bool      // it has only the date in common with its folder
}

// key returns a text that distinguishes rows.
func (w *row) key() string {
	return cmp.Or(w.folded, w.date) + " " + w.date
}

// A link is a row of Quick Links.
type link struct {
	_              [0]func() // not comparable; see entry
	review, folder string
}

// findIndex returns the index. It accepts a file whose name differs only in case, because the host reports that name.
// If such a file may be hidden, it is unknown whether there is an index.
func findIndex(docs sdk.Docs) *document {
	d := newDocument(docs, indexPath)
	if other := first(docs.All(), func(doc *sdk.Document) bool {
		return words.Alike(doc.Path,
			indexPath)
	}); d.doc == nil && other != nil {
		return newDocument(docs, other.Path)
	}
	for _, path := range [...]string{"index.md", "Index.md", "INDEX.MD"} {
		d.known = d.known && (d.doc != nil || docs.Known(path))
	}
	return d
}

func readIndex(docs sdk.Docs) *index {
	x := &index{document: findIndex(docs), readings: readings{read: map[string]bool{}}}
	x.table = x.document.table("reviews|reviewindex|literaturereviews", indexColumns...)
	var tables []*table   // there may be one table per status
	copies := x.repeats() // duplicate sections, which are not read
	for _, t := range x.o.Tables() {
		if found := x.columns(t, indexColumns); found.first >= 0 &&
			(len(tables) == 0 || similar(tables[0].Table, t) &&
				(len(copies) == 0 || t.Start() < copies[0].second.Start())) {
			tables = append(tables, found)
		}
	}
	if x.table.first < 0 && len(tables) > 0 {
		x.table = tables[0]
	}
	x.quick = x.document.table("quicklinks", "!review", "!folder")
	if x.kind = x.kindOf(); x.kind == indexUnreadable || x.kind == indexForeign {
		x.readSections()
	}
	if x.kind != indexUsable {
		return x
	}
	for _, t := range tables {
		for _, w := range t.records {
			x.readRow(w)
		}
	}
	for _, w := range x.quick.records {
		if folder := linked(w.Cell(x.quick.cols[1])); folder != "" && !w.bad() {
			x.linked = append(x.linked, &link{review: fold(w.real(0)), folder: folder})
		}
	}
	return x
}

// readSections reads an index that has a section for each review, with the fields below its topic. In an index without
// the usual title, a section counts only if its Mode and Status are words of this workflow.
func (x *index) readSections() {
	isTitled := x.titled()
	for _, h := range x.heads {
		fields := x.fields(h.Body())
		status := x.pick(fields, "status|state")
		if h.level < 2 || !status.ok() {
			continue
		}
		w := &row{record: record{t: x.table}, topic: x.pick(fields, "topic|review").real(),
			date: date(x.pick(fields, "date|started|startdate").text)}
		if w.topic == "" {
			w.topic = clean(h.Text())
		}
		w.folded, w.slug = fold(w.topic), slug(w.topic)
		w.status = rowStatuses.find(status.real())
		w.mode, w.papers = modeOf(x.pick(fields, "mode|reviewmode").text),
			number(x.pick(fields, "papers|papersfound").text)
		if isTitled || w.status >= 0 && w.mode != noMode {
			x.rows, x.kind = append(x.rows, w), indexUsable
		}
	}
}

func (x *index) titled() bool { return strings.HasPrefix(x.top().name, "literaturereviewindex") }

func (x *index) kindOf() indexKind {
	switch {
	case !x.filled:
		return indexMissing
	case x.opaque:
		return indexOpaque
	case x.table.first >= 0 && (x.titled() || x.table.cols[colMode] >= 0):
		return indexUsable
	case x.titled():
		return indexUnreadable
	}
	return indexForeign
}

func (x *index) readRow(r record) {
	w := &row{record: r, status: rowUnknown}
	if !w.bad() {
		w.number, w.topic = fold(w.real(colNumber)), w.real(colTopic)
		if w.date = date(w.real(colDate)); w.topic == "" && w.real(colDate) == "" {
			return
		}
		w.folded, w.slug = fold(w.topic), slug(w.topic)
		odd := len(x.odd)
		x.note(w.cell(colTopic), "Topic of "+w.date, "what the review is about", w.topic != "")
		status, mode := w.cell(colStatus), w.cell(colMode)
		w.status = x.word(status, "Status of "+w.topic, status.real(), &rowStatuses)
		if w.mode = modeOf(mode.real()); mode.real() != "" {
			x.note(mode, "Mode of "+w.topic, "Narrow Search or Full Review", w.mode != noMode)
		}
		w.papers = number(w.text(colPapers))
		for _, o := range x.odd[odd:] {
			o.of = w
		}
	} else {
		x.excess = append(x.excess, r)
	}
	x.rows = append(x.rows, w)
}

// linked returns the folder that a cell names: the last element of the path in its link or code span.
func linked(c markdown.Cell) string {
	text := c.Text()
	if _, target, ok := strings.Cut(c.Raw(), "]("); ok {
		text, _, _ = strings.Cut(target, ")")
	}
	text = strings.TrimRight(strings.Trim(strings.TrimSpace(text), "`<>"), "/")
	if strings.HasSuffix(text, ".md") {
		text = text[:max(strings.LastIndexByte(text, '/'), 0)]
	}
	text = text[strings.LastIndexByte(text, '/')+1:]
	if text == "YYYY-MM-DD_topic-slug" || clean(text) == "" {
		return ""
	}
	return text
}

// ways are the ways to match a row with a folder, the most certain first: by link, by date and slug, and by topic. The
// others require that no other row or folder matches: by date and the words of the slug, by date, and by topic.
var ways = [...]func(*row, *review) bool{
	func(w *row, r *review) bool { return slices.Contains(w.named, r) },
	func(w *row, r *review) bool {
		return w.date != "" && w.date == r.date && w.slug != "" && w.slug == r.slug
	},
	func(w *row, r *review) bool {
		return w.folded != "" && w.folded == r.topicFolded && (w.date == r.date || w.date == "" || r.date == "")
	},
	func(w *row, r *review) bool { return w.date != "" && w.date == r.date && r.about(w.slug) },
	func(w *row, r *review) bool { return w.date != "" && w.date == r.date },
	func(w *row, r *review) bool {
		return w.folded != "" && (w.folded == r.topicFolded || w.slug != "" && w.slug == r.slug) && w.date != r.date
	},
}

// Indexes into ways.
const (
	byLink      = 0
	byDate      = 3
	byDateAlone = 4
)

// about reports whether a topic's slug contains all words of the folder's slug.
func (r *review) about(topic string) bool {
	return r.slug != "" && !some(strings.Split(r.slug, "-"), func(word string) bool {
		return !strings.Contains("-"+topic+"-", "-"+word+"-")
	})
}

// near reports whether a row's topic and the folder's name and documents have a word in common. Words match if they
// begin alike: "sleep", "sleeping". near also returns true if the row has no topic, or if either slug is not in ASCII.
func (w *row) near(r *review) bool {
	ours := strings.Split(slug(r.topic+" "+r.rp.title()+" "+r.sm.title()+" "+r.lr.title())+"-"+r.slug, "-")
	return w.slug == "" ||
		some(strings.Split(w.slug, "-"), func(word string) bool {
			return some(ours, func(other string) bool {
				n := min(len(word), len(other), 4)
				return n > 1 && !among(word, "the|and|for|with|from|into|review|study") && word[:n] == other[:n]
			})
		}) || !isLatin(w.slug) || !isLatin(r.slug)
}

// isLatin reports whether a text is in ASCII. Words in other scripts are not compared.
func isLatin(text string) bool {
	return strings.IndexFunc(text, func(c rune) bool { return c > 0x7e }) < 0
}

// pair assigns folders to rows, each folder at most once, starting with the most certain matches. It then finds the
// folders that the other rows may belong to.
func (x *index) pair(named map[string]*review, reviews []*review) {
	for _, l := range x.linked {
		for _, w := range x.rows {
			if named[l.folder] != nil && l.review != "" && (l.review == w.folded || l.review == w.number) {
				w.named = append(w.named, named[l.folder])
			}
		}
	}
	for way := range ways {
		for _, w := range x.rows {
			x.choose(way, w, reviews)
		}
	}
	for _, w := range x.rows {
		for _, r := range reviews {
			if w.review == nil && w.twin == nil && r.row == nil && (w.date == "" || w.date == r.date) {
				w.maybe = append(w.maybe, r) // a row that cannot be read may belong to any folder
				r.tied = true
			}
		}
	}
}

// choose pairs a row with a folder that it matches and that has no row yet.
func (x *index) choose(way int, w *row, reviews []*review) {
	if !w.open() {
		return
	}
	if way == byLink {
		reviews = w.named
	}
	meant := those(reviews, func(r *review) bool { return ways[way](w, r) })
	free := those(meant, func(r *review) bool { return r.row == nil })
	rival := func(other *row) bool { return other != w && other.open() && ways[way](other, free[0]) }
	switch {
	case len(free) > 0 && (way < byDate || len(free) == 1 && !some(x.rows, rival)):
		w.review, free[0].row = free[0], w
		w.stranger = way == byDateAlone && !w.near(free[0])
	case len(free) == 0 && len(meant) > 0 && way < byDate:
		w.twin = meant[len(meant)-1].row
	}
}

// open reports whether the row has no folder yet.
func (w *row) open() bool { return w.review == nil && w.twin == nil && !w.bad() }

// reviewsAt returns the location of the list of reviews.
func (x *index) reviewsAt() *value { return x.part(x.heading("reviews").Part).or(x.table.whole()) }

package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
)

// What an index is, as far as rules go.
type indexKind int

const (
	indexMissing    indexKind = iota // absent or blank, or its absence is not known
	indexOpaque                      // cannot be read
	indexForeign                     // another tool's
	indexUnreadable                  // ours without a usable table
	indexUsable
)

// An index is INDEX.md.
type index struct {
	*document
	kind    indexKind
	reviews table // columns: see the constants
	rows    []*row
	links   table
	linked  []link
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

// What an index row says of its review; the zero word is unknown.
const (
	rowInProgress = iota + 1
	rowComplete
	rowAbandoned
)

const rowWords = "in progress,active,ongoing|complete,completed,done|abandoned,cancelled"

// A row is a real row of the Reviews table.
type row struct {
	markdown.Row
	number, date, topic string
	folded, slug        string // of the topic
	bad                 bool   // more cells than the header: none of them is used
	status, mode        int
	papers              int
	review              *review   // the folder it belongs to
	twin                *row      // the earlier row of the same folder
	maybe               []*review // the folders that it may belong to
}

// A link is a row of Quick Links.
type link struct {
	review, folder string
	row            markdown.Row
	to             *review // the folder, nil if there is no such review
}

func readIndex(d *document) *index {
	x := &index{document: d}
	names := []string{"#|no|nr", "date|started|startdate", "!topic|review|title|subject", "mode|reviewmode", "!status|state", "papers|paper*|papersfound|count", "keyfinding|finding|mainfinding|keyfindings"}
	x.reviews = x.table("reviews|reviewindex|literaturereviews", names...)
	for _, t := range x.o.Tables() {
		if found := columns(t, names); !x.reviews.has(names) && found.has(names) {
			x.reviews = found
		}
	}
	if x.kind = x.kindOf(); x.kind == indexUnreadable && x.readSections() {
		x.kind = indexUsable
	}
	if x.kind != indexUsable {
		return x
	}
	for _, r := range x.reviews.rows {
		x.read(r)
	}
	x.links = x.table("quicklinks", "!review", "!folder")
	for _, r := range x.links.rows {
		if folder := linked(x.links.at(r, 1)); folder != "" && !x.links.excess(r) {
			x.linked = append(x.linked, link{fold(x.links.real(r, 0)), folder, r, nil})
		}
	}
	return x
}

// readSections reads an index that has a section for each review, with its fields below the topic.
func (x *index) readSections() bool {
	for i := range x.heads {
		h := &x.heads[i]
		fields := x.fields(h.Body())
		status := pick(fields, "status|state")
		if h.level < 2 || !status.OK() {
			continue
		}
		w := &row{topic: clean(orElse(pick(fields, "topic|review").Text(), h.Text())), date: date(pick(fields, "date|started|startdate").Text())}
		w.folded, w.slug = fold(w.topic), slug(w.topic)
		w.status = begins(fold(clean(status.Text())), rowWords)
		w.mode, w.papers = modeOf(pick(fields, "mode|reviewmode").Text()), number(pick(fields, "papers|papersfound").Text())
		x.rows = append(x.rows, w)
	}
	return len(x.rows) > 0
}

func (x *index) kindOf() indexKind {
	titled := x.titled("literaturereviewindex")
	switch usable := x.reviews.cols[colTopic] >= 0 && x.reviews.cols[colStatus] >= 0; {
	case !x.filled:
		return indexMissing
	case x.opaque:
		return indexOpaque
	case usable && (titled || x.reviews.cols[colMode] >= 0):
		return indexUsable
	case titled:
		return indexUnreadable
	}
	return indexForeign
}

func (x *index) read(r markdown.Row) {
	t := &x.reviews
	w := &row{Row: r, bad: t.excess(r)}
	if !w.bad {
		w.number, w.topic = fold(t.real(r, colNumber)), t.real(r, colTopic)
		day := t.real(r, colDate)
		if w.date = date(day); w.topic == "" && day == "" {
			return
		}
		w.folded, w.slug = fold(w.topic), slug(w.topic)
		w.status = begins(fold(t.real(r, colStatus)), rowWords)
		w.mode = modeOf(t.real(r, colMode))
		w.papers = number(t.text(r, colPapers))
	}
	x.rows = append(x.rows, w)
}

// linked is the folder that a cell names: the last part of the path in its
// link or code span.
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

// names reports whether a Quick Link names a folder.
func (x *index) names(folder string) bool {
	for i := range x.linked {
		if x.linked[i].folder == folder {
			return true
		}
	}
	return false
}

// pair gives rows their folders, each at most once, in five passes; then it
// tells what the other rows and folders may be.
func (x *index) pair(reviews []*review) {
	for pass := 1; pass <= 5; pass++ {
		for _, w := range x.rows {
			if w.review != nil || w.twin != nil || w.bad {
				continue
			}
			if found, taken := x.choose(pass, w, reviews); found != nil {
				w.review, found.row = found, w
			} else if taken != nil && pass <= 3 {
				w.twin = taken.row
			}
		}
	}
	x.doubt(reviews)
}

// choose finds the folder that a row means and that no row has yet, and one that
// it means and another row has. From pass 4 on, folder and row must be alone.
func (x *index) choose(pass int, w *row, reviews []*review) (found, taken *review) {
	if pass == 1 {
		return x.follow(w)
	}
	for _, r := range reviews {
		switch {
		case !x.fits(pass, w, r):
		case r.row != nil:
			taken = r
		case pass >= 4 && (found != nil || x.rivals(pass, w, r)):
			return nil, nil
		case found == nil:
			found = r
		}
	}
	return found, taken
}

// follow finds the folders that Quick Links name for a row.
func (x *index) follow(w *row) (found, taken *review) {
	for i := range x.linked {
		switch l := &x.linked[i]; {
		case l.to == nil || !l.means(w):
		case l.to.row != nil:
			taken = l.to
		case found == nil:
			found = l.to
		}
	}
	return found, taken
}

// means reports whether a link speaks of a row.
func (l *link) means(w *row) bool {
	return l.review != "" && (l.review == w.folded || l.review == w.number)
}

// fits reports whether a row means a folder, as a pass judges.
func (x *index) fits(pass int, w *row, r *review) bool {
	switch pass {
	case 1:
		for i := range x.linked {
			l := &x.linked[i]
			if l.to == r && l.means(w) {
				return true
			}
		}
		return false
	case 2:
		return w.date != "" && w.date == r.date && w.slug != "" && w.slug == r.slugged
	case 3:
		return w.folded != "" && w.folded == r.topicFolded && (w.date == r.date || w.date == "" || r.date == "")
	case 4:
		return w.date != "" && w.date == r.date
	}
	return w.folded != "" && (w.folded == r.topicFolded || w.slug != "" && w.slug == r.slugged) && w.date != r.date
}

// rivals reports whether another unpaired row means the same folder.
func (x *index) rivals(pass int, w *row, r *review) bool {
	for _, other := range x.rows {
		if other != w && other.review == nil && other.twin == nil && !other.bad && x.fits(pass, other, r) {
			return true
		}
	}
	return false
}

// doubt lists the folders that an unpaired row may mean. A row that cannot be
// read may mean any.
func (x *index) doubt(reviews []*review) {
	for _, w := range x.rows {
		if w.review != nil || w.twin != nil {
			continue
		}
		for _, r := range reviews {
			if r.row == nil && (w.date == "" || w.date == r.date) {
				w.maybe = append(w.maybe, r)
				r.tied = true
			}
		}
	}
}

// next is the number for a new row.
func (x *index) next() int {
	highest := 0
	for _, w := range x.rows {
		highest = max(highest, number(w.number))
	}
	return highest + 1
}

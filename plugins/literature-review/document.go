package literaturereview

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// A document is one Markdown file as the rules ask for it. Of one that is
// absent, blank or opaque the outline is empty.
type document struct {
	path   string
	doc    *sdk.Document
	o      *markdown.Outline
	known  bool // it is there, or its absence is a fact
	opaque bool // there is text that cannot be read: an unresolved merge, a fault that the host names
	filled bool // there is text, read or not
	heads  []*head
}

// A head is a heading outside lists and quotes. Placeholders have no name.
type head struct {
	_ [0]func() // see entry
	markdown.Heading
	level int
	name  string
}

func newDocument(docs sdk.Docs, path string) *document {
	d := &document{path: path, doc: docs.Get(path), o: &markdown.Outline{}}
	if d.known = d.doc != nil || docs.Known(path); d.doc == nil {
		return d
	}
	d.opaque = !d.doc.Readable()
	if d.filled = d.opaque || strings.TrimSpace(d.doc.Text) != ""; d.readable() {
		d.o = d.doc.Outline()
	}
	for _, h := range d.o.Headings() {
		d.heads = append(d.heads, &head{Heading: h, level: h.Level(), name: titleName(h.Text())})
	}
	return d
}

// titleName is the name of a title without what goes without saying: the word table, the phase that
// a section belongs to. A placeholder has none.
func titleName(title string) string {
	if strings.Contains(title, "{{") {
		return ""
	}
	name := markdown.Name(title)
	if rest, ok := strings.CutPrefix(name, "phase"); ok && rest != "" && digit(rest[0]) {
		if rest = strings.TrimLeft(rest, "0123456789:.()–— "); rest != "" {
			name = rest
		}
	}
	return strings.TrimSuffix(name, "table")
}

// name is the document's name without its folder.
func (d *document) name() string { return d.path[strings.LastIndexByte(d.path, '/')+1:] }

// missing reports that there is no such file, as far as is known.
func (d *document) missing() bool { return d.doc == nil && d.known }

// empty reports that the text is known to be absent or blank.
func (d *document) empty() bool { return d.known && !d.filled }

// restoring are the edits that bring back the text of the base in the place of none.
func (d *document) restoring() []sdk.Edit {
	if d.missing() {
		return []sdk.Edit{sdk.Restore(d.path)}
	}
	return []sdk.Edit{sdk.Aside(d.path, "empty"), sdk.Restore(d.path)}
}

// readable reports that the outline can be asked.
func (d *document) readable() bool { return d.filled && !d.opaque }

// heading is the first heading below the title with one of some names, joined by |.
func (d *document) heading(names string) markdown.Heading {
	for i, h := range d.heads {
		if (i > 0 || h.level > 1) && among(h.name, names) {
			return h.Heading
		}
	}
	return markdown.Heading{}
}

// top is the first heading of level 1.
func (d *document) top() *head {
	return cmp.Or(first(d.heads, func(h *head) bool { return h.level == 1 }), &head{})
}

// title is what follows the colon of the first heading.
func (d *document) title() string {
	_, after, _ := strings.Cut(d.top().Text(), ":")
	return clean(after)
}

// real reports whether there is real text below the heading h, tasks left out,
// and if deep is set below its sub-headings. Keys of fields are not text.
func (d *document) real(h markdown.Heading, deep bool) bool {
	if !h.OK() {
		return false
	}
	end := h.Body().End()
	if deep {
		end = h.Section().End()
	}
	for i := h.Index() + 1; i < len(d.o.Nodes) && d.o.Nodes[i].Start < end; i++ {
		switch n := &d.o.Nodes[i]; n.Kind {
		case markdown.KindHeader:
			i = d.lastIn(i)
		case markdown.KindCell, markdown.KindParagraph:
			if says(d.prose(i)) {
				return true
			}
		}
	}
	return false
}

// unfinished is the first paragraph of a section that says that the section is not finished.
func (d *document) unfinished(h markdown.Heading) *value {
	for _, p := range h.Section().Parts(markdown.KindParagraph) {
		if text := d.prose(p.Index()); words.Unfinished(text) || begins(fold(text),
			"partially done,partially complete,partially finished,partly done,partly complete,partly finished") > 0 {
			v := d.part(p)
			v.text = text
			return v
		}
	}
	return nil
}

// lastIn is the last node inside the node i.
func (d *document) lastIn(i int) int {
	for end := d.o.Nodes[i].End; i+1 < len(d.o.Nodes) && d.o.Nodes[i+1].Start < end; {
		i++
	}
	return i
}

// prose is the real text of a paragraph or cell: its values and what is not a field.
func (d *document) prose(i int) string {
	n := &d.o.Nodes[i]
	at, text := n.Start, ""
	for j := i + 1; j < len(d.o.Nodes) && d.o.Nodes[j].Start < n.End; j++ {
		if f := &d.o.Nodes[j]; f.Kind == markdown.KindField {
			text += clean(strings.Trim(markdown.Plain(d.o.Text[at:f.Start]), "| ")) + clean(d.o.At(j+2).Text())
			at = f.End
		}
	}
	return text + clean(markdown.Plain(d.o.Text[at:n.End]))
}

// keyed reports whether the paragraph i has fields.
func (d *document) keyed(i int) bool {
	for j := i + 1; j < len(d.o.Nodes) && d.o.Nodes[j].Start < d.o.Nodes[i].End; j++ {
		if d.o.Nodes[j].Kind == markdown.KindField {
			return true
		}
	}
	return false
}

// below returns the rest of field i's paragraph, up to the next field.
func (d *document) below(i int) string {
	n := &d.o.Nodes[i]
	end := d.o.Nodes[n.Parent].End
	for j := i + 1; j < len(d.o.Nodes) && d.o.Nodes[j].Start < end; j++ {
		if d.o.Nodes[j].Kind == markdown.KindField {
			end = d.o.Nodes[j].Start
		}
	}
	return clean(markdown.Plain(d.o.Text[n.End:end]))
}

// openFence is the fence that nothing closes.
func (d *document) openFence() markdown.Part {
	return first(d.o.Document().Fences(), func(f markdown.Fence) bool { return !f.Closed() }).Part
}

// closed reports whether appended text would be read: no comment or fence is open at the end.
func (d *document) closed() bool { return !d.o.OpenComment().OK() && !d.openFence().OK() }

// torn is the last line of a text that ends within a field, a heading or a row of a table, or "" if none does.
func (d *document) torn() string {
	before, last := "", ""
	for line := range strings.Lines(d.o.Text) {
		if line = strings.TrimSpace(line); line != "" {
			before, last = last, line
		}
	}
	isRow := strings.HasPrefix(last, "|") && strings.HasPrefix(before, "|")
	if strings.Count(last, "**")%2 == 1 || strings.Trim(last, "#") == "" || isRow && strings.HasSuffix(before, "|") &&
		!strings.HasSuffix(last, "|") {
		return last
	}
	return ""
}

// elided is the first line from start to end that stands for content which was left out.
func (d *document) elided(start, end int) *value {
	before := ""
	for line := range strings.Lines(d.o.Text[start:end]) {
		if !words.Elision(line) {
			before = line
		} else if !strings.Contains(before, "---") { // or else it is a row of a template
			return &value{d: d, text: strings.TrimSpace(line), start: start,
				end: start + len(strings.TrimRight(line, "\r\n"))}
		}
		start += len(line)
	}
	return nil
}

// edit is an edit of the outline as one of the document.
func (d *document) edit(e markdown.Edit, ok bool) []sdk.Edit {
	if !ok || e.End == 0 {
		return nil
	}
	return sdk.Edits(d.path, e)
}

// insert is the edit that puts a text at a place.
func (d *document) insert(at int, text string) []sdk.Edit {
	return d.edit(markdown.Edit{Start: at, End: at, New: text}, true)
}

// lineStart is where the line of a byte begins.
func (d *document) lineStart(at int) int { return strings.LastIndexByte(d.o.Text[:at], '\n') + 1 }

// setHeader are the edits that set a field of the header, which is added below the title if it
// is not there.
func (d *document) setHeader(f *value, key, text string) []sdk.Edit {
	if h := d.top(); !f.ok() && h.OK() && text != "" {
		return d.insert(h.End(), "\n\n**"+key+"**: "+text)
	}
	return f.set(text)
}

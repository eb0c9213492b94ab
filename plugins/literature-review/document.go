package literaturereview

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// A document is one Markdown file and its outline. The outline is empty if the file is absent, blank or opaque.
type document struct {
	path   string
	doc    *sdk.Document
	o      *markdown.Outline
	known  bool // it is known whether the file exists
	opaque bool // it has text that cannot be read: an unresolved merge, or a fault that the host reports
	filled bool // it has text, readable or not
	heads  []*head
}

// A head is a heading outside lists and quotes. A placeholder has no name.
type head struct {
	_ [0]func() // not comparable; see entry
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

// titleName returns the name of a title without the phase at its beginning ("Phase 4: …") and the word "table" at its
// end. It returns "" for a placeholder.
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

// name returns the document's file name, without its folder.
func (d *document) name() string { return d.path[strings.LastIndexByte(d.path, '/')+1:] }

// missing reports whether the file is known not to exist.
func (d *document) missing() bool { return d.doc == nil && d.known }

// empty reports whether the file is known to be absent or blank.
func (d *document) empty() bool { return d.known && !d.filled }

// restoring returns the edits that restore a missing or blank document from the base. They move a blank one aside.
func (d *document) restoring() []sdk.Edit {
	if d.missing() {
		return []sdk.Edit{sdk.Restore(d.path)}
	}
	return []sdk.Edit{sdk.Aside(d.path, "empty"), sdk.Restore(d.path)}
}

// readable reports whether the document has text that can be read.
func (d *document) readable() bool { return d.filled && !d.opaque }

// heading returns the first heading, other than the document's title, that has one of the names. They are joined by |.
func (d *document) heading(names string) markdown.Heading {
	for i, h := range d.heads {
		if (i > 0 || h.level > 1) && among(h.name, names) {
			return h.Heading
		}
	}
	return markdown.Heading{}
}

// top returns the first heading of level 1, or an empty one.
func (d *document) top() *head {
	return cmp.Or(first(d.heads, func(h *head) bool { return h.level == 1 }), &head{})
}

// title returns the text after the colon of the top heading.
func (d *document) title() string {
	_, after, _ := strings.Cut(d.top().Text(), ":")
	return clean(after)
}

// real reports whether there is real text below the heading h. Tasks and the keys of fields do not count. If deep is
// set, text below the sub-headings of h counts, too.
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

// unfinished returns the first paragraph that says that its section is not finished, or nil if none does.
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

// lastIn returns the index of the last node inside node i.
func (d *document) lastIn(i int) int {
	for end := d.o.Nodes[i].End; i+1 < len(d.o.Nodes) && d.o.Nodes[i+1].Start < end; {
		i++
	}
	return i
}

// prose returns the real text of a paragraph or cell, without the keys of its fields.
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

// openFence returns the first code fence that is never closed.
func (d *document) openFence() markdown.Part {
	return first(d.o.Document().Fences(), func(f markdown.Fence) bool { return !f.Closed() }).Part
}

// closed reports whether text that is appended to the document would be read: no comment or fence is open at its end.
func (d *document) closed() bool { return !d.o.OpenComment().OK() && !d.openFence().OK() }

// torn returns the last line of the text if it breaks off inside a field, a heading or a table row, or else "".
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

// elided returns the first line between start and end that stands for omitted content, or nil if there is none.
func (d *document) elided(start, end int) *value {
	before := ""
	for line := range strings.Lines(d.o.Text[start:end]) {
		if !words.Elision(line) {
			before = line
		} else if !strings.Contains(before, "---") { // after "---", it is a row of a template
			return &value{d: d, text: strings.TrimSpace(line), start: start,
				end: start + len(strings.TrimRight(line, "\r\n"))}
		}
		start += len(line)
	}
	return nil
}

// edit converts an edit of the outline to edits of the document. It returns nil if there is nothing to edit.
func (d *document) edit(e markdown.Edit, ok bool) []sdk.Edit {
	if !ok || e.End == 0 {
		return nil
	}
	return sdk.Edits(d.path, e)
}

// insert returns the edit that inserts a text at an offset.
func (d *document) insert(at int, text string) []sdk.Edit {
	return d.edit(markdown.Edit{Start: at, End: at, New: text}, true)
}

// lineStart returns the offset at which the line of a byte begins.
func (d *document) lineStart(at int) int { return strings.LastIndexByte(d.o.Text[:at], '\n') + 1 }

// setHeader returns the edits that set a field of the header. A missing field is added below the title.
func (d *document) setHeader(f *value, key, text string) []sdk.Edit {
	if h := d.top(); !f.ok() && h.OK() && text != "" {
		return d.insert(h.End(), "\n\n**"+key+"**: "+text)
	}
	return f.set(text)
}

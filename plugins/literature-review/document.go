package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

// A document is one Markdown file as the rules ask for it. Of one that is
// absent, blank or opaque the outline is empty.
type document struct {
	path   string
	doc    *sdk.Document
	o      *markdown.Outline
	known  bool // it is there, or its absence is a fact
	opaque bool // there is text that cannot be read: an unresolved merge, a fault that the host names
	merge  int  // line of the unresolved merge, 0 if there is none
	filled bool // there is text, read or not
	heads  []head
}

// A head is a heading outside lists and quotes. Placeholders have no name.
type head struct {
	markdown.Heading
	level int
	name  string
}

func newDocument(docs sdk.Docs, path string) *document {
	d := &document{path: path, doc: docs.Get(path), o: &markdown.Outline{}}
	if d.doc == nil {
		d.known = docs.Known(path)
		return d
	}
	d.known = true
	if !d.doc.Readable() {
		d.opaque, d.filled = true, true
		return d
	}
	d.filled = strings.TrimSpace(d.doc.Text) != ""
	d.merge = mergeLine(d.doc.Text)
	if d.opaque = d.merge > 0; d.opaque || !d.filled {
		return d
	}
	d.o = d.doc.Outline()
	for _, h := range d.o.Headings() {
		d.heads = append(d.heads, head{h, h.Level(), titleName(h.Text())})
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

// mergeLine is the line of the first conflict marker, 0 unless both kinds are there.
func mergeLine(text string) int {
	const ours, theirs = "\n<<<<<<< ", "\n>>>>>>> "
	if !strings.Contains(text, ours[1:]) || !strings.Contains(text, theirs[1:]) {
		return 0
	}
	text = "\n" + text
	at := strings.Index(text, ours)
	if at < 0 || !strings.Contains(text, theirs) {
		return 0
	}
	return strings.Count(text[:at+1], "\n")
}

// absent reports that there is no such file, as far as is known.
func (d *document) missing() bool { return d.doc == nil && d.known }

// empty reports that the text is known to be absent or blank.
func (d *document) empty() bool { return d.known && !d.filled }

// readable reports that the outline can be asked.
func (d *document) readable() bool { return d.filled && !d.opaque }

// heading is the first heading below the title with one of some names, parted by |.
//
//go:noinline
func (d *document) heading(names string) markdown.Heading {
	for i := range d.heads {
		if h := &d.heads[i]; (i > 0 || h.level > 1) && among(h.name, names) {
			return h.Heading
		}
	}
	return markdown.Heading{}
}

// among reports whether a name is one of some, parted by |.
//
//go:noinline
func among(name, names string) bool {
	for names != "" {
		var one string
		if one, names, _ = strings.Cut(names, "|"); one == name && name != "" {
			return true
		}
	}
	return false
}

// titled reports whether the document's first heading of level 1 is of a name.
func (d *document) titled(name string) bool {
	for i := range d.heads {
		if d.heads[i].level == 1 {
			return strings.HasPrefix(d.heads[i].name, name)
		}
	}
	return false
}

// title is what follows the colon of the first heading.
func (d *document) title() string {
	for i := range d.heads {
		if d.heads[i].level == 1 {
			_, after, _ := strings.Cut(d.heads[i].Text(), ":")
			return clean(after)
		}
	}
	return ""
}

// within reports that a node is text of its own: it is none of the nodes that
// only hold others.
func textual(k markdown.Kind) bool {
	return k == markdown.KindParagraph || k == markdown.KindCell || k == markdown.KindTask
}

// real reports whether there is real text below the heading h, tasks left out,
// and if deep is set below its sub-headings. Keys of fields are no text.
func (d *document) real(h markdown.Heading, deep bool) bool {
	if !h.OK() {
		return false
	}
	end := h.Section()
	if !deep {
		end = h.Body()
	}
	for i := h.Index() + 1; i < len(d.o.Nodes); i++ {
		n := &d.o.Nodes[i]
		if n.Start >= end.End() {
			break
		}
		switch n.Kind {
		case markdown.KindHeader:
			i += n.Data
		case markdown.KindCell:
			if says(d.o.At(i).Text()) {
				return true
			}
		case markdown.KindParagraph:
			if says(d.prose(i)) {
				return true
			}
		}
	}
	return false
}

// prose is the real text of paragraph i: its values and what is no field.
func (d *document) prose(i int) string {
	n := &d.o.Nodes[i]
	if i+1 == len(d.o.Nodes) || d.o.Nodes[i+1].Kind != markdown.KindField || d.o.Nodes[i+1].Parent != i {
		return clean(d.o.At(i).Text())
	}
	at, text := n.Start, ""
	for j := i + 1; j < len(d.o.Nodes) && d.o.Nodes[j].Start < n.End; j++ {
		if f := &d.o.Nodes[j]; f.Kind == markdown.KindField {
			text += clean(strings.Trim(markdown.Plain(d.o.Text[at:f.Start]), "| ")) + clean(d.o.At(j+2).Text())
			at = f.End
		}
	}
	return text + clean(markdown.Plain(d.o.Text[at:n.End]))
}

// A listed text is what a field holds: its value, or one item below it.
type listed struct {
	markdown.Part
	text   string
	inline bool
}

// follow lists the real texts of field i: its value, the rest of its paragraph,
// and what follows up to the next field or heading.
func (d *document) follow(i int) []listed {
	var list []listed
	add := func(p markdown.Part, text string, inline bool) {
		if clean(text) != "" {
			list = append(list, listed{p, text, inline})
		}
	}
	field, nodes := &d.o.Nodes[i], d.o.Nodes
	add(d.o.At(i+2), d.o.At(i+2).Text(), true)
	end := field.End
	if field.Parent >= 0 {
		end = nodes[field.Parent].End
	}
	i += 3
	if i < len(nodes) && nodes[i].Kind == markdown.KindField && nodes[i].Start < end {
		end = nodes[i].Start
	}
	rest := strings.Trim(markdown.Plain(d.o.Text[field.End:end]), "| ")
	add(markdown.Part{}, rest, false)
	for ; i < len(nodes); i++ {
		switch n := &nodes[i]; n.Kind {
		case markdown.KindField, markdown.KindHeading:
			return list
		case markdown.KindParagraph:
			if i+1 < len(nodes) && nodes[i+1].Kind == markdown.KindField && nodes[i+1].Parent == i {
				add(d.o.At(i), markdown.Plain(d.o.Text[n.Start:nodes[i+1].Start]), false) // a field right below an item
				return list
			}
			add(d.o.At(i), d.o.At(i).Text(), false)
		case markdown.KindTask:
			add(d.o.At(i), d.o.At(i).Text(), false)
		case markdown.KindHeader:
			i += n.Data
		case markdown.KindRow:
			add(d.o.At(i), markdown.Row{Part: d.o.At(i)}.Cell(0).Text(), false)
		}
	}
	return list
}

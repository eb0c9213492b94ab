package markdown

import (
	"slices"
	"strings"
)

// A Pair is a key with its value, in any notation: **Key:** value, **Key**: value, *Key*: value, `Key`: value or
// Key: value, on a separate line or in a list item, or a row of a two-column table as in [Section.Fields].
type Pair struct {
	Key, Value string   // as rendered; a value ends with its line
	Items      []string // the list directly below an empty value
	Start, End int      // range of the value as written, or of the key if there is no value
	name       string   // the key's Name
}

// PairOf creates a pair from a key and the part that holds its value, such as a column's title and a cell.
func PairOf(key string, value Part) Pair {
	return Pair{Key: key, Value: value.Text(), Start: value.Start(), End: value.End(), name: Name(key)}
}

// Texts returns the value, or the items of the list below an empty value.
func (p *Pair) Texts() []string {
	switch {
	case p == nil:
		return nil
	case p.Value != "":
		return []string{p.Value}
	}
	return p.Items
}

// Pairs lists the section's pairs in order. A plain key has at most four words.
func (s Section) Pairs() []Pair {
	r := pairReader{}
	s.each(func(p Part, n *Node) bool {
		r.visit(p, n)
		return true
	})
	return r.list
}

// Pairs lists the item's pairs in order, except those on the first line of the item.
func (i Item) Pairs() []Pair {
	r := pairReader{}
	if !i.OK() {
		return nil
	}
	lead := i.Own()
	if cut := strings.IndexByte(lead.Raw(), '\n'); cut >= 0 {
		r.lines(lead, lead.Start()+cut+1, lead.End(), i.Depth())
	}
	for at := max(i.index, lead.Index()) + 1; at < i.outline.after(i.index); at++ {
		if p := i.outline.At(at); !p.In(KindTable) {
			r.visit(p, p.node())
		}
	}
	return r.list
}

// PairAmong returns the first pair whose key has the same Name as one of keys, or nil if there is none.
func PairAmong(list []Pair, keys ...string) *Pair {
	want := names(keys)
	for i := range list {
		if slices.Contains(want, list[i].name) {
			return &list[i]
		}
	}
	return nil
}

// A pairReader walks the nodes of a section.
type pairReader struct {
	list  []Pair
	open  bool // the last pair has no value yet, and only items have followed it
	depth int  // of the item that contains the open pair, or 0
	items int  // depth of the items that belong to the open pair
}

func (r *pairReader) visit(p Part, n *Node) {
	switch n.Kind {
	case KindHeading:
		if r.open = false; (Heading{p}).ruled() {
			r.lines(p, n.Start, n.End, 0)
		}
	case KindParagraph, KindTask:
		r.text(p, n)
	case KindTable:
		r.open = false
		Table{p}.fields(func(f Field) bool {
			at := f.value
			if at.Start() == at.End() {
				at = f.key
			}
			if at.Start() < at.End() { // skips rows of blank cells
				r.add(f.Key(), f.Text(), at.Start(), at.End())
				r.open = false
			}
			return true
		})
	case KindFence, KindQuote:
		r.open = false
	}
}

// text reads a paragraph. It is a list item's own text if its parent is an item.
func (r *pairReader) text(p Part, n *Node) {
	depth, start := 0, n.Start
	if n.Parent >= 0 && p.outline.Nodes[n.Parent].Kind == KindItem {
		depth = p.outline.Nodes[n.Parent].Data
	}
	if n.Kind == KindTask {
		start += len("[ ]")
	}
	if r.open && depth > r.depth && (r.items == 0 || depth >= r.items) &&
		(r.depth > 0 || !strings.HasPrefix(strings.TrimLeft(p.outline.Text[start:n.End], space), "**")) {
		if last := &r.list[len(r.list)-1]; r.items == 0 || depth == r.items {
			r.items = depth
			last.Items = append(last.Items, Plain(p.outline.Text[start:n.End]))
		}
		return
	}
	r.open = false
	r.lines(p, start, n.End, depth)
}

func (r *pairReader) lines(p Part, start, end, depth int) {
	for at := start; at < end; {
		text, _, _ := strings.Cut(p.outline.Text[at:end], "\n")
		stop := at + len(text)
		r.line(p.outline.Text, at, stop, depth)
		at = stop + 1
	}
}

// line reads the pairs on a line: one at its beginning, and each bold pair after a bar.
func (r *pairReader) line(text string, at, stop, depth int) {
	for at < stop {
		end := stop
		if bar := strings.Index(text[at:stop], " | **"); bar >= 0 {
			end = at + bar
		}
		key, from, ok := splitPair(text[at:end])
		if ok {
			// without the backslash of a hard line break
			value := strings.TrimRight(strings.TrimSuffix(strings.Trim(text[at+from:end], space), `\`), space)
			start := at + from + strings.Index(text[at+from:end], value)
			if r.add(Plain(key), Plain(value), start, start+len(value)); value == "" {
				last := &r.list[len(r.list)-1]
				last.Start, last.End = at, at+len(strings.TrimRight(text[at:end], space))
			}
			r.open, r.depth, r.items = value == "", depth, 0
		} else {
			r.open = false
		}
		at = end + len(" | ")
	}
}

func (r *pairReader) add(key, value string, start, end int) {
	r.list = append(r.list, Pair{Key: key, Value: value, Start: start, End: end, name: Name(key)})
}

// wideColon is the full-width colon in Chinese and Japanese texts.
const wideColon = "："

// splitPair returns the key that a line begins with, and the offset of its value.
func splitPair(line string) (key string, from int, ok bool) {
	bare := strings.TrimLeftFunc(line, margin)
	lead := len(line) - len(bare)
	if marks := bare[:len(bare)-len(strings.TrimLeft(bare, "*_`"))]; marks != "" && len(marks) <= 3 {
		inner, rest, closed := strings.Cut(bare[len(marks):], marks)
		key = strings.TrimRight(inner, space)
		behind := strings.TrimLeft(rest, space)
		switch {
		case !closed || key == "" || len(key) > maxKey:
			return "", 0, false
		case strings.HasSuffix(key, ":"), strings.HasSuffix(key, wideColon):
			return strings.TrimRight(key, ": "+wideColon), len(line) - len(rest), true
		case strings.HasPrefix(behind, ":"):
			return key, len(line) - len(behind) + 1, true
		case strings.HasPrefix(behind, wideColon):
			return key, len(line) - len(behind) + len(wideColon), true
		}
		return "", 0, false
	}
	colon := strings.IndexByte(bare, ':')
	if colon < 1 || colon > maxPlainKey || colon+1 < len(bare) && !strings.ContainsRune(space, rune(bare[colon+1])) {
		return "", 0, false
	}
	key = strings.TrimLeftFunc(bare[:colon], symbol)
	if key == "" || key[0] >= '0' && key[0] <= '9' || strings.ContainsAny(key, `.,;!?()[]{}"<>|`) ||
		strings.Count(key, " ") > 3 {
		return "", 0, false
	}
	return strings.TrimSpace(key), lead + colon + 1, true
}

// margin reports whether a character may precede a key: a blank, a quote mark, an emoji.
func margin(r rune) bool { return r == '>' || strings.ContainsRune(space, r) || r >= 0x80 && symbol(r) }

// The maximum length of a key, in bytes: between marks, and plain.
const (
	maxKey      = 200
	maxPlainKey = 40
)

// ruled reports whether the heading is really a paragraph of pairs. It became a heading because of a line of
// dashes under it, which was meant as a separator.
func (h Heading) ruled() bool {
	raw := h.Raw()
	if h.Level() != 2 || strings.HasPrefix(raw, "#") {
		return false
	}
	for line := range strings.Lines(raw) {
		if _, _, ok := splitPair(line); ok {
			return true
		}
	}
	return false
}

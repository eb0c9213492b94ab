package markdown

import "strings"

// Blocks reads a text's headings and list items line by line, without an outline from the host. Use it for
// documents that are declared as [sdk.Text] because outlines of all of them would cost too much. It recognizes code,
// comments, quotes and content indented under an item, but nothing within a line, and only headings that begin with #.
func Blocks(text string) *Outline {
	r := blockReader{text: text, nodes: make([]Node, 0, len(text)/60)}
	for r.at < len(text) {
		end := strings.IndexByte(text[r.at:], '\n')
		if end < 0 {
			end = len(text) - r.at
		}
		r.line++
		line := text[r.at : r.at+end]
		for line != "" && line[len(line)-1] <= ' ' {
			line = line[:len(line)-1]
		}
		r.read(line)
		r.at += end + 1
	}
	o := &Outline{Text: text, Nodes: r.nodes, next: make([]int32, len(r.nodes))}
	for i := range r.nodes {
		o.close(i-1, r.nodes[i].Parent, i)
	}
	o.close(len(r.nodes)-1, -1, len(r.nodes))
	return o
}

// A blockReader reads a text line by line.
type blockReader struct {
	text  string
	nodes []Node
	items []openItem
	at    int // the start of the line
	line  int

	fence   string // the open fence, or ""
	comment bool   // a comment is open
	blank   bool   // the previous line was blank
	own     int    // the node of the paragraph that the next line may continue, or 0
}

// An openItem is an item that the following lines may belong to.
type openItem struct{ node, content int }

func (r *blockReader) read(line string) {
	blanks := 0
	for blanks < len(line) && (line[blanks] == ' ' || line[blanks] == '\t') {
		blanks++
	}
	bare := line[blanks:]
	if bare == "" {
		r.blank, r.own = true, 0
		return
	}
	if bare[0] >= 'A' && bare[0] != '`' && bare[0] != '~' && len(r.items) == 0 && r.fence == "" && !r.comment {
		r.blank = false // prose, like most lines
		return
	}
	after := r.blank
	r.blank = false
	indent := width(line[:blanks])
	start, end := r.at+blanks, r.at+len(line)
	switch {
	case r.comment:
		r.comment = !strings.Contains(bare, "-->")
		r.grow(end)
		return
	case r.fence != "":
		if strings.HasPrefix(bare, r.fence) && strings.Trim(bare, r.fence[:1]) == "" {
			r.fence = ""
		}
		r.grow(end)
		return
	}
	marker := markerOf(bare)
	if r.own > 0 && marker == 0 && bare[0] != '>' && level(bare) == 0 && fenceOf(bare) == "" &&
		!strings.HasPrefix(bare, "<!--") { // the line continues the paragraph
		r.nodes[r.own].End = end
		r.grow(end)
		return
	}
	for n := len(r.items); n > 0 && r.items[n-1].content > indent; n-- {
		r.items = r.items[:n-1]
	}
	base, parent := 0, -1
	if n := len(r.items); n > 0 {
		base, parent = r.items[n-1].content, r.items[n-1].node
	}
	code := indent-base >= 4
	switch {
	case code && (after || r.own == 0): // indented code
		r.own = 0
	case code && marker > 0: // too far to the right for an item
		r.nodes[r.own].End = end
	case fenceOf(bare) != "":
		r.fence, r.own = fenceOf(bare), 0
	case strings.HasPrefix(bare, "<!--"):
		r.own = 0
		// an unclosed comment hides nothing
		r.comment = !strings.Contains(bare, "-->") && strings.Contains(r.text[end:], "-->")
	case bare[0] == '>':
		r.own = 0
	case level(bare) > 0 && parent < 0:
		r.nodes = append(r.nodes, Node{KindHeading, level(bare), -1, r.line, start, end})
		r.own = 0
	case marker > 0:
		r.item(bare, marker, indent, parent, start, end)
	default:
		r.own = 0
	}
	r.grow(end)
}

// item adds an item and the text that it begins with.
func (r *blockReader) item(bare string, marker, indent, parent, start, end int) {
	node := len(r.nodes)
	r.nodes = append(r.nodes, Node{KindItem, len(r.items) + 1, parent, r.line, start, end})
	text := bare[marker:]
	for text != "" && (text[0] == ' ' || text[0] == '\t') {
		text = text[1:]
	}
	blanks := width(bare[marker : len(bare)-len(text)])
	if text == "" || blanks > 4 {
		blanks = 1
	}
	r.items = append(r.items, openItem{node, indent + marker + blanks})
	if r.own = 0; text != "" {
		r.own = len(r.nodes)
		r.nodes = append(r.nodes, Node{KindParagraph, 0, node, r.line, end - len(text), end})
	}
}

// grow extends the open items to the end of a line.
func (r *blockReader) grow(end int) {
	for _, item := range r.items {
		r.nodes[item.node].End = end
	}
}

// markerOf returns the length of a list item's marker, or 0 for any other line.
func markerOf(bare string) (n int) {
	switch c := bare[0]; {
	case c == '-' || c == '*' || c == '+':
		n = 1
	case c >= '0' && c <= '9':
		for n < len(bare) && n < 10 && bare[n] >= '0' && bare[n] <= '9' {
			n++
		}
		if n == 10 || n == len(bare) || bare[n] != '.' && bare[n] != ')' {
			return 0
		}
		n++
	default:
		return 0
	}
	if n < len(bare) && bare[n] != ' ' && bare[n] != '\t' { // bold text
		return 0
	}
	if len(bare) > 2 && strings.Trim(bare[:3], "-* \t") == "" && strings.Trim(bare, "-* \t") == "" { // a thematic break
		return 0
	}
	return n
}

// fenceOf returns the characters that open a fence, or "" if there is none.
func fenceOf(bare string) string {
	if len(bare) < 3 || bare[0] != '`' && bare[0] != '~' {
		return ""
	}
	rest := strings.TrimLeft(bare, bare[:1])
	if n := len(bare) - len(rest); n >= 3 && (bare[0] == '~' || strings.IndexByte(rest, '`') < 0) {
		return bare[:n]
	}
	return ""
}

// level returns the level of a heading, or 0 for any other line.
func level(bare string) int {
	rest := strings.TrimLeft(bare, "#")
	if n := len(bare) - len(rest); n <= 6 && (rest == "" || rest[0] == ' ' || rest[0] == '\t') {
		return n
	}
	return 0
}

// width returns the number of columns that blanks take up.
func width(blanks string) (n int) {
	for i := range len(blanks) {
		if n++; blanks[i] == '\t' {
			n += 3 - (n-1)%4
		}
	}
	return n
}

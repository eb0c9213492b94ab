package markdown

import (
	"errors"
	"strconv"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/internal/guest"
)

// A Kind is the type of a Node. The numbers are part of the wire format.
type Kind uint8

// The values of Kind, with the meaning of Data for each. If a comment does not mention Data, it is 0.
const (
	KindHeading Kind = iota + 1 // Data: the level, 1 to 6. Includes all lines, markers and the underline
	KindTable                   // Data: the number of columns. Includes all lines and the delimiter row
	KindHeader                  // the first row of a table
	// Data: the number of cells in the text, which can differ from the number of columns
	KindRow
	KindCell      // Data: the column, from 0. The trimmed content; empty if blank
	KindParagraph // also the text of a list item
	// Data: the depth, which is the number of lists around the item, from 1. The node includes the
	// marker, the text and nested content
	KindItem
	KindTask        // Data: 1 if checked. The box and the text after it; its item's first child
	KindQuote       // a block quote
	KindFence       // Data: 1 if unclosed. A fenced code block with its fences
	KindInfo        // a fence's info string
	KindCode        // the lines between the fences
	KindField       // Data: an Origin. A key and a value, as in **Key**: value
	KindKey         // a field's key, without markers and colon
	KindValue       // Data: a Quoting. A field's value, without quotes
	KindFrontMatter // the block of key: value lines at the very top, with its two fences
	KindOpenComment // the four bytes <!-- of an unclosed comment; always the last node
	// A checkbox at the beginning of a heading, an item's text, a paragraph or a cell. Data: the character
	// between the brackets, or 0
	KindBox
	// A link within a line. Data: the length of the text between its brackets, in bytes; 0 for <https://…>
	KindLink
	KindTarget // a link's target, without angle brackets and title
	KindList   // Data: an Origin. A front matter key with a list of scalars, on one line or several
	kindEnd
)

// The parents that each kind may have, as a bit set; the top level is bit 0.
const (
	anywhere  = 1 | 1<<KindItem | 1<<KindQuote
	inTable   = 1 << KindTable
	inRow     = 1<<KindHeader | 1<<KindRow
	inFence   = 1 << KindFence
	inField   = 1<<KindField | 1<<KindList
	withField = 1<<KindParagraph | 1<<KindTask | 1<<KindFrontMatter
	withBox   = 1<<KindParagraph | 1<<KindTask | 1<<KindHeading | 1<<KindCell
)

var home = [kindEnd]uint32{
	KindHeading: anywhere, KindTable: anywhere, KindParagraph: anywhere, KindItem: anywhere, KindQuote: anywhere,
	KindFence:  anywhere,
	KindHeader: inTable, KindRow: inTable, KindCell: inRow, KindTask: 1 << KindItem, KindInfo: inFence,
	KindCode:  inFence,
	KindField: withField, KindKey: inField, KindValue: inField, KindFrontMatter: 1, KindOpenComment: 1,
	KindBox: withBox, KindLink: withBox | 1<<KindValue, KindTarget: 1 << KindLink, KindList: 1 << KindFrontMatter,
}

// A Node is one part of a document. Start and End are a half-open byte range of the text, on character boundaries.
type Node struct {
	Kind   Kind
	Data   int // see the kinds; 0 to 1<<24 - 1
	Parent int // index of the node around it, smaller than its own; -1 at the top level
	Line   int // line of Start, from 1
	Start  int
	End    int
}

// An Outline is a Markdown document: its text and its nodes. Each node comes after its parent and before later
// nodes in the text. The zero Outline with a Text is a document without nodes. An Outline is immutable.
type Outline struct {
	Text  string
	Nodes []Node
	next  []int32 // by node: index of the first node after its descendants

	meaning []string // of the whole document, computed on first use
}

// New creates an outline from a text and its nodes. It returns an error for nodes that are out of bounds or out of
// order, ranges that exceed their parent or split a character, and parts that are in the wrong place, such as a
// cell outside a row.
func New(text string, nodes []Node) (*Outline, error) {
	if len(text) > maxText {
		return nil, errors.New("markdown: text of " + strconv.Itoa(len(text)) + " bytes, at most " +
			strconv.Itoa(maxText))
	}
	o := &Outline{Text: text, Nodes: nodes, next: make([]int32, len(nodes))}
	for i := range nodes {
		if guest.Inside {
			o.close(i-1, nodes[i].Parent, i)
		} else if why := o.flaw(i); why != "" {
			return nil, errors.New("markdown: node " + strconv.Itoa(i) + ": " + why)
		}
	}
	o.close(len(nodes)-1, -1, len(nodes))
	for i := range nodes {
		if n := &nodes[i]; !guest.Inside && (n.Kind == KindRow || n.Kind == KindHeader) && o.cellsOf(i) != n.Data {
			return nil, errors.New("markdown: node " + strconv.Itoa(i) + ": a row that counts " + strconv.Itoa(n.Data) +
				" cells and has others")
		}
	}
	return o, nil
}

const maxText = 1<<31 - 1

// flaw describes what is wrong with node i, or returns "". It closes the preceding nodes that do not contain it.
func (o *Outline) flaw(i int) string {
	n := &o.Nodes[i]
	switch {
	case n.Kind == 0 || n.Kind >= kindEnd:
		return "unknown kind " + strconv.Itoa(int(n.Kind))
	case n.Data < 0 || n.Data >= 1<<24:
		return "data " + strconv.Itoa(n.Data) + " out of range"
	case n.Parent < -1 || n.Parent >= i:
		return "parent " + strconv.Itoa(n.Parent) + " does not come before it"
	case n.Start < 0 || n.Start > n.End || n.End > len(o.Text):
		return "range " + strconv.Itoa(n.Start) + "-" + strconv.Itoa(n.End) + " outside a text of " +
			strconv.Itoa(len(o.Text)) + " bytes"
	case !boundary(o.Text, n.Start) || !boundary(o.Text, n.End):
		return "range " + strconv.Itoa(n.Start) + "-" + strconv.Itoa(n.End) + " splits a character"
	case n.Line < 1 || n.Line > n.Start+1:
		return "line " + strconv.Itoa(n.Line) + " cannot begin at byte " + strconv.Itoa(n.Start)
	case !o.close(i-1, n.Parent, i):
		return "parent " + strconv.Itoa(n.Parent) + " was left before"
	}
	if why := o.misplaced(n); why != "" {
		return why
	}
	return o.misshapen(i, n)
}

// misshapen checks the properties of a few kinds that queries rely on.
func (o *Outline) misshapen(i int, n *Node) string {
	raw := o.Text[n.Start:n.End]
	switch {
	case n.Kind == KindCell && n.Data != o.cellsBefore(i):
		return "cell is not in column " + strconv.Itoa(n.Data)
	case n.Kind == KindTask && (len(raw) < len("[ ]") || raw[0] != '[' || raw[2] != ']'):
		return "task has no box"
	case n.Kind == KindOpenComment && i != len(o.Nodes)-1:
		return "an open comment is not the last node"
	}
	return ""
}

// cellsOf returns the number of cells in a row.
func (o *Outline) cellsOf(row int) int {
	n := 0
	for i, end := row+1, o.after(row); i < end; i = o.after(i) {
		n++
	}
	return n
}

// cellsBefore returns the number of cells before cell i in its row.
func (o *Outline) cellsBefore(i int) int {
	row, before := o.Nodes[i].Parent, i-1
	for before > row && o.Nodes[before].Parent != row {
		before = o.Nodes[before].Parent
	}
	if before <= row {
		return 0
	}
	return o.Nodes[before].Data + 1
}

func (o *Outline) misplaced(n *Node) string {
	if n.Parent < 0 {
		if home[n.Kind]&1 == 0 {
			return "kind " + strconv.Itoa(int(n.Kind)) + " is not allowed at the top"
		}
		return ""
	}
	p := &o.Nodes[n.Parent]
	switch {
	case n.Start < p.Start || n.End > p.End:
		return "range leaves its parent " + strconv.Itoa(n.Parent)
	case home[n.Kind]>>p.Kind&1 == 0:
		return "kind " + strconv.Itoa(int(n.Kind)) + " cannot lie in kind " + strconv.Itoa(int(p.Kind))
	}
	return ""
}

// close marks the nodes from last up to, but not including, parent as ended before node end. It returns false if
// parent does not contain last.
func (o *Outline) close(last, parent, end int) bool {
	for last > parent {
		o.next[last] = int32(end)
		last = o.Nodes[last].Parent
	}
	return last == parent
}

func boundary(text string, at int) bool {
	return at == len(text) || utf8.RuneStart(text[at])
}

// after returns the index of the first node after node i and its descendants.
func (o *Outline) after(i int) int {
	if len(o.next) == len(o.Nodes) {
		return int(o.next[i])
	}
	return o.behind(i)
}

// behind is like after, for an outline that New did not create.
func (o *Outline) behind(i int) int {
	for j := i + 1; j < len(o.Nodes); j++ {
		if o.Nodes[j].Parent < i {
			return j
		}
	}
	return len(o.Nodes)
}

package snapshot

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// htmlBlock parses HTML blocks by the rules of CommonMark, without goldmark's regular expressions, which take 1.5 s
// for 4 MB of "<a b b b" instead of 0.3 s. Comments are already blank; an unclosed comment begins no block.
type htmlBlock struct{}

func (htmlBlock) Trigger() []byte { return []byte{'<'} }

func (htmlBlock) CanInterruptParagraph() bool { return true }

func (htmlBlock) CanAcceptIndentedLine() bool { return false }

func (htmlBlock) Close(ast.Node, text.Reader, parser.Context) {}

func (htmlBlock) Open(_ ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := r.PeekLine()
	kind := htmlType(bytes.TrimSpace(line))
	if kind == 0 || kind == ast.HTMLBlockType7 && ast.IsParagraph(pc.LastOpenedBlock().Node) {
		return nil, parser.NoChildren
	}
	node := ast.NewHTMLBlock(kind)
	node.Lines().Append(seg)
	r.AdvanceToEOL()
	return node, parser.NoChildren
}

func (htmlBlock) Continue(node ast.Node, r text.Reader, _ parser.Context) parser.State {
	block := node.(*ast.HTMLBlock)
	line, seg := r.PeekLine()
	lines := block.Lines()
	if lines.Len() == 1 {
		first := lines.At(0)
		if htmlEnds(block.HTMLBlockType, first.Value(r.Source())) {
			return parser.Close
		}
	}
	ends := htmlEnds(block.HTMLBlockType, line)
	if ends && block.HTMLBlockType >= ast.HTMLBlockType6 {
		return parser.Close
	}
	lines.Append(seg)
	r.AdvanceToEOL()
	if ends {
		return parser.Close
	}
	return parser.Continue | parser.NoChildren
}

// htmlType returns CommonMark's kind of the HTML block that a trimmed line begins, or 0.
func htmlType(line []byte) ast.HTMLBlockType {
	name, rest := tagName(line)
	switch {
	case rawTags[name] && line[1] != '/' && (len(rest) == 0 || isBlank(rest[0]) || rest[0] == '>'):
		return ast.HTMLBlockType1
	case bytes.HasPrefix(line, []byte("<?")):
		return ast.HTMLBlockType3
	case bytes.HasPrefix(line, []byte("<![CDATA[")):
		return ast.HTMLBlockType5
	case len(line) > 2 && line[1] == '!' && line[2] >= 'A' && line[2] <= 'Z':
		return ast.HTMLBlockType4
	case name == "":
		return 0
	case blockTags[name] && (len(rest) == 0 || isBlank(rest[0]) || rest[0] == '>' ||
		bytes.HasPrefix(rest, []byte("/>"))):
		return ast.HTMLBlockType6
	case !rawTags[name] && wholeTag(rest, line[1] == '/'):
		return ast.HTMLBlockType7
	}
	return 0
}

// htmlEnds reports whether a line ends a block of the given kind.
func htmlEnds(kind ast.HTMLBlockType, line []byte) bool {
	switch kind {
	case ast.HTMLBlockType1:
		return closesRaw(line)
	case ast.HTMLBlockType3:
		return bytes.Contains(line, []byte("?>"))
	case ast.HTMLBlockType4:
		return bytes.Contains(line, []byte(">"))
	case ast.HTMLBlockType5:
		return bytes.Contains(line, []byte("]]>"))
	default:
		return util.IsBlank(line)
	}
}

func closesRaw(line []byte) bool {
	for {
		i := bytes.Index(line, []byte("</"))
		if i < 0 {
			return false
		}
		line = line[i:]
		if name, rest := tagName(line); rawTags[name] && len(rest) > 0 && rest[0] == '>' {
			return true
		}
		line = line[len("</"):]
	}
}

// tagName parses "<name" or "</name" in lower case and returns the rest. The name is "" if there is none.
func tagName(line []byte) (string, []byte) {
	at := 1
	if len(line) > 1 && line[1] == '/' {
		at++
	}
	end := at
	for end < len(line) && (isLetter(line[end]) || end > at &&
		(line[end] >= '0' && line[end] <= '9' || line[end] == '-')) {
		end++
	}
	if end == at || len(line) == 0 || line[0] != '<' || end-at > 64 {
		return "", nil
	}
	return strings.ToLower(string(line[at:end])), line[end:]
}

// wholeTag reports whether only attributes and the end of the tag follow a tag's name.
func wholeTag(rest []byte, closing bool) bool {
	for !closing {
		next, ok := attribute(rest)
		if !ok {
			break
		}
		rest = next
	}
	rest = bytes.TrimLeft(rest, " \t")
	if !closing {
		rest = bytes.TrimPrefix(rest, []byte("/"))
	}
	return len(rest) == 1 && rest[0] == '>'
}

// attribute parses blanks, a name and an optional value.
func attribute(b []byte) ([]byte, bool) {
	name := bytes.TrimLeft(b, " \t")
	if len(name) == len(b) || len(name) == 0 || !isLetter(name[0]) && name[0] != '_' && name[0] != ':' {
		return nil, false
	}
	rest := bytes.TrimLeftFunc(name, func(r rune) bool {
		return r < 0x80 && (isLetter(byte(r)) || r >= '0' && r <= '9' || strings.ContainsRune(":._-", r))
	})
	value := bytes.TrimLeft(rest, " \t")
	if len(value) == 0 || value[0] != '=' {
		return rest, true
	}
	value = bytes.TrimLeft(value[1:], " \t")
	if len(value) > 0 && (value[0] == '"' || value[0] == '\'') {
		end := bytes.IndexByte(value[1:], value[0])
		if end < 0 {
			return nil, false
		}
		return value[end+2:], true
	}
	end := bytes.IndexAny(value, " \t\"'=<>`")
	if end <= 0 {
		return nil, false
	}
	return value[end:], true
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

var rawTags = tagSet("script pre style textarea")

var blockTags = tagSet(`address article aside base basefont blockquote body caption center col colgroup dd
	details dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head
	header hr html iframe legend li link main menu menuitem meta nav noframes ol optgroup option p param search
	section summary table tbody td tfoot th thead title tr track ul`)

func tagSet(names string) map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(names) {
		set[name] = true
	}
	return set
}

package expr

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// An op is the operation of a node.
type op uint8

const (
	literal op = iota
	name
	member
	call
	index
	listOf
	choice
	not
	binary
	joined // a text that contains expressions in braces
)

// A Node is a parsed expression.
type Node struct {
	op   op
	text string // a name, or a binary operator
	val  *Value
	kids []*Node
	at   int // byte in the source
	fn   *function
}

// An Error is a mistake in an expression.
type Error struct {
	At      int // byte in the source
	Message string
}

func (e *Error) Error() string { return e.Message }

// caught is deferred. It recovers a panic with an *Error and stores the error.
func caught(err **Error) {
	switch e := recover().(type) {
	case nil:
	case *Error:
		*err = e
	default:
		panic(e)
	}
}

type kind byte

const (
	atEnd kind = iota
	word
	digits
	quoted
	sign
)

// A parser panics with an *Error. The text of a token alone shows what kind of token it is.
type parser struct {
	src   string
	at    int
	tok   string
	kind  kind
	start int
	count int
}

// maxTokens limits how deep an expression can be nested.
const maxTokens = 500

// Parse parses an expression.
func Parse(src string) (n *Node, err *Error) {
	defer caught(&err)
	p := &parser{src: src}
	n = p.whole()
	if p.start < len(src) {
		p.tok = "}"
		p.expected("an operator or the end")
	}
	return n, nil
}

// ParseText parses a text that contains expressions in braces. Doubled braces stand for a brace. A text that consists
// of a single expression yields that expression's value; any other text yields a string.
func ParseText(src string) (n *Node, err *Error) {
	defer caught(&err)
	n = &Node{op: joined}
	for at := 0; at < len(src); {
		end := at + strings.IndexAny(src[at:], "{}")
		if end < at {
			end = len(src)
		}
		switch {
		case end > at:
			n.kids, at = append(n.kids, &Node{val: Str(src[at:end]), at: at}), end
		case strings.HasPrefix(src[at+1:], src[at:at+1]):
			n.kids, at = append(n.kids, &Node{val: Str(src[at : at+1])}), at+2
		case src[at] == '}':
			panic(&Error{at, "this } has no matching {; use }} for a literal brace"})
		default:
			p := &parser{src: src, at: at + 1}
			n.kids = append(n.kids, p.whole())
			if p.start >= len(src) {
				panic(&Error{at, "this { has no matching }; use {{ for a literal brace"})
			}
			at = p.start + 1
		}
	}
	if len(n.kids) == 1 {
		return n.kids[0], nil
	}
	return n, nil
}

// whole parses an expression up to the end or a closing brace.
func (p *parser) whole() *Node {
	p.next()
	n := p.expression(0)
	if p.kind != atEnd {
		p.expected("an operator or the end")
	}
	return n
}

// expected refuses the current token. In a guest it needs no details, because the host parsed the expression before.
func (p *parser) expected(what string) {
	message := "the expression is not valid"
	if !Unchecked {
		message = "found " + p.tok + ", expected " + what
		if p.tok[0] >= utf8.RuneSelf {
			message += "; use ' or \" around strings, and x['NAME'] for a name in other letters"
		} else if slices.Contains([]string{"and", "or", "not", "="}, p.tok) {
			message += "; use && for and, || for or, ! for not, == for equal"
		}
	}
	panic(&Error{p.start, message})
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func inNumber(r rune) bool { return isDigit(r) || r == '.' }

func inWord(r rune) bool { return r == '_' || r|32 >= 'a' && r|32 <= 'z' || isDigit(r) }

func (p *parser) next() {
	if p.count++; p.count > maxTokens {
		panic(&Error{p.start, "the expression is too long; use a let"})
	}
	rest := strings.TrimLeft(p.src[p.at:], " \t\r\n")
	p.start = len(p.src) - len(rest)
	if rest == "" || rest[0] == '}' {
		p.tok, p.kind = "the end", atEnd
		return
	}
	end := 1
	switch c := rest[0]; {
	case isDigit(rune(c)):
		p.kind, end = digits, len(rest)-len(strings.TrimLeftFunc(rest, inNumber))
	case inWord(rune(c)):
		p.kind, end = word, len(rest)-len(strings.TrimLeftFunc(rest, inWord))
	case c == '\'' || c == '"':
		if end += strings.IndexByte(rest[1:], c); end < 1 {
			panic(&Error{p.start, "the string is not closed"})
		}
		if p.kind, end = quoted, end+1; strings.IndexByte(rest[:end], '\\') >= 0 {
			panic(&Error{p.start, "a string has no escapes; use the other kind of quotes around it"})
		}
	default:
		p.kind = sign
		_, end = utf8.DecodeRuneInString(rest)
		if two := rest[:min(2, len(rest))]; binding[two] > 0 {
			end = len(two)
		}
	}
	p.tok, p.at = rest[:end], p.start+end
}

func (p *parser) take(tok string) {
	if p.tok != tok {
		p.expected(tok)
	}
	p.next()
}

// binding is the precedence of each binary operator.
var binding = map[string]int{"?": 1, "||": 2, "&&": 3, "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4, "in": 4,
	"+": 5, "-": 5}

func (p *parser) expression(least int) *Node {
	left := p.unary()
	for binding[p.tok] > least {
		n := &Node{op: binary, text: p.tok, at: p.start}
		p.next()
		if n.text == "?" {
			then := p.expression(0)
			p.take(":")
			n.op, n.kids = choice, []*Node{left, then, p.expression(0)}
		} else {
			n.kids = []*Node{left, p.expression(binding[n.text])}
		}
		left = n
	}
	return left
}

func (p *parser) unary() *Node {
	if p.tok != "!" {
		return p.postfix(p.primary())
	}
	n := &Node{op: not, at: p.start}
	p.next()
	n.kids = []*Node{p.unary()}
	return n
}

func (p *parser) postfix(n *Node) *Node {
	for {
		switch at := p.start; p.tok {
		case "[":
			p.next()
			n = &Node{op: index, at: at, kids: []*Node{n, p.expression(0)}}
			p.take("]")
		case ".":
			p.next()
			if p.kind != word {
				p.expected("the name of a member")
			}
			n = p.named(&Node{op: member, kids: []*Node{n}})
		default:
			return n
		}
	}
}

// named parses a name, which is a call if operands follow.
func (p *parser) named(n *Node) *Node {
	n.text, n.at = p.tok, p.start
	p.next()
	if p.tok == "(" {
		n.op = call
		n.kids = append(n.kids, p.list(")")...)
		n.fn = n.function()
	}
	return n
}

func (p *parser) list(end string) (l []*Node) {
	p.next()
	for p.tok != end {
		if len(l) > 0 {
			if p.tok != "," {
				p.expected(", or " + end)
			}
			p.next()
		}
		l = append(l, p.expression(0))
	}
	p.take(end)
	return l
}

func (p *parser) primary() *Node {
	n := &Node{at: p.start}
	switch {
	case p.kind == digits:
		f, ok := decimalValue(p.tok)
		if !ok {
			p.expected("a number")
		}
		n.val = Num(f)
	case p.kind == quoted:
		n.val = Str(p.tok[1 : len(p.tok)-1])
	case p.tok == "true" || p.tok == "false":
		n.val = Truth(p.tok == "true")
	case p.tok == "null":
		n.val = Nothing
	case p.tok == "(":
		p.next()
		n = p.expression(0)
		p.take(")")
		return n
	case p.tok == "[":
		n.op, n.kids = listOf, p.list("]")
		return n
	case p.kind == word && p.tok != "in":
		return p.named(&Node{op: name})
	default:
		p.expected("a value")
	}
	p.next()
	return n
}

// decimalValue parses a number. It does not use package strconv, which would add 25 kB to a guest.
func decimalValue(text string) (float64, bool) {
	doc, err := jsondoc.Parse(text)
	if err != nil {
		return 0, false
	}
	return doc.Root().Float()
}

// function returns the function that a call names.
func (n *Node) function() *function {
	var names []string
	for i := range functions {
		f := &functions[i]
		names = append(names, f.name)
		switch {
		case f.name != n.text:
		case Unchecked || f.operands == len(n.kids) && (!f.macro() || n.kids[1].op == name):
			return f
		case f.macro():
			panic(&Error{n.at, n.text + " takes a list, a name for the element and an expression, as in list." +
				n.text + "(x, x.done)"})
		default:
			panic(&Error{n.at, n.text + " takes " + say.Count(f.operands, "value") +
				", including the one before the dot; found " + strconv.Itoa(len(n.kids))})
		}
	}
	near := Nearest(n.text, names)
	if near == "" {
		near = "; there are " + strings.Join(names, ", ")
	}
	panic(&Error{n.at, "there is no function " + n.text + near})
}

// Computed reports whether the value can never be one that a document contains. Such a value cannot be set.
func (n *Node) Computed() bool {
	switch n.op {
	case literal, listOf, not, binary:
		return true
	case call:
		return n.fn.gives == Boolean || n.fn.gives == Integer
	}
	return false
}

// Member returns the last name of a chain of members: "status" for "it.status". It returns "" for other expressions.
func (n *Node) Member() string {
	if n != nil && n.op == member {
		return n.text
	}
	return ""
}

// Mentions reports whether the expression uses one of the names.
func (n *Node) Mentions(names ...string) bool {
	return n != nil && (n.op == name && slices.Contains(names, n.text) ||
		slices.ContainsFunc(n.kids, func(k *Node) bool { return k.Mentions(names...) }))
}

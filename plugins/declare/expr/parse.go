package expr

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/sdk/jsondoc"
)

// An op is what a node does.
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

// An Error says what is wrong with an expression.
type Error struct {
	At      int // byte in the source
	Message string
}

func (e *Error) Error() string { return e.Message }

type kind byte

const (
	atEnd kind = iota
	word
	digits
	quoted
	sign
)

type parser struct {
	src   string
	at    int
	tok   string
	kind  kind
	start int
	depth int
}

// Parse reads an expression.
func Parse(src string) (*Node, *Error) {
	n, end, err := parse(src, 0)
	if err == nil && end < len(src) {
		err = &Error{end, "found " + src[end:end+1] + ", expected an operator or the end"}
	}
	return n, err
}

// parse reads an expression from a byte on, up to the end or a closing brace.
func parse(src string, from int) (n *Node, end int, err *Error) {
	p := &parser{src: src, at: from}
	defer func() {
		if e := recover(); e != nil {
			s, ok := e.(*Error)
			if !ok {
				panic(e)
			}
			n, err = nil, s
		}
	}()
	p.next()
	n = p.expression(0)
	if p.kind != atEnd {
		p.expected("an operator or the end")
	}
	return n, p.start, nil
}

//go:noinline
func (p *parser) fail(message string) { panic(&Error{p.start, message}) }

// unknown refuses a character. The host has done so before a guest reads the expression.
func (p *parser) unknown(c byte) {
	if !Unchecked {
		p.fail("found the character " + firstRune(p.src[p.at:]) + ", which is not valid in an expression; " + hint(c))
	}
}

func (p *parser) expected(what string) {
	if Unchecked {
		p.fail("the expression is not valid")
	}
	message := "found " + p.tok + ", expected " + what
	if p.tok == "and" || p.tok == "or" || p.tok == "not" {
		message += "; " + hint(0)
	}
	p.fail(message)
}

func isLetter(c byte) bool { return c == '_' || c|32 >= 'a' && c|32 <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (p *parser) next() {
	for p.at < len(p.src) && strings.IndexByte(" \t\r\n", p.src[p.at]) >= 0 {
		p.at++
	}
	p.start = p.at
	if p.at == len(p.src) || p.src[p.at] == '}' {
		p.tok, p.kind = "the end", atEnd
		return
	}
	c := p.src[p.at]
	end := p.at + 1
	switch {
	case isLetter(c):
		for end < len(p.src) && (isLetter(p.src[end]) || isDigit(p.src[end])) {
			end++
		}
		p.kind = word
	case isDigit(c):
		for end < len(p.src) && (isDigit(p.src[end]) || p.src[end] == '.') {
			end++
		}
		p.kind = digits
	case c == '\'' || c == '"':
		for end < len(p.src) && p.src[end] != c {
			if p.src[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(p.src) {
			p.fail("the string is not closed")
		}
		end++
		p.kind = quoted
	default:
		p.kind = sign
		switch two := p.src[p.at:min(p.at+2, len(p.src))]; {
		case two == "==" || two == "!=" || two == "<=" || two == ">=" || two == "&&" || two == "||":
			end++
		case strings.IndexByte("<>+-!?:.,()[]", c) < 0:
			p.unknown(c)
		}
	}
	p.tok, p.at = p.src[p.start:end], end
}

// hint is what to use instead of what begins with a byte.
func hint(c byte) string {
	if c >= 0x80 {
		return "use ' or \" around strings, and x['NAME'] for a name in other letters"
	}
	return "use && for and, || for or, ! for not, == for equal"
}

func firstRune(s string) string {
	for i := range s {
		if i > 0 {
			return s[:i]
		}
	}
	return s
}

func (p *parser) take(tok string) {
	if p.kind != sign || p.tok != tok {
		p.expected(tok)
	}
	p.next()
}

// binding is how strongly a binary operator binds, 0 for what is none.
func binding(tok string) int {
	switch tok {
	case "?":
		return 1
	case "||":
		return 2
	case "&&":
		return 3
	case "==", "!=", "<", "<=", ">", ">=", "in":
		return 4
	case "+", "-":
		return 5
	}
	return 0
}

// maxDepth bounds how deep an expression may be nested.
const maxDepth = 100

func (p *parser) deeper() func() {
	if p.depth++; p.depth > maxDepth {
		p.fail("the expression is nested too deeply")
	}
	return func() { p.depth-- }
}

func (p *parser) expression(least int) *Node {
	defer p.deeper()()
	left := p.unary()
	for count := 0; ; count++ {
		strength := binding(p.tok)
		if p.kind != sign && p.tok != "in" || p.kind == quoted || strength == 0 || strength <= least {
			return left
		}
		if count > maxDepth {
			p.fail("the expression has too many operators in a row; use a let")
		}
		n := &Node{op: binary, text: p.tok, at: p.start}
		p.next()
		if n.text == "?" {
			then := p.expression(0)
			p.take(":")
			n.op, n.kids = choice, []*Node{left, then, p.expression(0)}
		} else {
			n.kids = []*Node{left, p.expression(strength)}
		}
		left = n
	}
}

func (p *parser) unary() *Node {
	if p.kind != sign || p.tok != "!" {
		return p.postfix(p.primary())
	}
	defer p.deeper()()
	n := &Node{op: not, at: p.start}
	p.next()
	n.kids = []*Node{p.unary()}
	return n
}

func (p *parser) postfix(n *Node) *Node {
	for count := 0; p.kind == sign && (p.tok == "." || p.tok == "["); count++ {
		if count > maxDepth {
			p.fail("the expression has too many members in a row; use a let")
		}
		at := p.start
		if p.tok == "[" {
			p.next()
			n = &Node{op: index, at: at, kids: []*Node{n, p.expression(0)}}
			p.take("]")
			continue
		}
		p.next()
		if p.kind != word {
			p.expected("the name of a member")
		}
		m := &Node{op: member, text: p.tok, at: p.start, kids: []*Node{n}}
		p.next()
		if p.kind == sign && p.tok == "(" {
			m.op = call
			m.kids = append(m.kids, p.list(")")...)
			m.find()
		}
		n = m
	}
	return n
}

func (p *parser) list(end string) (l []*Node) {
	p.next()
	for p.tok != end || p.kind != sign {
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
		n.val = Str(unescaped(p.tok[1 : len(p.tok)-1]))
	case p.kind == word && (p.tok == "true" || p.tok == "false"):
		n.val = Truth(p.tok == "true")
	case p.kind == word && p.tok == "null":
		n.val = Nothing
	case p.kind == word && p.tok != "in":
		n.op, n.text = name, p.tok
		p.next()
		if p.kind == sign && p.tok == "(" {
			n.op = call
			n.kids = p.list(")")
			n.find()
		}
		return n
	case p.tok == "(" && p.kind == sign:
		p.next()
		n = p.expression(0)
		p.take(")")
		return n
	case p.tok == "[" && p.kind == sign:
		n.op, n.kids = listOf, p.list("]")
		return n
	default:
		p.expected("a value")
	}
	p.next()
	return n
}

// decimalValue reads a number. Package strconv would take 25 kB of a guest for it.
func decimalValue(text string) (float64, bool) {
	doc, err := jsondoc.Parse(text)
	if err != nil {
		return 0, false
	}
	return doc.Root().Float()
}

func unescaped(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\\' && i+1 < len(s) {
			i++
			if c = s[i]; c == 'n' {
				c = '\n'
			} else if c == 't' {
				c = '\t'
			}
		}
		out = append(out, c)
	}
	return string(out)
}

// find finds the function of a call.
func (n *Node) find() {
	f := functionCalled(n.text)
	switch {
	case Unchecked:
	case f == nil:
		near := Nearest(n.text, functionNames())
		if near == "" {
			near = "; there are " + strings.Join(functionNames(), ", ")
		}
		panic(&Error{n.at, "there is no function " + n.text + near})
	case f.operands != len(n.kids) && f.macro():
		panic(&Error{n.at, n.text + " takes a list, a name for the element and an expression, as in list." + n.text +
			"(x, x.done)"})
	case f.operands != len(n.kids):
		panic(&Error{n.at, n.text + " takes " + strconv.Itoa(f.operands) + " values, with the one before the dot; " +
			"found " + strconv.Itoa(len(n.kids))})
	case f.macro() && n.kids[1].op != name:
		panic(&Error{n.kids[1].at, "expected a name for the element, as in list." + n.text + "(x, x.done)"})
	}
	n.fn = f
}

// Computed reports whether the value never is one that a document holds, so that it cannot be set.
func (n *Node) Computed() bool {
	switch n.op {
	case literal, listOf, not, binary:
		return true
	case call:
		return n.fn.gives == Boolean || n.fn.gives == Integer
	}
	return false
}

// Member returns the last name of a chain of members, such as status of it.status; "" for others.
func (n *Node) Member() string {
	if n != nil && n.op == member {
		return n.text
	}
	return ""
}

// Mentions reports whether the expression names something.
func (n *Node) Mentions(names ...string) bool {
	if n == nil {
		return false
	}
	return n.op == name && slices.Contains(names, n.text) ||
		slices.ContainsFunc(n.kids, func(k *Node) bool { return k.Mentions(names...) })
}

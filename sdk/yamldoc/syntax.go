//go:build !wasip1

package yamldoc

import (
	"strconv"
	"strings"
)

// explained translates the library's errors: found, expected and the fix. One entry applies to all that begin with
// it.
var explained = []struct{ says, means string }{
	{"found a tab character", "found a tab before a key or value, expected blanks; indent with blanks"},
	{"found character that cannot start any token",
		"found a value that begins with a character that YAML reserves (@, `, %) or with a tab, expected a text; " +
			"put it in quotes, or blanks in place of the tab"},
	{"mapping values are not allowed in this context",
		"found a colon where no key may be, expected one key a line; put a text with a colon in quotes, or correct " +
			"how far the line is indented"},
	{"mapping keys are not allowed in this context",
		"found a key where none may be, expected it on a line of its own; begin a line with it"},
	{"block sequence entries are not allowed in this context",
		"found a list item after other text, expected it on a line of its own; begin a line with the -"},
	{"did not find expected key", "found a line that is indented like no key above it, expected the indentation of " +
		"the keys beside it; correct the indentation, or put the text above in quotes"},
	{"did not find expected '-' indicator", "found a line without a - among items of a list, expected an item; add " +
		"the -, or correct how far the line is indented"},
	{"could not find expected ':'", "found a line without a colon after its key, expected KEY: VALUE; add it, or " +
		"indent the line if it continues the text above"},
	{"did not find expected ',' or ']'", "found a list in [ ] that is not closed, expected a comma or ]; close it"},
	{"did not find expected ',' or '}'", "found a mapping in { } that is not closed, expected a comma or }; close it"},
	{"did not find expected node content", "found nothing where a value has to be, expected one; write it, or take " +
		"out what leads to it"},
	{"did not find expected alphabetic or numeric character",
		"found a text that begins with * or &, which YAML reserves, expected a name after it; put the text in quotes"},
	{"did not find expected <document start>", "found text after the end of the document, expected one mapping; " +
		"correct how far the first line is indented, or remove the text before it"},
	{"did not find expected comment or line break",
		"found text after | or >, expected the line to end; begin a new line with it"},
	{"did not find expected whitespace", "found a tag, an anchor or an alias (!, & or *) that runs into a text, " +
		"expected a blank; put the text in quotes"},
	{"found unexpected end of stream", "found a text in quotes that is not closed, expected the quote; close it"},
	{"found unexpected document indicator", "found --- or ... within a text in quotes, expected the quote first; " +
		"close it"},
	{"found unknown escape character", "found a backslash before a character that it cannot escape, expected a " +
		"valid escape sequence; double the backslash, or use single quotes"},
	{"found undefined tag handle", "found a text that begins with !, which YAML reserves, expected a known tag; put " +
		"the text in quotes"},
	{"unknown anchor", "found an alias of a value that has no name above, expected & and that name; write the value " +
		"itself, or put a text that begins with * in quotes"},
	{"control characters are not allowed", "found a control character, expected text; remove it"},
	{"exceeded max depth", "found values that are nested too deeply, expected fewer levels; flatten them"},
}

// syntax makes an error of the library's, which names the line if it knows one.
func (d *Document) syntax(err error) *Error {
	line, means := Explain(err)
	e := &Error{Kind: "syntax", Message: "the document is not valid YAML: " + means}
	if line > 0 {
		e.Start = d.lines[min(line, len(d.lines))-1]
		e.End = e.Start + len(strings.TrimRight(firstLine(d.text[e.Start:]), "\r\n"))
	}
	return e
}

// Explain translates an error of the library: the line, 0 if it has none, and what was found, what was expected, and
// the fix. An unknown error stays as it is.
func Explain(err error) (line int, means string) {
	means = strings.TrimPrefix(err.Error(), "yaml: ")
	if m := atLine().FindStringSubmatch(means); m != nil {
		number, _ := strconv.Atoi(m[1])
		line, means = max(number, 1), means[len(m[0]):]
	}
	for _, x := range explained {
		if strings.HasPrefix(means, x.says) {
			return line, x.means
		}
	}
	return line, means
}

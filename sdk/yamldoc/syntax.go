//go:build !wasip1

package yamldoc

import (
	"strconv"
	"strings"
)

// explained translates the library's errors to a message with the value found, the value expected and the fix. An
// entry applies to all errors that begin with its text.
var explained = []struct{ says, means string }{
	{"found a tab character", "found a tab before a key or value, expected spaces; indent with spaces"},
	{"found character that cannot start any token",
		"found a value that begins with a character that YAML reserves (@, `, %) or with a tab, expected a string; " +
			"quote it, or replace the tab with spaces"},
	{"mapping values are not allowed in this context",
		"found a colon where no key is allowed, expected one key per line; quote a string with a colon, or correct " +
			"the line's indentation"},
	{"mapping keys are not allowed in this context",
		"found a key where none is allowed, expected it on a separate line; begin a line with it"},
	{"block sequence entries are not allowed in this context",
		"found a list item after other text, expected it on a separate line; begin a line with the -"},
	{"did not find expected key", "found a line whose indentation matches no key above it, expected the indentation " +
		"of its neighbors; correct the indentation, or quote the string above"},
	{"did not find expected '-' indicator", "found a line without a - among items of a list, expected an item; add " +
		"the -, or correct the line's indentation"},
	{"could not find expected ':'", "found a line without a colon after its key, expected KEY: VALUE; add it, or " +
		"indent the line if it continues the string above"},
	{"did not find expected ',' or ']'", "found a list in [ ] that is not closed, expected a comma or ]; close it"},
	{"did not find expected ',' or '}'", "found a mapping in { } that is not closed, expected a comma or }; close it"},
	{"did not find expected node content", "found nothing where a value is required, expected one; add it, or remove " +
		"the key or mark before it"},
	{"did not find expected alphabetic or numeric character",
		"found a string that begins with * or &, which YAML reserves, expected a name after it; quote the string"},
	{"did not find expected <document start>", "found text after the end of the document, expected one mapping; " +
		"correct the first line's indentation, or remove the text before it"},
	{"did not find expected comment or line break",
		"found text after | or >, expected the line to end; begin a new line with it"},
	{"did not find expected whitespace", "found a tag, an anchor or an alias (!, & or *) that runs into other text, " +
		"expected a space; quote the string"},
	{"found unexpected end of stream", "found an unclosed quote, expected the closing quote; add it"},
	{"found unexpected document indicator",
		"found --- or ... inside a quoted string, expected the closing quote first; add it"},
	{"found unknown escape character", "found a backslash before a character that it cannot escape, expected a " +
		"valid escape sequence; double the backslash, or use single quotes"},
	{"found undefined tag handle", "found a string that begins with !, which YAML reserves, expected a known tag; " +
		"quote the string"},
	{"unknown anchor", "found an alias without a matching anchor above it, expected & and that name; write the value " +
		"itself, or quote a string that begins with *"},
	{"control characters are not allowed", "found a control character, expected text; remove it"},
	{"exceeded max depth", "found values that are nested too deeply, expected fewer levels; flatten them"},
}

// syntax converts an error of the library. The result has a line if the library reports one.
func (d *Document) syntax(err error) *Error {
	line, means := Explain(err)
	if strings.Contains(err.Error(), "did not find expected key") && line > 0 {
		line = d.outdented(line) // the library reports the beginning of the mapping
	}
	e := &Error{Kind: "syntax", Message: "the document is not valid YAML: " + means}
	if line > 0 {
		e.Start = d.lines[min(line, len(d.lines))-1]
		e.End = e.Start + len(strings.TrimRight(firstLine(d.text[e.Start:]), "\r\n"))
	}
	return e
}

// outdented returns the first line, at or after from, that is indented less than the line above it, but to a
// different column than any open mapping. It returns from if there is no such line.
func (d *Document) outdented(from int) int {
	var levels []int // the indentations of the open mappings
	text := -1       // the indentation of a key whose value is a block of text
	for i, start := range d.lines {
		line := strings.TrimRight(firstLine(d.text[start:]), " \r\n")
		bare := strings.TrimLeft(line, " ")
		if bare == "" || bare[0] == '#' {
			continue
		}
		indent := len(line) - len(bare)
		if text >= 0 && indent > text {
			continue
		}
		outer := len(levels) > 0 && indent < levels[len(levels)-1]
		for len(levels) > 0 && indent < levels[len(levels)-1] {
			levels = levels[:len(levels)-1]
		}
		if len(levels) == 0 || indent > levels[len(levels)-1] {
			if outer && i+1 >= from {
				return i + 1
			}
			levels = append(levels, indent)
		}
		if text = -1; strings.HasSuffix(line, "|") || strings.HasSuffix(line, ">") {
			text = indent
		}
	}
	return from
}

// Explain translates an error of the library. It returns the line, or 0 if there is none, and a message with the
// value found, the value expected and the fix. It returns an unknown error unchanged.
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

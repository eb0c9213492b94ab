package baseline

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// An Error says what is wrong with a file, and where.
type Error struct {
	Name         string
	Line, Column int // 1-based; columns count characters
	Message      string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Name, e.Line, e.Column, e.Message)
}

// Usage reports true: the call is wrong, not the repository and not the host.
func (e *Error) Usage() bool { return true }

const cure = "; rewrite it with `stategate check --write-baseline`"

// Parse reads what Encode wrote, or a person has shortened. The error is an *Error.
func Parse(name string, data []byte) (*Baseline, error) {
	if len(data) > MaxSize {
		return nil, &Error{name, 1, 1, fmt.Sprintf("the baseline has %d bytes, expected %d at most%s", len(data), MaxSize, cure)}
	}
	text := strings.TrimPrefix(string(data), "\ufeff")
	p := &parser{name: name, text: text}
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\ufffd") {
			p.fail(i, "the baseline is not UTF-8")
			return nil, p.err
		}
	}
	doc, err := jsondoc.Parse(text)
	var syntax *jsondoc.SyntaxError
	switch {
	case errors.As(err, &syntax):
		p.fail(syntax.Offset, "the baseline is not JSON: %s", syntax.Message)
		return nil, p.err
	case err != nil:
		p.fail(0, "the baseline is not JSON: %v", err)
		return nil, p.err
	}
	b := &Baseline{Name: name}
	p.file(doc.Root(), b)
	if p.err != nil {
		return nil, p.err
	}
	return b, nil
}

// parser keeps the first error.
type parser struct {
	name, text string
	err        error
}

func (p *parser) fail(at int, format string, args ...any) {
	if p.err != nil {
		return
	}
	before := p.text[:min(max(at, 0), len(p.text))]
	line := before[strings.LastIndexByte(before, '\n')+1:]
	p.err = &Error{p.name, strings.Count(before, "\n") + 1, utf8.RuneCountInString(line) + 1, fmt.Sprintf(format, args...) + cure}
}

func (p *parser) file(root jsondoc.Value, b *Baseline) {
	members := p.members(root, "the baseline", "format", "findings")
	if p.err != nil {
		return
	}
	if n, ok := members["format"].Int(); !ok || n != Format {
		p.fail(members["format"].Start(), "format is %s, expected %d", shown(members["format"]), Format)
		return
	}
	list := members["findings"]
	if list.Kind() != jsondoc.Array {
		p.fail(list.Start(), "findings is %s, expected a list", shown(list))
		return
	}
	for _, v := range list.Elements() {
		if b.Findings = append(b.Findings, p.finding(v)); p.err != nil {
			return
		}
	}
}

func (p *parser) finding(v jsondoc.Value) Finding {
	members := p.members(v, "a finding", "rule", "path", "message", "fingerprint", "count?")
	f := Finding{Rule: p.string("rule", members), Path: p.string("path", members), Message: p.string("message", members)}
	f.Fingerprint = p.string("fingerprint", members)
	if p.err == nil && f.Fingerprint == "" {
		p.fail(members["fingerprint"].Start(), "fingerprint is empty")
	}
	if c := members["count"]; c.Exists() {
		n, ok := c.Int()
		if !ok || n < 1 || n > 1_000_000 {
			p.fail(c.Start(), "count is %s, expected a number from 1", shown(c))
		}
		f.Count = int(n)
	}
	return f
}

func (p *parser) string(name string, members map[string]jsondoc.Value) string {
	v := members[name]
	s, ok := v.Text()
	if p.err == nil && !ok {
		p.fail(v.Start(), "%s is %s, expected a text", name, shown(v))
	}
	return s
}

// members returns the members of an object, which has exactly those names; one that
// ends in a question mark may be missing.
func (p *parser) members(v jsondoc.Value, what string, names ...string) map[string]jsondoc.Value {
	found := map[string]jsondoc.Value{}
	if v.Kind() != jsondoc.Object {
		p.fail(v.Start(), "%s is %s, expected an object", what, shown(v))
		return found
	}
	var known []string
	for _, n := range names {
		known = append(known, strings.TrimSuffix(n, "?"))
	}
	for _, m := range v.Members() {
		if _, twice := found[m.Key]; twice {
			p.fail(m.KeyStart, "%s has %s twice", what, strconv.Quote(m.Key))
		}
		found[m.Key] = m.Value
		if !slices.Contains(known, m.Key) {
			p.fail(m.KeyStart, "%s has no %s; %s", what, strconv.Quote(m.Key), suggest.OneOf(m.Key, known))
		}
	}
	for _, n := range names {
		if _, ok := found[n]; !ok && !strings.HasSuffix(n, "?") {
			p.fail(v.Start(), "%s lacks %s", what, n)
		}
	}
	return found
}

const maxShown = 60

func shown(v jsondoc.Value) string {
	switch v.Kind() {
	case jsondoc.Object, jsondoc.Array:
		return "an " + v.Kind().String()
	}
	raw := v.Raw()
	if len(raw) > maxShown {
		raw = strings.ToValidUTF8(raw[:maxShown], "") + "…"
	}
	return raw
}

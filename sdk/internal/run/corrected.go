package run

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/sdk/words"
)

// corrected withdraws findings about a change that corrects the base. If the base itself has an error about a
// value, and the present documents by themselves have none about it, the value may change back; otherwise a
// committed fault could never be fixed. The finding's location must be as exact as a value. A finding about a whole
// document or a list, such as a lost entry, stays, unless the base was unreadable there or nothing else in the list
// has changed.
func (l *look) corrected(r *wire.Request) {
	if r.Base.State != wire.BaseAt || !faulty(l.report.Diagnostics) {
		return
	}
	was := l.alone(r, r.Base.Root, committed(r))
	if !faulty(was.report.Diagnostics) && !unreadable(r.Base.Documents) {
		return
	}
	now := l.alone(r, r.Root, r.Documents)
	var kept []wire.Diagnostic
	for i := range l.report.Diagnostics {
		d := &l.report.Diagnostics[i]
		if !wrong(d) || stands(d, now.report.Diagnostics) || !now.right(d, was) || !was.refutes(d, now) {
			kept = append(kept, *d)
		}
	}
	l.report.Diagnostics = kept
}

// wrong reports whether a diagnostic's severity can close the gate.
func wrong(d *wire.Diagnostic) bool { return d.Severity >= wire.Warning }

func faulty(list []wire.Diagnostic) bool {
	for i := range list {
		if wrong(&list[i]) {
			return true
		}
	}
	return false
}

// stands reports whether a list contains a diagnostic with the same rule, subject and key.
func stands(d *wire.Diagnostic, list []wire.Diagnostic) bool {
	for i := range list {
		if o := &list[i]; o.Rule == d.Rule && o.Subject == d.Subject && o.Key == d.Key {
			return true
		}
	}
	return false
}

func unreadable(list []wire.Document) bool {
	for i := range list {
		if blocked(list[i].Faults, "") {
			return true
		}
	}
	return false
}

// blocked reports whether a document is unreadable, as a whole or at a pointer.
func blocked(faults []wire.DocumentFault, pointer string) bool {
	for i := range faults {
		if f := &faults[i]; f.Rule == wire.RuleUnreadable || pointer != "" && f.Pointer == pointer {
			return true
		}
	}
	return false
}

// committed lists the documents of the base by path, and the present documents that git ignores, because no commit
// contains them.
func committed(r *wire.Request) []wire.Document {
	base := r.Base.Documents
	list := make([]wire.Document, 0, len(base))
	for i := range r.Documents { // both lists are sorted
		d := &r.Documents[i]
		for len(base) > 0 && base[0].Path <= d.Path {
			list, base = append(list, base[0]), base[1:]
		}
		if d.Ignored && (len(list) == 0 || list[len(list)-1].Path != d.Path) {
			list = append(list, *d)
		}
	}
	return append(list, base...)
}

// alone checks documents without a base. The validity interval of the result also limits that of the verdict.
func (l *look) alone(r *wire.Request, root string, documents []wire.Document) *look {
	request := *r
	request.Root, request.Name, request.Documents = root, root[strings.LastIndexByte(root, '/')+1:], documents
	request.Base, request.Audit = wire.Base{}, false
	other := newLook(l.host.Other(&request))
	if other.prepare() && other.detect() {
		other.rules()
	}
	return other
}

// right reports whether the value that a diagnostic is about is readable and has no error that the base lacks. If a
// value has two faults and a change fixes one of them, the other one still closes the gate.
func (l *look) right(d *wire.Diagnostic, was *look) bool {
	if l.report.Failure+l.report.Declined != "" || len(l.report.RuleFailures) > 0 {
		return false
	}
	if doc := l.pass.Docs.Get(d.Range.Path); doc != nil &&
		(blocked(doc.Faults, d.Range.Pointer) || garbled(doc.Text, d.Range)) {
		return false
	}
	for i := range l.report.Diagnostics {
		if e := &l.report.Diagnostics[i]; e.Severity == wire.Error && l.same(e.Range, l, d.Range) &&
			!stands(e, was.report.Diagnostics) {
			return false
		}
	}
	return true
}

// garbled reports whether the text at a location cannot be intended.
func garbled(text string, at wire.Range) bool {
	return at.Start < at.End && at.End <= len(text) && !words.Meant(text[at.Start:at.End])
}

// refutes reports whether an error of the base about the value no longer exists, or whether a warning of the
// base expects exactly this value. A warning may be about the form alone.
func (l *look) refutes(d *wire.Diagnostic, now *look) bool {
	if doc := l.pass.Docs.Get(d.Range.Path); doc != nil && blocked(doc.Faults, "") {
		return true
	}
	for i := range l.report.Diagnostics {
		e := &l.report.Diagnostics[i]
		if !wrong(e) || stands(e, now.report.Diagnostics) {
			continue
		}
		if e.Severity == wire.Error && l.same(e.Range, now, d.Range) || l.expected(e, d, now) {
			return true
		}
	}
	return false
}

// expected reports whether a remedy for an error of the base changes the value, or whether a remedy for a warning
// sets it to its present value.
func (l *look) expected(e, d *wire.Diagnostic, now *look) bool {
	for _, r := range e.Remedies {
		for i := range r.Edits {
			edit := &r.Edits[i]
			if e.Severity == wire.Error && edit.New != timed && edit.New != sdk.NowInEdit &&
				(l.same(edit.Range, now, d.Range) || within(edit.Range, d.Range) && l.mendedAlone(d.Range, now)) ||
				edit.Op == wire.Set && (edit.Range == d.Range || within(d.Range, edit.Range)) &&
					now.holds(edit.Range, edit.New) {
				return true
			}
		}
	}
	return false
}

// mendedAlone reports whether a JSON value differs from the base only in times and in values whose errors in the
// base no longer exist.
func (l *look) mendedAlone(whole wire.Range, now *look) bool {
	var parts []string
	for i := range l.report.Diagnostics {
		e := &l.report.Diagnostics[i]
		if !wrong(e) || stands(e, now.report.Diagnostics) {
			continue
		}
		if e.Range.Path == whole.Path && e.Range.Pointer != "" {
			parts = append(parts, e.Range.Pointer)
		}
		for _, r := range e.Remedies {
			for k := range r.Edits {
				if at := r.Edits[k].Range; at.Path == whole.Path && at.Pointer != "" {
					parts = append(parts, at.Pointer)
				}
			}
		}
	}
	was, is := l.value(whole), now.value(whole)
	return was.Exists() && is.Exists() && changedOnly(was, is, whole.Pointer, parts)
}

// value returns the value at a location, if it is readable.
func (l *look) value(at wire.Range) jsondoc.Value {
	d := l.pass.Docs.Get(at.Path)
	if !d.Readable() {
		return jsondoc.Value{}
	}
	doc, err := jsondoc.Parse(d.Text)
	if err != nil {
		return jsondoc.Value{}
	}
	v, _ := doc.Lookup(at.Pointer)
	return v
}

// changedOnly reports whether two values at a pointer differ only at or below the listed pointers.
func changedOnly(a, b jsondoc.Value, at string, parts []string) bool {
	if slices.Contains(parts, at) || jsondoc.EqualFunc(a, b, areTimes) {
		return true
	}
	switch {
	case a.Kind() == jsondoc.Object && b.Kind() == jsondoc.Object:
		for _, v := range []jsondoc.Value{a, b} {
			for _, m := range v.Members() {
				if !changedOnly(a.Get(m.Key), b.Get(m.Key), at+"/"+jsondoc.EscapeToken(m.Key), parts) {
					return false
				}
			}
		}
		return true
	case a.Kind() == jsondoc.Array && b.Kind() == jsondoc.Array && a.Len() == b.Len():
		was, is := a.Elements(), b.Elements()
		for i := range was {
			if !changedOnly(was[i], is[i], at+"/"+strconv.Itoa(i), parts) {
				return false
			}
		}
		return true
	}
	return false
}

func areTimes(a, b string) bool {
	_, x := instant.Parse(a)
	_, y := instant.Parse(b)
	return x && y
}

// within reports whether a JSON value is part of another one.
func within(part, whole wire.Range) bool {
	return part.Path == whole.Path && whole.Pointer != "" && strings.HasPrefix(part.Pointer, whole.Pointer+"/")
}

// timed is the time that an edit sets. It does not indicate what was wrong with the previous value.
var timed = jsondoc.Quote(sdk.NowInEdit)

// holds reports whether the value at a location equals a JSON text.
func (l *look) holds(at wire.Range, json string) bool {
	want, err := jsondoc.Parse(json)
	if at.Pointer == "" || err != nil {
		return false
	}
	v := l.value(at)
	return v.Exists() && jsondoc.EqualFunc(v, want.Root(), instant.Same)
}

// same reports whether two ranges, in one document of two evaluations, refer to the same value: the value at a JSON
// pointer, the value after the same words and a colon, or the value next to the same words in a row of two cells.
func (l *look) same(a wire.Range, other *look, b wire.Range) bool {
	if a.Path != b.Path || a.Pointer != "" || b.Pointer != "" {
		return a.Path == b.Path && a.Pointer == b.Pointer
	}
	name := l.label(a)
	return name != "" && words.Alike(name, other.label(b))
}

// label returns the text before the colon on the line of a range, or the first of two cells. It returns "" if the
// range is not part of one line, or if the range is at the end of the document, where a finding is about missing
// text.
func (l *look) label(r wire.Range) string {
	d := l.pass.Docs.Get(r.Path)
	if d == nil || r.End > len(d.Text) || r.Start > r.End {
		return ""
	}
	line := ""
	switch {
	case r.Bytes && r.Start == r.End && strings.TrimSpace(d.Text[r.End:]) == "":
	case r.Line > 0:
		if lines := strings.SplitN(d.Text, "\n", r.Line+1); len(lines) >= r.Line {
			line = lines[r.Line-1]
		}
	case r.Bytes && !strings.Contains(strings.TrimRight(d.Text[r.Start:r.End], "\r\n"), "\n"):
		line, _, _ = strings.Cut(d.Text[strings.LastIndexByte(d.Text[:r.Start], '\n')+1:], "\n")
	}
	if cells := strings.Split(strings.Trim(line, " \t\r|"), "|"); len(cells) == 2 && strings.HasPrefix(line, "|") {
		line = cells[0] + ":"
	}
	name, _, ok := strings.Cut(line, ":")
	if !ok {
		return ""
	}
	return strings.Trim(name, " \t-*+_#>|`")
}

package legalmemo

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// left returns a damaged state file's readable part, completed with the base's values from the same run.
func (m *model) left(a *agent) *agent {
	p := &agent{kind: a.kind, letter: a.letter, doc: a.doc}
	if a.doc == nil {
		return p
	}
	text := jsondoc.Beginning(a.doc.Text)
	if was := m.wholeBefore(a); was != nil {
		if now, err := jsondoc.Parse(text); err == nil {
			began := now.Root().Get("started_at")
			if !began.Exists() || same(began, was.root.Get("started_at")) {
				text = merged(now.Root(), was.root)
			}
		}
	}
	p.parse(text)
	return p
}

// wholeBefore returns an agent's state in the base, or nil if it is unreadable.
func (m *model) wholeBefore(a *agent) *agent {
	if m.base == nil {
		return nil
	}
	if was := m.base.agentAt(a.path()); was != nil && was.read {
		return was
	}
	return nil
}

// merged returns an object as JSON, with the earlier values of its missing or empty members.
func merged(now, was value) string {
	if now.Kind() != jsondoc.Object || was.Kind() != jsondoc.Object {
		return now.Raw()
	}
	o := jsondoc.NewObject()
	for _, e := range was.Members() {
		if v := now.Get(e.Key); v.Exists() {
			o.Raw(e.Key, merged(v, e.Value))
		} else {
			o.Value(e.Key, e.Value)
		}
	}
	for _, e := range now.Members() {
		if !was.Get(e.Key).Exists() {
			o.Value(e.Key, e.Value)
		}
	}
	return o.Text()
}

// newer reports whether a damaged file or its outputs contain work that the base lacks.
func (m *model) newer(a, was *agent) bool {
	for _, d := range m.outputs(a) {
		old := m.base.docs.Get(d.Path)
		if old == nil || old.Digest != d.Digest {
			return true
		}
	}
	now, err := jsondoc.Parse(jsondoc.Beginning(a.doc.Text))
	return err == nil && !slices.Equal(strings.Fields(merged(now.Root(), was.root)),
		strings.Fields(merged(was.root, was.root)))
}

// oneOfEach returns the edits that keep one member of each duplicate key, the last or the first.
func oneOfEach(a *agent, doc *jsondoc.Document, last bool) (edits []sdk.Edit, text string) {
	text = doc.Text()
	var gone []jsondoc.Member
	for _, d := range doc.Root().Duplicates() {
		if last {
			gone = append(gone, d.Members[:len(d.Members)-1]...)
		} else {
			gone = append(gone, d.Members[1:]...)
		}
	}
	slices.SortFunc(gone, func(x, y jsondoc.Member) int { return y.KeyStart - x.KeyStart })
	for _, g := range gone {
		start, end := jsondoc.MemberRange(g)
		text = text[:start] + text[min(max(start, end), len(text)):]
		edits = append(edits, sdk.Replace(sdk.AtBytes(a.path(), start, end), ""))
	}
	return edits, text
}

// keepOne offers to keep the last or the first member of each duplicate key. The one that agrees with the phases comes
// first.
func (m *model) keepOne(a *agent, offer func(title string, edits ...sdk.Edit)) {
	doc, err := jsondoc.Parse(a.doc.Text)
	if err != nil || len(doc.Root().Duplicates()) == 0 {
		return
	}
	key := doc.Root().Duplicates()[0].Key
	lasts, text := oneOfEach(a, doc, true)
	firsts, _ := oneOfEach(a, doc, false)
	p := &agent{kind: a.kind, letter: a.letter, doc: a.doc}
	p.parse(text)
	if p.claims == (len(p.openPhases()) == 0) {
		offer("Keep the last "+key, lasts...)
		offer("Keep the first "+key, firsts...)
	} else {
		offer("Keep the first "+key, firsts...)
		offer("Keep the last "+key, lasts...)
	}
}

package ocr

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// keepsWord tries a remedy: afterwards the finding d must be gone, and no rule
// at error level may say what it did not say before. So a change that is right
// for one fault is not offered where it would uncover another.
func keepsWord(p *sdk.Pass, m *Model, d sdk.Diagnostic, r sdk.Remedy) bool {
	after, harmless := m.rehearse(p, r.Edits)
	return harmless && !after[nameOf(p.Rule.Name, d)]
}

// rehearse makes edits on a copy of the documents and lists the faults that
// are found afterwards. It is not ok if an error is among them that was not
// there before, or if an edit cannot be made.
func (m *Model) rehearse(p *sdk.Pass, edits []sdk.Edit) (after map[fault]bool, ok bool) {
	docs := m.rehearsalDocs()
	before := m.faults(p, docs)
	moment := momentOf(p, m, edits)
	for _, e := range edits {
		if docs, ok = m.try(docs, e, moment); !ok {
			return nil, false
		}
	}
	after = m.faults(p, docs)
	for f := range after {
		if f.isError && !before[f] {
			return after, false
		}
	}
	return after, true
}

// A fault is what stays the same of a finding while the fault stays.
type fault struct {
	rule, path, subject, key string
	isError                  bool
}

func nameOf(rule string, d sdk.Diagnostic) fault {
	return fault{rule: rule, path: d.Range.Path, subject: d.Subject, key: d.Key}
}

// faults lists what the rules at error level say about other documents, and
// what the present rule says.
func (m *Model) faults(p *sdk.Pass, docs []wire.Document) map[fault]bool {
	found := map[fault]bool{}
	trial := *p
	trial.Docs = sdk.NewDocs(docs, nil)
	revised := newModel(m.ID, trial.Docs)
	revised.Base, revised.rehearsal = m.Base, true
	trial.Model = revised
	for _, rule := range p.Workflow.Rules {
		if rule.Severity != sdk.Error && rule != p.Rule {
			continue
		}
		trial.Rule = rule
		trial.Report = func(d sdk.Diagnostic) {
			f := nameOf(rule.Name, d)
			if rule == p.Rule {
				found[f] = true
			}
			f.isError = rule.Severity == sdk.Error
			found[f] = true
		}
		if rule.Check(&trial) != nil {
			continue
		}
	}
	hold(p, &trial)
	return found
}

// hold makes the verdict depend on the clock as the trial did.
func hold(p, trial *sdk.Pass) {
	from, until := trial.Valid()
	for _, t := range []instant.Time{from, until} {
		if !t.IsZero() {
			p.Before(t)
		}
	}
}

// momentOf is the time of applying as an edit would write it. What rules say of
// it can change where it passes another time of the session, so the verdict is
// bound to those moments.
func momentOf(p *sdk.Pass, m *Model, edits []sdk.Edit) string {
	uses := false
	for _, e := range edits {
		uses = uses || strings.Contains(e.New, sdk.NowInEdit)
	}
	if !uses {
		return ""
	}
	for _, s := range m.states() {
		for _, field := range TimeFields {
			if st := s.Stamp(field); st.OK() {
				bind(p, st.At)
			}
		}
	}
	probe := *p
	return probe.Now().Seconds().String()
}

// bind ties the verdict to the side of t, and of a minute around it, that the
// present second is on.
func bind(p *sdk.Pass, t instant.Time) {
	for _, shift := range []instant.Duration{-slack, 0, slack} {
		second := t.Add(shift).Seconds()
		p.Before(second)
		p.Before(second.Add(instant.Second))
	}
}

// states are the state of now and that of base, those that can be read.
func (m *Model) states() []*State {
	list := []*State{m.State}
	if m.Base != nil {
		list = append(list, m.Base.State)
	}
	return list
}

// rehearsalDocs are the documents as rules at error level need them: the text
// of state.json, of all others the summary.
func (m *Model) rehearsalDocs() []wire.Document {
	list := make([]wire.Document, 0, len(m.Docs.All())+1)
	for _, d := range m.Docs.All() {
		list = append(list, summaryOf(d))
	}
	return list
}

func summaryOf(d *sdk.Document) wire.Document {
	w := wire.Document{
		Path: d.Path, Dir: d.Dir, Format: d.Format, Need: d.Need, Size: d.Size,
		BOM: d.BOM, Digest: d.Digest, Summary: d.Summary, Faults: d.Faults,
	}
	switch d.Path {
	case StatePath:
		w.Text = d.Text
	case "context.md":
		w.Need, w.Summary.Headings = sdk.Summary, nil
		for _, h := range headings(d) {
			w.Summary.Headings = append(w.Summary.Headings, wire.HeadingLine{Level: h.level, Text: h.text})
		}
	default:
		w.Need = sdk.Summary
	}
	return w
}

// try makes one edit. It is a switch over the operations that the rules use;
// it reports whether the edit could be made.
func (m *Model) try(docs []wire.Document, e sdk.Edit, moment string) ([]wire.Document, bool) {
	path := e.Range.Path
	switch e.Op {
	case wire.Set, wire.Replace, wire.Create, wire.Unmark:
		return tryText(docs, e, moment)
	case wire.Remove:
		return without(docs, path), true
	case wire.Restore:
		doc := m.Base.Docs.Get(path)
		if doc == nil {
			return nil, false
		}
		return append(without(docs, path), summaryOf(doc)), true
	case wire.Move:
		return moved(docs, path, e.To), !anyFaulty(docs, path)
	}
	return nil, false
}

// tryText edits the text of state.json.
func tryText(docs []wire.Document, e sdk.Edit, moment string) ([]wire.Document, bool) {
	text := strings.ReplaceAll(e.New, sdk.NowInEdit, moment)
	if e.Op == wire.Create {
		made := wire.Document{Path: StatePath, Format: sdk.JSON, Text: text}
		return append(without(docs, e.Range.Path), made), e.Range.Path == StatePath
	}
	list := append([]wire.Document(nil), docs...)
	for i := range list {
		d := &list[i]
		if d.Path != StatePath || e.Range.Path != StatePath {
			continue
		}
		switch e.Op {
		case wire.Unmark:
			d.BOM = false
		case wire.Replace:
			d.Text = d.Text[:e.Range.Start] + text + d.Text[e.Range.End:]
		default:
			change, err := jsondoc.Set(d.Text, e.Range.Pointer, text)
			if err != nil {
				return nil, false
			}
			d.Text, d.Faults = change.Apply(d.Text), withoutFault(d.Faults, e.Range.Pointer)
		}
		return list, true
	}
	return nil, false
}

// withoutFault drops the fault of a value that is set anew.
func withoutFault(faults []wire.DocumentFault, pointer string) []wire.DocumentFault {
	var kept []wire.DocumentFault
	for _, f := range faults {
		if f.Pointer != pointer {
			kept = append(kept, f)
		}
	}
	return kept
}

func without(docs []wire.Document, path string) []wire.Document {
	var kept []wire.Document
	for _, d := range docs {
		if d.Path != path {
			kept = append(kept, d)
		}
	}
	return kept
}

// anyFaulty reports whether the host speaks about a document that a move takes
// along: it would say the same of another path then.
func anyFaulty(docs []wire.Document, from string) bool {
	for _, d := range docs {
		if strings.HasPrefix(d.Path, from) && len(d.Faults) > 0 {
			return true
		}
	}
	return false
}

// moved renames a document, or all that lies below a directory.
func moved(docs []wire.Document, from, to string) []wire.Document {
	list := append([]wire.Document(nil), docs...)
	for i, d := range list {
		rest, ok := strings.CutPrefix(d.Path, from)
		if ok && (rest == "" || strings.HasSuffix(from, "/")) {
			list[i].Path = to + rest
		}
	}
	return list
}

package speckit

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// placeholders lists the text in titles, fields and headings of Spec Kit's templates. bracket lists the characters that
// such text can begin with in Markdown source.
var (
	placeholders = words.ListOf("[feature name]", "[feature]", "[###-feature-name]", "[###-feature]", "[date]",
		"[brief title]", "[title]", "[short title]", "$arguments", "[language]", "[framework]")
	bracket = words.ListOf("[", "$", "&")
)

// sampleItems lists text from the requirements and criteria in the spec template.
var sampleItems = words.ListOf("[specific capability, e.g.", "[Measurable metric, e.g.")

// sampleBody lists a sentence from the body of each template, for all versions of Spec Kit.
var sampleBody = words.ListOf("[Describe this user journey in plain", "[Describe the main user journey in plain",
	"[Extract from feature spec:", "Initialize [language] project with [framework]")

// isTemplate reports whether a document is still the template that Spec Kit's scripts copy before a command fills it
// in: neither its title nor its body was written.
func isTemplate(d *sdk.Document) bool {
	if !d.Readable() || !strings.Contains(d.Text, "[") {
		return false
	}
	heads := d.Outline().Headings()
	return len(heads) > 0 && placeholders.Index(lower(heads[0].Text())) >= 0 &&
		sampleBody.Index(d.Text) >= 0
}

// written reports whether a document exists and is more than its template.
func (m *model) written(d *sdk.Document) bool {
	return d != nil && d != m.blank[0] && d != m.blank[1] && d != m.blank[2]
}

// overwritten reports whether a document is a template now, but not in the base.
func (m *model) overwritten(path string) bool {
	now := m.docs.Get(path)
	return now != nil && !m.written(now) && m.base != nil && m.base.written(m.base.docs.Get(path))
}

func templateLeft(r *check.Report, m *model) {
	for _, d := range m.read() {
		if m.overwritten(d.Path) { // document-lost reports it
			continue
		}
		if !m.started() {
			m.templateSkipped(r, d)
			continue
		}
		if left, line := templateText(d); len(left) > 0 {
			r.At(sdk.AtLine(d.Path, line), say.Int(m.done)+" of "+say.Count(m.total(), "task")+" "+say.Are(m.done)+
				" ticked, but "+d.Path+" still has template text: "+say.List(left)).
				Advise("Fill in "+d.Path, "Replace the text in brackets, or remove it.")
		}
	}
}

// templateSkipped reports a document that is still a template although a later document is written. Without a later
// document, the step that fills it in may not be over yet.
func (m *model) templateSkipped(r *check.Report, d *sdk.Document) {
	later := ""
	if d == m.spec && m.written(m.plan) {
		later = "plan.md exists"
	}
	if m.total() > 0 {
		later = "tasks.md has " + say.Count(m.total(), "task")
	}
	if later != "" && !m.written(d) {
		r.Whole(d.Path, later+", but "+d.Path+" is still the template").
			Advise("Write "+d.Path, m.howToWrite(r.Root, d.Path)...)
	}
}

// templateText lists the text that a document still has from its template, and the line of the first one.
func templateText(d *sdk.Document) (left []string, first int) {
	note := func(text string, line int) {
		left = append(left, say.Quote(text))
		if first == 0 {
			first = line
		}
	}
	o := d.Outline()
	for _, f := range o.Head().Fields() {
		if bracket.Index(f.Raw()) < 0 {
			continue
		}
		if text := f.Text(); (strings.HasPrefix(strings.Trim(text, "`\" "), "[") || strings.HasPrefix(text, "$")) &&
			placeholders.Index(lower(text)) >= 0 {
			note(text, f.Line())
		}
	}
	for _, h := range o.Headings() {
		if raw := h.Raw(); (strings.IndexByte(raw, '[') >= 0 || strings.IndexByte(raw, '$') >= 0) &&
			placeholders.Index(lower(h.Text())) >= 0 {
			note(h.Text(), h.Line())
		}
	}
	if sampleItems.Index(d.Text) < 0 {
		o = &markdown.Outline{}
	}
	for _, item := range o.Document().Items() {
		if text := item.Own().Text(); requirementID(text) > 0 &&
			(strings.Contains(text, ": System MUST [specific capability, e.g.") ||
				strings.Contains(text, ": [Measurable metric, e.g.")) {
			note(text, item.Line())
		}
	}
	return left, first
}

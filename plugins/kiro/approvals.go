package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

// write returns the action that writes the next document. Kiro writes requirements, design and tasks in this order, or
// begins with the design.
func (m *model) write() string {
	first, second := "requirements", "design"
	if m.designFirst() {
		first, second = second, first
	}
	switch {
	case !m.written(first) && (first == "design" || !m.holds("design.md")):
		return "write " + first + ".md"
	case !m.written(second):
		return m.approve(first) + "write " + second + ".md"
	}
	return m.approve(second) + "write tasks.md"
}

// designFirst reports whether .config.kiro says that the spec begins with its design.
func (m *model) designFirst() bool {
	d := m.docs.Get(configPath)
	return d.Readable() && jsondoc.TextOf(d.Text, "workflowType") == "design-first"
}

// hasPlan reports whether tasks.md lists tasks without boxes: in a table, under numbered headings, or in a numbered
// list.
func (m *model) hasPlan() bool {
	o := m.list.Outline()
	return len(o.Tables()) > 0 || slices.ContainsFunc(m.heads, func(h markdown.Heading) bool {
		number, _ := numberOf(h.Text())
		return number != ""
	}) || slices.ContainsFunc(strings.Split(m.list.Text, "\n"), func(line string) bool {
		text := bare(line)
		number, _ := numberOf(text)
		return number != "" && (isDigit(text[0]) || text != strings.TrimSpace(line))
	})
}

// beside returns the spec's other documents, such as notes on what was implemented, but not outdated copies.
func (m *model) beside() (list []string) {
	const most = 5
	for _, d := range m.docs.All() {
		if d.Format == sdk.Markdown && !strings.Contains(d.Path, "/") && len(list) < most && !blank(d) &&
			!has(d.Path, []string{"legacy", "archive", "backup", "old"}) {
			list = append(list, d.Path)
		}
	}
	return list
}

// approve returns what to do before the next document is written, followed by "then": have the documents so far
// approved, or review the last one if spec.json does not say that it is approved.
func (m *model) approve(stage string) string {
	switch list := m.unapproved(stage); {
	case len(list) == 1:
		return "have the " + list[0] + " approved (" + dotted(m.approvalAt(list[0], "approved")) +
			" is false in spec.json), then "
	case len(list) > 1:
		return "have the " + say.And(list...) + " approved in spec.json, then "
	}
	if yes, _ := m.approval(stage, "approved"); yes {
		return ""
	}
	return "review the " + stage + ", then "
}

// unapproved returns the stages, up to the given one, that have a document but are not approved according to spec.json.
func (m *model) unapproved(last string) (list []string) {
	for _, stage := range stages[:slices.Index(stages, last)+1] {
		if _, no := m.approval(stage, "approved"); no && m.written(stage) {
			list = append(list, stage)
		}
	}
	return list
}

// notApproved returns a line for the brief that asks the reader to verify that stages are approved.
func (m *model) notApproved(list []string) string {
	at := make([]string, len(list))
	for i, stage := range list {
		at[i] = dotted(m.approvalAt(stage, "approved"))
	}
	return "whether the " + say.And(list...) + " " + areOf(list...) + " approved; " + say.And(at...) + " " +
		say.Are(len(at)) +
		" false in spec.json"
}

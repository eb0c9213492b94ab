package snapshot

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/stategate/stategate/sdk/wire"
)

// Withhold normalizes a report without blaming the plugin: remedies without a subject get their finding's, repeated
// lines in a brief are dropped, and texts that may quote documents are cut at wire.MaxText bytes. It also handles
// remedies whose faults the plugin cannot know about.
//
// It removes remedies that would change a document whose name is not UTF-8, because the plugin knows it by an
// escaped name that does not exist. The host's own finding says to rename the file.
//
// It makes remedies manual if they would create a name that differs from an existing one only in case or Unicode
// form, because some operating systems treat both as one file.
func Withhold(request *wire.Request, report *wire.Report, limits Limits) {
	newAdmission(nil, request, report, limits).withhold()
}

func (a *admission) withhold() {
	a.settle()
	unnamed := map[string]bool{}
	for i := range a.request.Documents {
		doc := &a.request.Documents[i]
		if slices.ContainsFunc(doc.Faults, func(f wire.DocumentFault) bool { return f.Kind == faultName }) {
			unnamed[doc.Path] = true
		}
	}
	for i := range a.report.Diagnostics {
		d := &a.report.Diagnostics[i]
		d.Remedies = a.possible(d.Remedies, unnamed)
	}
	a.report.Recoveries = a.possible(a.report.Recoveries, unnamed)
}

// settle fills in subjects, and drops or cuts text that is too long.
func (a *admission) settle() {
	a.shorten("declined", &a.report.Declined)
	for i := range a.report.Detections {
		d := &a.report.Detections[i]
		for _, list := range []*[]string{&d.Resume.Checks, &d.Resume.ReadFirst, &d.Resume.Context, &d.Resume.Skip,
			&d.Resume.Remaining} {
			*list = once(*list)
		}
		d.EachText(a.shorten)
	}
	for i := range a.report.Diagnostics {
		d := &a.report.Diagnostics[i]
		d.Remedies = slices.Clone(d.Remedies) // a native plugin keeps its own slice
		for j := range d.Remedies {
			d.Remedies[j].Subject = cmp.Or(d.Remedies[j].Subject, d.Subject)
		}
		d.EachText(a.shorten)
	}
	for i := range a.report.Recoveries {
		a.report.Recoveries[i].EachText(a.shorten)
	}
}

// once drops repeated lines, which are common in lists taken from documents.
func once(list []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(list), func(line string) bool {
		again := seen[line]
		seen[line] = true
		return again
	})
}

// shorten cuts a text that may quote documents. The plugin's own wording and identifying texts are refused instead
// if they are too long.
func (a *admission) shorten(name string, text *string) {
	switch name {
	case "subject", "part_of.subject", "run.subject", "blocks.subject", "key", "message", "title":
	default:
		*text = cut(*text, a.limits.Message)
	}
}

func (a *admission) possible(list []wire.Remedy, unnamed map[string]bool) []wire.Remedy {
	list = slices.DeleteFunc(list, func(r wire.Remedy) bool {
		return slices.ContainsFunc(r.Edits, func(e wire.Edit) bool { return unnamed[e.Range.Path] })
	})
	for i := range list {
		if step := a.collides(list[i].Edits); step != "" {
			list[i] = wire.Remedy{Title: list[i].Title, Subject: list[i].Subject, Steps: []string{step}}
		}
	}
	return list
}

// collides returns the step that a person must take first if an edit creates a name that is taken, or "".
func (a *admission) collides(edits []wire.Edit) string {
	for _, e := range edits {
		made := ""
		switch e.Op {
		case wire.Create:
			made = e.Range.Path
		case wire.Move:
			made = e.To
		}
		if want, there := a.taken(made); there != "" {
			return fmt.Sprintf("Rename or remove %s: some operating systems treat it and %s as one file, because they "+
				"differ in case or Unicode form only. Then check again.", there, want)
		}
	}
	return ""
}

// faultName is the kind of fault for a document whose name is not UTF-8.
const faultName = "name"

package snapshot

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/stategate/stategate/sdk/wire"
)

// Withhold makes of a report what a host works with, without blaming the plugin: remedies
// that name no subject get that of their finding, a list of a brief says a line once, texts
// that may quote documents are cut at wire.MaxText bytes, and what the plugin cannot know to be impossible goes.
//
// Remedies that would change a document whose name is not UTF-8 go: the plugin
// knows it by another name, under which nothing lies. The host's own finding says to rename the file.
//
// Remedies that would make a name which differs from one that exists in case or
// Unicode form only become manual: on some systems both are one file.
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

// settle fills in subjects, and drops and cuts what is too much.
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
		d.Remedies = slices.Clone(d.Remedies) // a native plugin keeps its own
		for j := range d.Remedies {
			d.Remedies[j].Subject = cmp.Or(d.Remedies[j].Subject, d.Subject)
		}
		d.EachText(a.shorten)
	}
	for i := range a.report.Recoveries {
		a.report.Recoveries[i].EachText(a.shorten)
	}
}

// once drops the lines that a list repeats, as lists that come from documents may.
func once(list []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(list), func(line string) bool {
		again := seen[line]
		seen[line] = true
		return again
	})
}

// shorten cuts a text that may quote what documents hold. What a plugin words
// itself, and what tells findings apart, is refused if it is too long.
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

// collides says what a person must do first, "" if no name that the edits make is taken.
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
			return fmt.Sprintf("Rename or remove %s: some systems take it and %s for one file, since they differ in "+
				"case or Unicode form only. Then check again.", there, want)
		}
	}
	return ""
}

// faultName is the kind of fault of a document whose name is not UTF-8.
const faultName = "name"

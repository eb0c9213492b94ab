//go:build !wasip1

package snapshot

import (
	"fmt"
	"slices"

	"github.com/stategate/stategate/sdk/wire"
)

// Withhold takes out of a report what the plugin cannot know to be impossible. Its
// findings stay.
//
// Remedies that would change a document whose name is not UTF-8 go: the plugin
// knows it by another name, under which nothing lies. The host's own finding says to rename the file.
//
// Remedies that would make a name which differs from one that exists in case or
// Unicode form only become manual: on some systems both are one file.
func Withhold(request *wire.Request, report *wire.Report) {
	(&admission{request: request, report: report}).withhold()
}

func (a *admission) withhold() {
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
			return fmt.Sprintf("Rename or remove %s: some systems take it and %s for one file, since they differ in case or Unicode form only. Then check again.", there, want)
		}
	}
	return ""
}

// faultName is the kind of fault of a document whose name is not UTF-8.
const faultName = "name"

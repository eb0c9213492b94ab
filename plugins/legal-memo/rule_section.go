package legalmemo

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

func reportNotInInventory(l *look, a *agent) {
	const pointer = "/phases/PHASE_1_REPORT_INVENTORY/reports_list"
	inventory := a.at(pointer)
	names := gather(textsOf(inventory), func(s string) string { return baseName(l.local(s)) })
	reports := gather(l.specialists(), func(d *sdk.Document) string { return baseName(d.Path) })
	if missing := keep(reports, func(name string) bool { return !holds(names, name) }); len(missing) > 0 && inventory.Len() > 0 && !isExcerpt(inventory) {
		l.say(a, pointer, "reports_list has no "+list(missing)+", which "+specialistsDir+" has")
	}
}

// leftOut lists the sections with a report that no item is about.
func (m *model) leftOut(a *agent) []string {
	return keep(m.letters, func(l string) bool {
		return !slices.ContainsFunc(a.items, func(it *item) bool { return it.letter == l })
	})
}

// sectionLeftOut finds sections with a report that the finished citations or the finished summary do not have.
func sectionLeftOut(l *look, a *agent) {
	missing := l.leftOut(a)
	if !a.finished || a.elided() || len(missing) == 0 || a.kind == kinds[execSummary] && len(a.items) == 0 {
		return
	}
	at, prefix, json := "/sections_status", "section_IV_", `{"status": "pending", "footnotes_extracted": 0}`
	if a.kind == kinds[execSummary] {
		at, prefix, json = "/"+a.itemsKey, "IV-", `{"status": "pending", "key_finding": null}`
	}
	f := l.say(a, at, a.claimText()+", but "+at[1:]+" has no section "+list(missing)+", which has a report").See(sdk.At(l.reportsOf(missing[0])[0].Path), "the report of section "+missing[0])
	if a.itemsKey != "" {
		edits := a.reopen(a.kind.worked, nil)
		for _, letter := range missing {
			edits = append(edits, a.set(jsondoc.Pointer(a.itemsKey, prefix+letter), json)...)
		}
		f.Offer(sdk.Review, "Add the section as pending and reopen "+a.phases[a.kind.worked].name, edits...)
	}
}

func sectionWithoutReport(l *look, a *agent) {
	ghosts := keep(a.items, func(it *item) bool { return it.word == complete && it.letter != "" && !holds(l.letters, it.letter) })
	if len(ghosts) > 0 && len(l.reports) > 0 && !a.elided() {
		letters := gather(ghosts, func(it *item) string { return it.letter })
		l.say(a, jsondoc.Pointer(a.itemsKey, ghosts[0].key), a.itemsKey+" calls section "+list(letters)+" complete, but "+reportsDir+" has no report of it")
	}
}

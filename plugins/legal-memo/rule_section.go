package legalmemo

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

func reportNotInInventory(l *look, a *agent) {
	const pointer = "/phases/PHASE_1_REPORT_INVENTORY/reports_list"
	inventory := a.at(pointer)
	var names, missing []string
	for _, s := range textsOf(inventory) {
		names = append(names, baseName(l.local(s)))
	}
	for _, d := range l.specialists() {
		if name := baseName(d.Path); inventory.Len() > 0 && !isExcerpt(inventory) && !holds(names, name) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		l.say(a, pointer, "reports_list has no "+list(missing)+", which "+specialistsDir+" has")
	}
}

// leftOut lists the sections with a report that no item is about.
func (m *model) leftOut(a *agent) []string {
	var missing []string
	for _, letter := range m.letters {
		found := false
		for _, it := range a.items {
			found = found || it.letter == letter
		}
		if !found {
			missing = append(missing, letter)
		}
	}
	return missing
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
			edits = append(edits, a.set(jsondoc.Pointer(a.itemsKey, prefix+letter), json))
		}
		f.Offer(sdk.Review, "Add the section as pending and reopen "+a.phases[a.kind.worked].name, edits...)
	}
}

func sectionWithoutReport(l *look, a *agent) {
	var ghosts []string
	at := ""
	for _, it := range a.items {
		if it.word == complete && it.letter != "" && len(l.reports) > 0 && !a.elided() && !holds(l.letters, it.letter) {
			if ghosts = append(ghosts, it.letter); at == "" {
				at = jsondoc.Pointer(a.itemsKey, it.key)
			}
		}
	}
	if len(ghosts) > 0 {
		l.say(a, at, a.itemsKey+" calls section "+list(ghosts)+" complete, but "+reportsDir+" has no report of it")
	}
}

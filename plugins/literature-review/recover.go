package literaturereview

import (
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/wire"
)

// recoveries proposes ways back for every review whose state file is missing or
// cannot be read.
func recoveries(p *sdk.Pass) ([]sdk.Remedy, error) {
	m := p.Model.(*model)
	var list []sdk.Remedy
	for _, r := range m.reviews {
		if heals := r.loss(); heals != "" && !r.abandoned {
			list = append(list, m.recoveriesOf(r, heals)...)
		}
	}
	return list, nil
}

// loss is the rule that says what is wrong with a lost state file, "" if the
// way back is another one: an unresolved merge has to be resolved.
func (r *review) loss() string {
	switch {
	case r.rp.missing():
		return "missing-progress"
	case r.unreadable:
		return "unreadable-progress"
	case r.lost && r.rp.opaque && r.rp.merge == 0 && r.rp.doc.Need == sdk.Content:
		return wire.RuleUnreadable
	}
	return ""
}

func (m *model) recoveriesOf(r *review, heals string) []sdk.Remedy {
	found := &sdk.Diagnostic{Rule: heals, Subject: r.name}
	var aside []sdk.Edit
	if r.rp.doc != nil {
		aside = []sdk.Edit{sdk.Aside(r.rp.path, "corrupt")}
	}
	if m.was(r) != nil {
		offer(found, sdk.Review, "Restore "+progressName+" from the base revision", append(aside[:len(aside):len(aside)], sdk.Restore(r.rp.path)))
	}
	if edits := m.rebuilding(r); len(edits) > 0 {
		offer(found, sdk.Review, "Rebuild "+progressName+" from the other files (candidates and exclusions are lost unless git holds them)", append(aside[:len(aside):len(aside)], edits...))
	}
	if edits := m.startingFresh(r); heals != wire.RuleUnreadable {
		offer(found, sdk.Review, "Start fresh and keep the corrupted review", edits)
	}
	return found.Remedies
}

// rebuilding are the edits that make a new state file from what is left.
func (m *model) rebuilding(r *review) []sdk.Edit {
	concepts := r.rebuiltConcepts()
	if !r.hasEntries && !r.planned && !r.ran && concepts == "" {
		return nil
	}
	text, phase := r.rebuiltProgress()
	if was := m.was(r); was != nil && (was.mode == full && r.anyMode() == narrow || len(was.papers) >= 2 && len(r.entries) == 0) {
		return nil // the rebuilt file would be less than the base is
	}
	edits := []sdk.Edit{sdk.Create(r.rp.path, text)}
	switch {
	case m.index.kind != indexUsable:
	case r.row != nil && r.row.status == rowComplete:
		return both(edits, m.setRow(r.row, "In Progress"))
	case r.row == nil && !r.tied && phase >= searching:
		return both(edits, m.listing(r))
	}
	return edits
}

// startingFresh are the edits that begin the review anew in a folder of today.
func (m *model) startingFresh(r *review) []sdk.Edit {
	x := m.index
	base := slug(r.slug)
	if base == "" || len(base) > 80 || r.tied || x.kind != indexUsable && (x.kind != indexMissing || !x.known) {
		return nil
	}
	f := fresh{lost: r, date: m.today()}
	suffix := ""
	for i := 2; m.taken(f.date + "_" + base + suffix); i++ {
		suffix = "-" + itoa(i)
	}
	if !m.docs.Known(f.date + "_" + base + suffix + "/" + progressName) {
		return nil
	}
	f.name, f.topic = f.date+"_"+base+suffix, titled(base+suffix)
	for _, w := range x.rows {
		if w.folded == fold(f.topic) {
			f.topic += " restarted"
			break
		}
	}
	edits := []sdk.Edit{sdk.Create(f.name+"/"+progressName, skeleton(f.date, f.topic, "", lines[initializing], "", "", "", ""))}
	if x.kind == indexMissing {
		if text := m.rebuiltIndex(&f); text != "" {
			return append(edits, sdk.Create(indexPath, text))
		}
		return nil
	}
	rows := [][]string{x.reviews.cells(itoa(x.next()), f.date, f.topic, "", "In Progress", "", "")}
	links := [][]string{{f.topic, f.name}}
	if r.row == nil {
		topic := m.rowTopic(r)
		if topic == "" || topic == f.topic {
			return nil
		}
		rows = append(rows, x.reviews.cells(itoa(x.next()+1), r.date, topic, modeName(r.anyMode()), "Abandoned", "", ""))
		links = append(links, []string{topic, r.name})
	} else {
		edits = both(edits, m.setRow(r.row, "Abandoned"))
	}
	edits = both(edits, x.add(&x.reviews, rows...))
	if x.links.OK() {
		edits = both(edits, m.linking(links))
	}
	return edits
}

func (m *model) taken(name string) bool {
	for _, d := range m.docs.All() {
		if len(d.Path) > len(name) && d.Path[:len(name)+1] == name+"/" {
			return true
		}
	}
	return false
}

// today is the present day. It binds the verdict to that day and no shorter time.
func (m *model) today() string {
	start, _ := instant.Parse("2000-01-01T00:00:00Z")
	days := m.pass.Since(start, instant.Day)
	return start.Add(instant.Duration(days) * instant.Day).String()[:10]
}

func (m *model) isError(f *sdk.Diagnostic) bool {
	if f.Severity != 0 {
		return f.Severity == sdk.Error
	}
	for _, rule := range m.pass.Workflow.Rules {
		if rule.Name == f.Rule {
			return rule.Severity == sdk.Error
		}
	}
	return false
}

package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/wire"
)

// recoveries proposes recovery options for every review whose state file is missing or unreadable, and for other
// unreadable documents that can be read in the base.
func recoveries(p *sdk.Pass) ([]sdk.Remedy, error) {
	m := modelOf(p)
	list := restorations("", m.index.document, m.base.index.document)
	for _, r := range m.reviews {
		if list = append(list, m.recoveriesOf(r)...); !r.abandoned {
			list = append(list, restorations(r.name, r.sm, r.was.sm)...)
			list = append(list, restorations(r.name, r.lr, r.was.lr)...)
		}
	}
	return list, nil
}

// restorations returns the option to move an unreadable document aside and to restore it. In an unresolved merge, the
// base has one side, and the file that was moved aside has the other.
func restorations(subject string, d, was *document) []sdk.Remedy {
	if !d.opaque || d.doc.Need != sdk.Content || was == nil || !was.readable() {
		return nil
	}
	return []sdk.Remedy{{Title: "Restore " + d.name() + " from the base", Safety: sdk.Review, Subject: subject,
		Fixes: []string{wire.RuleUnreadable}, Edits: []sdk.Edit{sdk.Aside(d.path, "corrupt"), sdk.Restore(d.path)}}}
}

func (m *model) recoveriesOf(r *review) []sdk.Remedy {
	var list []sdk.Remedy
	add := func(title string, edits []sdk.Edit) {
		if len(edits) > 0 {
			list = append(list, sdk.Remedy{Title: title, Safety: sdk.Review, Subject: r.name, Fixes: []string{r.loss},
				Edits: edits})
		}
	}
	if r.loss == "" || r.abandoned {
		return nil
	}
	if r.was.name != "" {
		add("Restore "+progressName+" from the base", r.replaced(sdk.Restore(r.rp.path)))
	}
	if r.rp.doc.Conflicted() {
		return list // both sides contain more than the other files
	}
	add("Rebuild "+progressName+" from the other files (candidates and exclusions are lost unless git has them)",
		r.replaced(m.rebuilding(r)...))
	if r.loss != wire.RuleUnreadable {
		add("Start fresh and keep the corrupted review", m.startingFresh(r))
	}
	return list
}

// rebuilding returns the edits that create a new state file from the remaining documents.
func (m *model) rebuilding(r *review) []sdk.Edit {
	if !r.hasEntries && !r.planned && !r.ran && r.rebuiltConcepts() == "" ||
		r.was.mode == full && r.anyMode() == narrow || len(r.was.papers) >= 2 && len(r.entries) == 0 {
		return nil // the rebuilt file would contain less than the base
	}
	text, phase := r.rebuilt("")
	edits := []sdk.Edit{sdk.Create(r.rp.path, text)}
	switch {
	case m.index.kind != indexUsable:
	case r.row != nil && r.row.status == rowComplete:
		return both(edits, r.row.cell(colStatus).set("In Progress"))
	case r.row == nil && !r.tied && phase >= searching:
		return both(edits, m.listing(r))
	}
	return edits
}

// startingFresh returns the edits that start the review again in a folder with today's date. They mark the corrupted
// review as abandoned, in its row or else in a new state file.
func (m *model) startingFresh(r *review) []sdk.Edit {
	start, _ := instant.Parse("2000-01-01T00:00:00Z")
	days := m.pass.Since(start, instant.Day) // makes the verdict depend on the day, and not on a shorter time
	restarted := &review{date: start.Add(instant.Duration(days) * instant.Day).String()[:10], slug: r.slug}
	base := restarted.date + "_" + restarted.slug
	restarted.name = base
	isTaken := func(d *sdk.Document) bool { return strings.HasPrefix(d.Path, restarted.name+"/") }
	for i := 2; some(m.docs.All(), isTaken); i++ {
		restarted.name = base + "-" + say.Int(i)
	}
	path := restarted.name + "/" + progressName
	if restarted.slug == "" || len(restarted.slug) > 80 || r.tied || !m.docs.Known(path) {
		return nil
	}
	restarted.topic = titled(restarted.name[len("2006-01-02_"):])
	if m.index.has(restarted.topic) {
		restarted.topic += " (restarted)"
	}
	restarted.topicFolded = fold(restarted.topic)
	edits := []sdk.Edit{sdk.Create(path, stateFile(restarted.date, restarted.topic, "", statusLine(initializing), "",
		nil))}
	if m.index.kind == indexUsable {
		edits = both(edits, m.listing(restarted))
	}
	if r.row != nil {
		return both(edits, r.row.cell(colStatus).set("Abandoned"))
	}
	left, _ := r.rebuilt("Abandoned")
	return r.replaced(append(edits, sdk.Create(r.rp.path, left))...)
}

// replaced returns edits that first move the state file aside, if there is one.
func (r *review) replaced(edits ...sdk.Edit) []sdk.Edit {
	if r.rp.doc != nil && len(edits) > 0 {
		edits = append([]sdk.Edit{sdk.Aside(r.rp.path, "corrupt")}, edits...)
	}
	return edits
}

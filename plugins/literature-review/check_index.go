package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

func (m *model) checkIndex() {
	x := m.index
	begun := 0
	for _, r := range m.reviews {
		if !r.abandoned && r.observed >= searching {
			begun++
		}
	}
	switch {
	case x.kind == indexMissing && begun > 0 && x.known:
		found := m.tell("missing-index", nil, x.document, markdown.Part{}, "", "there is no "+indexPath+" for "+say.Count(begun, "review")+" under way: a resume would see a new project")
		safety := sdk.Safe
		if m.base != nil && m.base.index.kind == indexUsable {
			offer(found, sdk.Safe, "Restore INDEX.md from the base revision", []sdk.Edit{sdk.Restore(indexPath)})
			safety = sdk.Review
		}
		offer(found, safety, "Rebuild INDEX.md from the review folders", m.creatingIndex())
	case x.kind == indexUnreadable && begun > 0:
		found := m.tell("unreadable-index", nil, x.document, x.heads[0].Part, "", indexPath+" has no table of reviews that can be read; expected the columns Date, Topic, Mode, Status, Papers and Key Finding")
		offer(found, sdk.Review, "Move it aside and rebuild INDEX.md", both([]sdk.Edit{sdk.Aside(indexPath, "corrupt")}, m.creatingIndex()))
	case x.kind == indexForeign && len(m.reviews) > 0:
		found := m.tell("foreign-index", nil, x.document, markdown.Part{}, "", indexPath+" is not a Literature Review Index; expected a table with Topic, Mode and Status")
		found.Range.Line = 1
		text := m.reviewsTable(nil)
		if x.closed() && !x.heading("reviews").OK() && !x.heading("quicklinks").OK() && text != "" {
			offer(found, sdk.Review, "Append a Reviews section", x.insert(len(x.o.Text), "\n\n"+text))
		} else {
			advise(found, "Append a Reviews section", "add a table with Date, Topic, Mode and Status, and a row for each review")
		}
	}
	if x.kind == indexUsable || x.kind == indexMissing && begun == 0 && x.known {
		for _, r := range m.reviews {
			m.checkListed(r)
		}
	}
}

// creatingIndex is the edit that makes a new index from the folders.
func (m *model) creatingIndex() []sdk.Edit {
	if text := m.rebuiltIndex(nil); text != "" {
		return []sdk.Edit{sdk.Create(indexPath, text)}
	}
	return nil
}

// checkListed reports a folder that no row means.
func (m *model) checkListed(r *review) {
	if r.lost || r.row != nil || r.tied {
		return
	}
	x := m.index
	at := x.reviews.Part
	if h := x.heading("reviews"); h.OK() {
		at = h.Part
	}
	edits := m.listing(r)
	if x.kind == indexMissing {
		edits = m.creatingIndex()
	}
	var found *sdk.Diagnostic
	if r.observed >= searching {
		found = m.tell("unlisted-review", r, x.document, at, "", r.name+" is in phase "+phaseTitle(r.observed)+", but the index has no row for it")
	} else {
		found = m.tell("row-not-yet-added", r, x.document, at, "", r.name+" has no row in the index yet")
	}
	offer(found, sdk.Safe, "Add a row for "+r.name, edits)
}

// listing is index-row: the edits that give a folder its row, and its link if
// there is a table for it.
func (m *model) listing(r *review) []sdk.Edit {
	x := m.index
	topic := m.rowTopic(r)
	if topic == "" {
		return nil
	}
	state, papers := "In Progress", ""
	if r.observed == complete {
		state, papers = "Complete", itoa(r.kept())
	}
	edits := x.add(&x.reviews, x.reviews.cells(itoa(x.next()), r.date, topic, modeName(r.mode), state, papers, ""))
	if x.links.OK() {
		return both(edits, m.linking([][]string{{topic, r.name}}))
	}
	return edits
}

// linking adds rows to Quick Links, each with a review and its folder.
func (m *model) linking(links [][]string) []sdk.Edit {
	x := m.index
	if x.links.cols[0] < 0 || x.links.cols[1] < 0 {
		return nil
	}
	var rows [][]string
	for _, l := range links {
		if strings.ContainsAny(l[1], "`|\\") {
			return nil
		}
		rows = append(rows, x.links.cells(l[0], "`"+l[1]+"/`"))
	}
	return x.add(&x.links, rows...)
}

// rowTopic is the Topic of a row by which the folder will be found.
func (m *model) rowTopic(r *review) string {
	topic := plain(r.topic)
	links := m.index.links.OK()
	if topic == "" || !links && fold(topic) != r.topicFolded {
		topic = titled(slug(r.slug))
	}
	for _, w := range m.index.rows {
		if w.folded == fold(topic) && !w.bad {
			return "" // it would be taken for the other row's
		}
	}
	return topic
}

func (m *model) checkRows() {
	x := m.index
	if x.kind != indexUsable {
		return
	}
	for _, w := range x.rows {
		if w.bad {
			m.misaligned(nil, x.document, w.Row, x.reviews.width)
			continue
		}
		key := orElse(w.folded, w.date) + " " + w.date
		m.checkRow(w, key)
		if r := w.review; r != nil && !r.lost {
			m.compare(w, r)
		}
	}
	m.checkSeveral()
}

func (m *model) statusCell(w *row) markdown.Part {
	if c := w.Cell(m.index.reviews.cols[colStatus]); c.OK() {
		return c.Part
	}
	return w.Part
}

func (m *model) checkRow(w *row, key string) {
	x := m.index
	if text := x.reviews.real(w.Row, colMode); text != "" && w.mode == noMode {
		found := m.tell("unknown-index-mode", w.review, x.document, w.Cell(x.reviews.cols[colMode]), key, say.Wrong("Mode", shown(text), "Narrow Search or Full Review"))
		if r := w.review; r != nil && r.mode != noMode {
			offer(found, sdk.Review, "Set it to "+modeName(r.mode), x.cell(w.Row, x.reviews.cols[colMode], modeName(r.mode)))
		}
		advise(found, "Use a known mode", "write Narrow Search or Full Review")
	}
	if w.papers == impossible {
		found := m.tell("impossible-number", w.review, x.document, w.Cell(x.reviews.cols[colPapers]), key, say.Wrong("Papers", shown(x.reviews.text(w.Row, colPapers)), "a number from 0 to 999,999,999"))
		advise(found, "Correct the number", "write how many papers were found")
	}
	if w.status == 0 {
		found := m.tell("unknown-index-status", w.review, x.document, m.statusCell(w), key, say.Wrong("Status", shown(x.reviews.text(w.Row, colStatus)), "In Progress, Complete or Abandoned"))
		if found.Severity = sdk.Warning; m.base != nil && m.base.index.kind == indexUsable {
			found.Severity = sdk.Error
		}
		if r := w.review; r != nil && !r.lost {
			state := "In Progress"
			if r.observed == complete {
				state = "Complete"
			}
			offer(found, sdk.Review, "Set it to "+state, m.setRow(w, state))
		} else {
			advise(found, "Use a known status", "write In Progress, Complete or Abandoned")
		}
	}
	switch {
	case w.review != nil:
	case w.twin != nil:
		found := m.tell("duplicate-index-row", nil, x.document, w.Part, key, w.twin.folder()+" has two rows; the first is"+orElse(before(x.document, w.twin), " above"))
		relate(found, x.document, w.twin.Part, "the first row")
		if markdown.Plain(w.Raw()) == markdown.Plain(w.twin.Raw()) && w.twin.Start() < w.Start() {
			offer(found, sdk.Safe, "Remove the second row", x.edit(w.Row.Remove()))
		} else {
			advise(found, "Keep one row", "take one of the rows out, or link the other to its own folder")
		}
	case len(w.maybe) > 0:
		names := ""
		for i, r := range w.maybe {
			if i < 5 {
				names += ", " + r.name
			}
		}
		found := m.tell("ambiguous-index-row", nil, x.document, w.Part, key, "the row "+shown(w.topic)+" may mean "+strings.TrimPrefix(names, ", ")+"; no Quick Link names its folder")
		advise(found, "Link the row to its folder", "add a Quick Links row that names the folder of this review")
	case w.status == rowInProgress, w.status == rowComplete:
		state := [...]string{"In Progress", "Complete"}[w.status-rowInProgress]
		found := m.tell("row-without-folder", nil, x.document, w.Part, key, "the review "+shown(w.topic)+" of "+orElse(w.date, "no date")+" is "+state+", but it has no folder")
		if !m.docs.Complete() || w.status == rowComplete {
			found.Severity = sdk.Warning
		} else {
			offer(found, sdk.Review, "Set it to Abandoned", m.setRow(w, "Abandoned"))
		}
		advise(found, "Restore the folder", "bring the folder of this review back from git or a backup")
	}
}

func (w *row) folder() string {
	if w.review == nil {
		return "one folder"
	}
	return w.review.name
}

// compare holds a row against its folder.
func (m *model) compare(w *row, r *review) {
	x := m.index
	at := m.statusCell(w)
	switch {
	case w.status == rowComplete && r.observed < synthesizing:
		found := m.tell("index-ahead-of-review", r, x.document, at, "", "Status is Complete here, but the review is in phase "+phaseTitle(r.observed)+r.statusLine())
		if len(r.status) > 0 {
			relate(found, r.rp, r.status[0], "the review's Status")
		}
		offer(found, sdk.Review, "Set it to In Progress", m.setRow(w, "In Progress"))
		advise(found, "Finish the review", "do what is left and set Status to "+lines[complete])
	case w.status == rowComplete && r.observed == synthesizing:
		found := m.tell("index-status-lag", r, x.document, at, "", "Status is Complete here, but the review is in phase "+phaseTitle(r.observed)+r.statusLine())
		if len(r.status) == 1 {
			offer(found, sdk.Review, "Set Status to "+lines[complete], r.setStatus(complete))
		}
	case w.status == rowInProgress && r.observed == complete:
		found := m.tell("index-status-lag", r, x.document, at, "", "Status is In Progress here, but the review is complete"+r.statusLine())
		offer(found, sdk.Review, "Set it to Complete", m.setRow(w, "Complete"))
	}
	if w.status != rowComplete {
		return
	}
	c := w.Cell(x.reviews.cols[colPapers])
	n := number(c.Text())
	if n < 0 || n == r.counts[totalFound] || n == r.counts[countIncluded] || n == len(r.papers) || n == r.kept() {
		return
	}
	found := m.tell("index-count-mismatch", r, x.document, c.Part, "", say.Wrong("Papers", itoa(n), itoa(r.kept())+", as many as "+progressName+" tracks"+before(r.rp, r.paperTable)))
	offer(found, sdk.Review, "Set Papers to "+itoa(r.kept()), x.cell(w.Row, c.Column(), itoa(r.kept())))
}

// statusLine says where the Status of a review is.
func (r *review) statusLine() string {
	if len(r.status) == 0 {
		return ""
	}
	return before(r.rp, r.status[0])
}

// open lists the reviews that may be gone on with: in index order, then those
// that no row means.
func (m *model) open() []*review {
	var list []*review
	add := func(r *review) {
		if s := r.state(); s == sdk.Active || s == sdk.Blocked {
			list = append(list, r)
		}
	}
	for _, w := range m.index.rows {
		if w.review != nil && w.status == rowInProgress {
			add(w.review)
		}
	}
	for _, r := range m.reviews {
		if r.row == nil {
			add(r)
		}
	}
	return list
}

// choices numbers the open reviews.
func (m *model) choices(list []*review) string {
	text := ""
	for i, r := range list {
		if i == 20 {
			return text + " …"
		}
		text += " " + itoa(i+1) + ". " + r.called() + " (started " + orElse(r.date, "on no date") + ", " + say.Count(len(r.papers), "paper") + " found)"
	}
	return text
}

// called is the topic of a review, or what comes nearest.
func (r *review) called() string {
	if r.topic != "" {
		return short(r.topic)
	}
	if r.row != nil && r.row.topic != "" {
		return short(r.row.topic)
	}
	return short(orElse(titled(slug(r.slug)), r.name))
}

func (m *model) checkSeveral() {
	list := m.open()
	if len(list) < 2 {
		return
	}
	at := m.index.reviews.Part
	if h := m.index.heading("reviews"); h.OK() {
		at = h.Part
	}
	m.tell("several-in-progress", nil, m.index.document, at, "", itoa(len(list))+" reviews are in progress:"+m.choices(list)+"; ask the user which to continue, or whether to start a new one")
}

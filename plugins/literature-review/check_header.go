package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
)

func (m *model) checkHeader(r *review) {
	if r.observed >= searching {
		for i, f := range [...]markdown.Field{r.dateField, r.topicField, r.modeField} {
			key := [...]string{"Date", "Topic", "Mode"}[i]
			value := clean(f.Text())
			if value != "" && (i < 2 || r.mode != noMode) {
				continue
			}
			found := m.tell("unfilled-header", r, r.rp, f.Value(), key, key+" is "+shown(f.Text()))
			switch i {
			case 0:
				offer(found, sdk.Review, "Set Date to "+r.date, r.rp.header(f, key, r.date))
			case 1:
				if topic := words(slug(r.slug)); topic != "" {
					offer(found, sdk.Review, "Set Topic to "+topic, r.rp.header(f, key, topic))
				}
			default:
				advise(found, "Name the mode", "set Mode to Narrow Search or Full Review")
			}
		}
	}
	m.checkMode(r)
	m.checkDates(r)
	if r.date == "" {
		m.checkName(r)
	}
}

// A moded document is one that names the mode of a review.
type moded struct {
	d     *document
	name  string
	at    markdown.Part
	mode  int
	edits []sdk.Edit // that set it to Full Review
}

func (m *model) modes(r *review) []moded {
	var list []moded
	if r.row != nil {
		c := r.row.Cell(m.index.reviews.cols[colMode])
		list = append(list, moded{m.index.document, indexPath, c.Part, r.row.mode, m.index.cell(r.row.Row, m.index.reviews.cols[colMode], modeName(full))})
	}
	for i, d := range [...]*document{r.sm, r.lr} {
		f := d.o.Head().Field("Mode")
		list = append(list, moded{d, [...]string{methodsName, textName}[i], f.Value(), modeOf(clean(f.Text())), d.edit(f.Set(modeName(full)))})
	}
	return list
}

func (m *model) checkMode(r *review) {
	var lag []string
	var edits []sdk.Edit
	var first *moded
	for _, other := range m.modes(r) {
		switch {
		case r.mode == narrow && other.mode == full:
			found := m.tell("mode-disagreement", r, r.rp, r.modeField.Value(), "",
				progressName+" says "+modeName(narrow)+", "+other.name+" "+modeName(full))
			relate(found, other.d, other.at, modeName(full))
			offer(found, sdk.Review, "Set Mode to "+modeName(full), r.rp.header(r.modeField, "Mode", modeName(full)))
			return
		case r.mode == full && other.mode == narrow:
			lag = append(lag, other.name)
			edits = append(edits, other.edits...)
			if first == nil {
				first = &moded{d: other.d, at: other.at}
			}
		}
	}
	if r.mode == full && r.roundCap == 3 {
		lag = append(lag, "Round Cap")
		edits = append(edits, r.rp.edit(r.capField.Set("5"))...)
		if first == nil {
			first = &moded{d: r.rp, at: r.capField.Value()}
		}
	}
	if first != nil {
		found := m.tell("mode-not-propagated", r, first.d, first.at, "", "upgrade not yet in "+strings.Join(lag, ", "))
		offer(found, sdk.Review, "Carry the upgrade to "+strings.Join(lag, ", "), edits)
	}
}

func (m *model) checkDates(r *review) {
	say := func(d *document, at markdown.Part, text string, edits []sdk.Edit) {
		day := date(clean(text))
		if clean(text) == "" || day != "" && (r.date == "" || day == r.date) {
			return
		}
		found := m.tell("date-mismatch", r, d, at, "", shown(text)+" here, "+orNone(r.date)+" in the folder name")
		if r.date != "" {
			offer(found, sdk.Review, "Set the date to "+r.date, edits)
		}
	}
	say(r.rp, r.dateField.Value(), r.dateField.Text(), r.rp.header(r.dateField, "Date", r.date))
	if r.row != nil {
		c := r.row.Cell(m.index.reviews.cols[colDate])
		if c.OK() {
			say(m.index.document, c.Part, c.Text(), m.index.cell(r.row.Row, c.Column(), r.date))
		}
	}
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func (m *model) checkName(r *review) {
	found := m.tell("misnamed-review-folder", r, r.rp, markdown.Part{}, "", shown(r.name)+" is not dated")
	day, topic := date(clean(r.dateField.Text())), slug(plain(r.topic))
	to := day + "_" + topic
	step := "move " + r.dir + " to <date>_<topic-slug>/ and mend the Quick Link"
	if day == "" || topic == "" || len(topic) > 80 || m.docs.Get(to+"/"+progressName) != nil || m.named[to] != nil || !m.movable(r) {
		advise(found, "Rename the folder", step)
		return
	}
	var edits []sdk.Edit
	for _, d := range [...]*document{r.rp, r.sm, r.lr} {
		if d.doc != nil {
			edits = append(edits, sdk.Move(d.path, to+d.path[len(r.name):]))
		}
	}
	for i := range m.index.linked {
		if l := &m.index.linked[i]; l.folder == r.name {
			edits = append(edits, m.index.cell(l.row, m.index.links.cols[1], "`"+to+"/`")...)
		}
	}
	offer(found, sdk.Review, "Move the documents to "+to, edits)
}

// movable reports whether the folder holds nothing but the three documents, and
// its row finds the folder under another name.
func (m *model) movable(r *review) bool {
	if r.entryFile || len(r.others) > 0 || r.row == nil {
		return false
	}
	if m.index.fits(1, r.row, r) {
		return true
	}
	return r.row.date == date(clean(r.dateField.Text())) && r.row.slug == slug(plain(r.topic))
}

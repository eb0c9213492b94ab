package literaturereview

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

func (m *model) checkHeader(r *review) {
	if r.observed >= searching {
		for i, f := range [...]*field{r.dateField, r.topicField, r.modeField} {
			key := [...]string{"Date", "Topic", "Mode"}[i]
			if clean(f.Text()) != "" && (i < 2 || r.mode != noMode) {
				continue
			}
			expected := [...]string{"the day on which the review began", "what the review is about", "Narrow Search or Full Review"}[i]
			message := say.Wrong(key, shown(f.Text()), expected)
			if !f.OK() {
				message = "the header has no " + key + "; expected " + expected
			}
			found := m.tell("unfilled-header", r, r.rp, f, key, message)
			found.Severity = sdk.Warning
			switch i {
			case 0:
				offer(found, sdk.Review, "Set Date to "+r.date, r.rp.setHeader(f, key, r.date))
			case 1:
				if topic := titled(slug(r.slug)); topic != "" {
					offer(found, sdk.Review, "Set Topic to "+topic, r.rp.setHeader(f, key, topic))
				}
			default:
				found.Severity = m.unknown(func(was *review) bool { return was.mode != noMode }, r)
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
	at    place
	mode  int
	edits []sdk.Edit // that set it to Full Review
}

const modeKeys = "mode|reviewmode|searchmode|reviewtype"

func (m *model) modes(r *review) []moded {
	var list []moded
	if r.row != nil {
		column := m.index.reviews.cols[colMode]
		list = append(list, moded{m.index.document, indexPath, r.row.Cell(column), r.row.mode, m.index.cell(r.row.Row, column, modeName(full))})
	}
	for i, d := range [...]*document{r.sm, r.lr} {
		f := pick(d.header(""), modeKeys)
		list = append(list, moded{d, [...]string{methodsName, textName}[i], f, modeOf(clean(f.Text())), f.set(modeName(full))})
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
			found := m.tell("mode-disagreement", r, r.rp, r.modeField, "",
				"Mode is "+modeName(narrow)+" here, "+modeName(full)+" in "+other.name+before(other.d, other.at))
			relate(found, other.d, other.at, modeName(full))
			offer(found, sdk.Review, "Set Mode to "+modeName(full), r.rp.setHeader(r.modeField, "Mode", modeName(full)))
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
		edits = append(edits, r.capField.set("5")...)
		if first == nil {
			first = &moded{d: r.rp, at: r.capField}
		}
	}
	if first != nil {
		found := m.tell("mode-not-propagated", r, first.d, first.at, "", "the mode was raised to "+modeName(full)+" in "+progressName+"; not yet in "+strings.Join(lag, ", "))
		offer(found, sdk.Review, "Carry the upgrade to "+strings.Join(lag, ", "), edits)
	}
}

func (m *model) checkDates(r *review) {
	m.checkDate(r, r.rp, r.dateField, r.dateField.Text(), r.rp.setHeader(r.dateField, "Date", r.date))
	if r.row != nil {
		if c := r.row.Cell(m.index.reviews.cols[colDate]); c.OK() {
			m.checkDate(r, m.index.document, c, c.Text(), m.index.cell(r.row.Row, c.Column(), r.date))
		}
	}
	if start, ok := instant.Parse(r.date + "T00:00:00Z"); ok && m.pass != nil && m.pass.Before(start.Add(-instant.Day)) {
		found := m.tell("date-in-future", r, r.rp, r.dateField, "", "the review is dated "+r.date+", which has not come yet")
		advise(found, "Correct the date", "set Date to the day on which the review began, and rename the folder")
	}
}

// checkDate compares a date with that of the folder's name. One in another language agrees if it has
// the same year and day.
func (m *model) checkDate(r *review, d *document, at place, text string, edits []sdk.Edit) {
	text = clean(text)
	is, why := day(text)
	message := say.Wrong("the date", shown(text), r.date+" as in the folder's name")
	year, number, _ := strings.Cut(r.date, "-")
	number = strings.TrimPrefix(number[strings.IndexByte(number, '-')+1:], "0")
	switch {
	case text == "", is != "" && (r.date == "" || is == r.date):
		return
	case is == "" && strings.Contains(why, "does not exist"):
		message = "the date is " + shown(text) + ", which does not exist; expected " + orElse(r.date, "YYYY-MM-DD")
	case is == "" && r.date != "" && strings.Contains(text, year) && strings.Contains(strings.Replace(text, year, "", 1), number):
		return
	case is == "":
		message = "the date is " + shown(text) + ", which cannot be read; expected YYYY-MM-DD"
	}
	found := m.tell("date-mismatch", r, d, at, "", message)
	offer(found, sdk.Review, "Set the date to "+r.date, edits)
}

func (m *model) checkName(r *review) {
	found := m.tell("misnamed-review-folder", r, r.rp, markdown.Part{}, "", "the folder is called "+shown(r.name)+"; expected a date and a slug, YYYY-MM-DD_topic-slug")
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

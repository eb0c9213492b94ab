package literaturereview

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/say"
)

func missingProgress(k *look) {
	if k.loss == "state-missing" {
		docs := k.documents()
		has := each(those(docs[:], func(d *document) bool { return d.doc != nil }), (*document).name)
		k.tell(k.rp.whole(), "", k.name+" has "+say.And(has...)+", but no "+progressName)
	}
}

func unreadableProgress(k *look) {
	if k.loss == "state-unreadable" {
		k.tell(k.rp.whole(), "", progressName+" has "+say.Count(int(k.rp.doc.Size), "byte")+
			", but neither a Status nor a known section; expected a Status and the sections Core Concepts, Search "+
			"Status by Source and Paper Tracking")
	}
}

func unknownPhase(k *look) {
	if k.claim.named() {
		return
	}
	message := "the header has no Status"
	if k.claim.text != "" {
		message = "Status is " + say.Quote(k.claim.text) + ", which does not name a phase"
	}
	k.offerStatus(k.tell(k.statusField(), "", message+"; expected Phase 0 to Phase 5; the documents show "+
		statusLine(k.observed)), k.observed)
}

func conflictingStatus(k *look) {
	for i, f := range k.status {
		other := claimOf(f.text)
		if i == 0 || other.phase < 0 || other.phase == k.claim.phase || k.claim.phase < 0 {
			continue
		}
		first := k.status[0]
		found := k.tell(f, "", say.Wrong("Status", say.Quote(other.text),
			say.Quote(k.claim.text)+", as in the first Status"+first.where()))
		see(found, first, "the first Status")
		switch {
		case len(k.status) > 2:
		case other.phase == k.observed:
			offer(found, "Keep "+statusLine(k.observed), first.drop())
		case k.claim.phase == k.observed:
			offer(found, "Keep "+statusLine(k.observed), f.drop())
		}
		return
	}
}

func phaseNameMismatch(k *look) {
	if c := &k.claim; c.phase >= 0 && c.words >= 0 {
		name := lifecycle.Phases[c.phase]
		k.offerStatus(k.tell(k.status[0], "", say.Wrong("Status", say.Quote(c.text),
			statusLine(c.phase)+", because Phase "+say.Int(name.Number)+" is "+name.Title)), c.phase)
	}
}

func phaseBeyond(k *look) {
	if k.fit != sdk.Ahead || k.unwritten { // which missing-synthesis reports
		return
	}
	f := k.tell(k.status[0], "", "Status is "+say.Quote(k.claim.text)+", but "+k.shut+"; expected "+
		statusLine(k.observed))
	if k.shutIn != "" {
		see(f, k.headingAt(k.shutIn), k.shut)
	}
	k.offerText(f)
	k.offerStatus(f, k.observed)
}

func phaseBehind(k *look) {
	if k.fit == sdk.JustBehind && len(k.concepts) > 0 {
		k.offerStatus(k.tell(k.status[0], "", "Status is "+say.Quote(k.claim.text)+", but Core Concepts has "+
			say.Count(len(k.concepts), "row")+k.tableAt(inConcepts).where()+"; expected "+
			statusLine(interviewing)).As(sdk.Info), interviewing)
	}
	if k.fit != sdk.Behind {
		return
	}
	severity, but := sdk.Warning, ", which has no open work, but "
	if k.claim.phase <= interviewing && (k.hasRun() || k.floor >= organizing) {
		severity, but = sdk.Error, ", but "
	}
	k.offerStatus(k.tell(k.status[0], "", "Status is "+say.Quote(k.claim.text)+but+k.proof+"; expected "+
		statusLine(k.observed)).As(severity), k.observed)
}

func searchReopened(k *look) {
	if k.fit != sdk.Consistent || k.claim.phase != searching || k.floor <= searching {
		return
	}
	open := "a source is not listed"
	if s := first(k.sources, k.unsettled); s != nil {
		open = s.name + " is " + sourceStatuses.name(s.status)
	}
	k.tell(k.status[0], "", "the search continues, although there are "+say.Count(max(k.annotated(), len(k.entries)),
		"annotated paper")+": "+open)
}

func unfilledHeader(k *look) {
	for i, f := range [...]*value{k.dateField, k.topicField, k.modeField} {
		key := [...]string{"Date", "Topic", "Mode"}[i]
		if f.real() != "" && (i < 2 || k.mode != noMode) || !f.ok() && i < 2 {
			continue // the workflow knows Date and Topic in the index, and only there
		}
		expected := [...]string{"the day on which the review began", "what the review is about",
			"Narrow Search or Full Review"}[i]
		message := say.Wrong(key, say.Quote(f.text), expected)
		if !f.ok() {
			message = "the header has no " + key + "; expected " + expected
		}
		found := k.tell(f, key, message).As(severityOf(i == 2 && k.was.mode != noMode))
		if text := [...]string{k.date, cmp.Or(plain(k.rowTopic()), titled(k.slug)), ""}[i]; text != "" {
			offer(found, "Set "+key+" to "+text, k.rp.setHeader(f, key, text))
		}
	}
}

// A moded value is what another document says of the mode of a review.
type moded struct {
	*value
	mode int
}

const modeKeys = "mode|reviewmode|searchmode|reviewtype"

// modes are what the index, if it has a row for the review, Search_Methods.md and Literature_Review.md say.
func (r *review) modes() []moded {
	var list []moded
	if r.row != nil {
		list = append(list, moded{r.row.cell(colMode), r.row.mode})
	}
	for _, d := range [...]*document{r.sm, r.lr} {
		f := d.pick(d.header(""), modeKeys)
		list = append(list, moded{f, modeOf(f.real())})
	}
	return list
}

func modeDisagreement(k *look) {
	var lag []string
	var edits []sdk.Edit
	var first *value
	late := func(v *value, name, text string) {
		lag, edits, first = append(lag, name), append(edits, v.set(text)...), first.or(v)
	}
	for _, other := range k.modes() {
		switch {
		case k.mode == narrow && other.mode == full:
			f := k.tell(k.modeField, "", say.Wrong("Mode", modeName(narrow),
				modeName(full)+", as in "+other.d.name()+other.where()))
			see(f, other.value, modeName(full))
			offer(f, "Set Mode to "+modeName(full), k.rp.setHeader(k.modeField, "Mode", modeName(full)))
			return
		case k.mode == full && other.mode == narrow:
			late(other.value, other.d.name(), modeName(full))
		}
	}
	if k.mode == full && k.roundCap == 3 {
		late(k.capField, "Round Cap", "5")
	}
	if len(lag) > 0 {
		f := k.tell(first, "", "Mode is "+modeName(full)+k.modeField.where()+", but not yet in "+
			say.And(lag...)).As(sdk.Info)
		offer(f, "Apply the upgrade to "+say.And(lag...), edits)
	}
}

func dateMismatch(k *look) {
	k.checkDate(k.dateField)
	if k.row != nil {
		k.checkDate(k.row.cell(colDate))
	}
}

// checkDate compares a date with that of the folder's name. One in another language agrees if it has
// the same year and day.
func (k *look) checkDate(v *value) {
	text := v.real()
	is, why := day(text)
	message := say.Wrong("the date", say.Quote(text), k.date+", as in the folder's name")
	year, number, _ := strings.Cut(k.date, "-")
	number = strings.TrimPrefix(number[strings.IndexByte(number, '-')+1:], "0")
	switch {
	case text == "", is != "" && (k.date == "" || is == k.date):
		return
	case is == "" && strings.Contains(why, "does not exist"):
		message = "the date is " + say.Quote(text) + ", which does not exist; expected " + cmp.Or(k.date, "YYYY-MM-DD")
	case is == "" && k.date != "" && strings.Contains(text, year) &&
		strings.Contains(strings.Replace(text, year, "", 1), number):
		return
	case is == "":
		message = "the date is " + say.Quote(text) + ", which cannot be read; expected YYYY-MM-DD"
	}
	f := k.tell(v, "", message)
	if k.date != "" {
		offer(f, "Set the date to "+k.date, v.set(k.date))
	}
}

func dateInFuture(k *look) {
	if start, ok := instant.Parse(k.date + "T00:00:00Z"); ok && k.Before(start.Add(-instant.Day)) {
		k.tell(k.dateField, "", "the folder is dated "+k.date+
			", which is in the future; expected the day on which the review began")
	}
}

func misnamedFolder(k *look) {
	if k.date != "" {
		return
	}
	expected := "a date and a slug, YYYY-MM-DD_topic-slug"
	if began, topic := date(k.dateField.real()), slug(plain(k.topic)); began != "" && topic != "" {
		expected = "its date and a slug, such as " + began + "_" + say.Clip(topic)
	}
	k.tell(k.rp.whole(), "", "the folder is called "+say.Quote(k.name)+"; expected "+expected)
}

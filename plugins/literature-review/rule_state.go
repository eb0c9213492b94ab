package literaturereview

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/sdk"
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

func phaseBeyond(k *look) {
	if k.fit != sdk.Ahead || k.unwritten { // missing-synthesis reports an unwritten review
		return
	}
	f := k.tell(k.status[0], "", "Status is "+say.Quote(k.claim.text)+", but "+k.shut+"; expected "+
		statusLine(k.observed))
	if k.shutIn != "" {
		see(f, k.headingAt(k.shutIn), k.shut)
	}
	k.offerText(f)
	k.adviseText(f)
	if k.shutIn == antagonistSection {
		k.offerWhole(f, k.rp)
		offer(f, "Restore the Antagonistic Review", k.critiqueBack())
	}
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
	phase := k.observed
	if was := k.was.observed; was > phase && was <= k.ceiling && was < complete { // no work of that phase is lost
		phase = was
	}
	k.offerStatus(k.tell(k.status[0], "", "Status is "+say.Quote(k.claim.text)+but+k.proof+"; expected "+
		statusLine(phase)).As(severity), phase)
}

func unfilledHeader(k *look) {
	if k.mode != noMode {
		return
	}
	const expected = "Narrow Search or Full Review"
	message := say.Wrong("Mode", say.Quote(k.modeField.text), expected)
	if !k.modeField.ok() {
		message = "the header has no Mode; expected " + expected
	}
	k.offerWhole(k.tell(k.modeField, "Mode", message).As(severityOf(k.was.mode != noMode)), k.rp)
}

// A moded is the value that another document has for the review's mode.
type moded struct {
	*value
	mode int
}

const modeKeys = "mode|reviewmode|searchmode|reviewtype"

// modes returns the modes in the index, if it has a row for the review, in Search_Methods.md and in
// Literature_Review.md.
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
	if len(lag) > 0 {
		f := k.tell(first, "", "Mode is "+modeName(full)+k.modeField.where()+", but not yet in "+
			say.And(lag...)).As(sdk.Info)
		offer(f, "Apply the upgrade to "+say.And(lag...), edits)
	}
}

func dateMismatch(k *look) {
	if k.date == "" {
		k.tell(k.rp.whole(), "folder", "the folder is called "+say.Quote(k.name)+"; expected a date and a slug, "+
			"YYYY-MM-DD_topic-slug")
	}
	k.checkDate(k.dateField)
	if k.row != nil {
		k.checkDate(k.row.cell(colDate))
	}
}

// checkDate compares a date with the one in the folder's name. A date in another language matches if it has the same
// year and day.
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

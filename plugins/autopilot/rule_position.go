package autopilot

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

func transponderMissing(r *check.Report, m *model) {
	if d := m.cdoc; d != nil && !m.current() && m.base.current() && m.absent(transponderPath) {
		r.Whole(d.Path, "TRANSPONDER.md is missing; the base has it, and "+d.Path+" is older").
			Offer(sdk.Review, "Restore TRANSPONDER.md", sdk.Restore(m.base.cdoc.Path))
	}
	if at := m.begun(); m.cdoc == nil && at != "" && m.absent(transponderPath) && m.docs.Known(waypointPath) {
		r.Whole(at, "TRANSPONDER.md is missing, so the position is not recorded")
	}
}

func withoutPosition(r *check.Report, m *model) {
	if p := m.pos; !m.placed() {
		r.At(p.titleAt, p.doc.Path+` has neither a readable phase nor a readable status; expected rows such as `+
			`"Phase | 3 of 6" and "Status | In progress"`)
	}
}

func conflictingPositions(r *check.Report, m *model) {
	fields := m.pos.fields
	if d := m.docs.Get(strings.ToLower(transponderPath)); d != m.cdoc && d.Readable() {
		fields = slices.Concat(fields, readPosition(d).fields)
	}
	found := false
	for n, key := range [...]string{"phase", "plan", "status", "stoppedat", "resumefile", "nextaction"} {
		var first *field
		if n > 2 && found {
			return
		}
		for _, f := range fields {
			if f.key != key || positional(key) && !f.scoped || placeholder(f.value) || f.given() == "" && n < 3 {
				continue
			} else if first == nil {
				first = f
			} else if (positional(key) || f.in == first.in) && contradict(key, first.value, f.value) {
				twice := r.At(f.at, first.label+" is "+quote(f.value)+" here, but "+quote(first.value)+" elsewhere"+
					say.Line(m.docs.Get(first.at.Path), first.at.Start)).Keyed(key).See(first.at, "the first value")
				if found = true; n > 2 {
					twice.As(sdk.Warning)
				}
				break
			}
		}
	}
}

// contradict reports whether two values are readable and differ in meaning.
func contradict(key, a, b string) bool {
	if key == "status" {
		s, _ := readStatus(a)
		t, _ := readStatus(b)
		return s != t && s != unknown && t != unknown
	} else if key != "phase" && key != "plan" {
		return markdown.Name(a) != markdown.Name(b)
	}
	c, ok := readCount(a, key == "plan")
	d, also := readCount(b, key == "plan")
	return ok && also && (c.n != d.n || c.of != d.of && c.of >= 0 && d.of >= 0)
}

// unfilledPlaceholder reports the first placeholder and counts the rest, because an unfilled template is one mistake.
func unfilledPlaceholder(r *check.Report, m *model) {
	var f *check.Finding
	message, left := "", 0
	try := func(label, text string, at sdk.Range) {
		if !placeholder(text) {
			return
		} else if left++; f == nil {
			message = label + " is still the template's placeholder " + quote(text)
			f = r.At(at, message)
		} else {
			f.Message = message + ", along with " + say.Count(left-1, "other value")
		}
	}
	for _, p := range m.pos.fields {
		text := p.value
		if what := m.pos.activityText; p.key == "lastactivity" && placeholder(what) { // after a date
			text = what
		}
		try(p.label, text, p.at)
	}
	for _, it := range m.pos.template {
		try("an item", it.text, it.at)
	}
	h := m.hand
	f, left = nil, 0
	for n, text := range h.texts[:textNext] {
		try("a section", text, h.textAt[n])
	}
	for _, row := range h.rows {
		try("the task", row.name, row.at)
		try("the commit", row.commit, row.commitAt)
	}
	for _, it := range h.remaining {
		_, rest, _ := readTask(it.text)
		try("the task", untitled(rest), it.at)
	}
}

func positionUnreadable(r *check.Report, m *model) {
	p, was := m.pos, m.base.pos
	bad := func(f *field, expected string, readable bool) {
		if f != noField {
			unless(r.At(f.at, say.Wrong(f.label, quote(f.value), expected)).Keyed(f.key), readable)
		}
	}
	phase := p.bad("phase")
	bad(phase, "N of M, such as 3 of 6", was.phase.n >= 0 && was.bad("phase") == noField)
	if phase == noField && m.n >= 0 && m.m < 0 && m.current() && !p.layoutB && p.get("phases") == noField &&
		m.s.unfinished() {
		bad(p.get("phase"), "N of M, such as "+itoa(m.n)+" of "+itoa(max(m.n, m.phases.total)), was.phase.of >= 0)
	}
	bad(p.bad("plan"), "N of M, such as 2 of 4", was.plan.n >= 0 && was.bad("plan") == noField)
	if f := p.get("planscompleted"); f.given() != "" && p.completed() < 0 && !strings.ContainsAny(f.value[:1], "-−") {
		bad(f, "a number, such as 8", was.completed() >= 0)
	}
	if f := p.get("progress"); !p.layoutB && !p.hasPercent && f.given() != "" {
		bad(f, "a bar and a percentage, such as ████░░░░░░ 42%", was.hasPercent)
	}
	if f, then := p.get("resumefile"), was.get("resumefile"); f.given() != "" && p.resumeFile() == "" {
		bad(f, "a path, or None", then != noField && (then.given() == "" || was.resumeFile() != ""))
	}
}

func positionIncomplete(r *check.Report, m *model) {
	p, was := m.pos, m.base.pos
	lacks := func(at sdk.Range, key, form string, readable bool) {
		unless(r.At(at, p.doc.Path+" has no "+key+"; expected "+form).Keyed(key), readable)
	}
	if !m.current() || !m.placed() && m.n < 0 {
		return
	}
	at, short := p.placeOf(p.get("status")), p.get("phases") != noField // the short form that flightplan writes
	if none(p.stampField.value) && (m.n >= 0 || m.s != unknown && !short || known(was.stamp)) {
		lacks(at, "Updated", "the time of the update, such as 2026-01-29T14:30:00Z", known(was.stamp))
	}
	if p.layoutB || short {
		return
	}
	if p.get("resumefile") == noField && p.get("nextaction") == noField && was.get("resumefile") != noField &&
		was.get("nextaction") != noField {
		lacks(p.titleAt, "Resume file and no Next action",
			"both, as in the base"+say.Line(was.doc, was.get("resumefile").at.Start), true)
	}
	task, _, named := readTask(p.get("stoppedat").given()) // a phase that counts tasks has no plans
	switch f := p.get("phase"); {
	case (m.s.unfinished() || was.phase.n >= 0 && m.s != abandoned) && f.given() == "" && !placeholder(f.value) &&
		m.n < 0:
		lacks(at, "Phase", `a row of the form "N of M"`, was.phase.n >= 0)
	case m.s == inProgress && m.p < 0 && p.bad("plan") == noField && !(named && task.phase > 0) &&
		!placeholder(p.get("plan").value) && m.n >= 0:
		lacks(at, "Plan", `a row of the form "N of M" while Status is In progress`, was.plan.n >= 0 &&
			was.status == inProgress)
	}
}

func positionOutOfRange(r *check.Report, m *model) {
	switch total := m.phases.total; {
	case m.n > m.m && m.m >= 0:
		f := m.field(r, "phase", "Phase is "+itoa(m.n)+", which exceeds the total of "+itoa(m.m))
		if m.n <= total && (m.s != projectComplete || m.n == total) {
			f.Offer(sdk.Review, "Copy the total from flightplan.md",
				m.stamped(m.set("phase", count{m.n, total}.String()))...)
		}
	case m.n == 0 && (m.s > readyToExecute || m.s == unknown && m.pos.percent > 0):
		m.field(r, "phase", "Phase is 0, but Status is "+quote(m.pos.statusText)+"; phases begin at 1")
	}
	if m.p > m.t && m.t >= 0 {
		m.field(r, "plan", "Plan is "+itoa(m.p)+", but the phase has "+say.Count(m.t, "plan")).Keyed("plan")
	}
	if text := m.pos.get("planscompleted").given(); strings.HasPrefix(text, "-") || strings.HasPrefix(text, "−") {
		m.field(r, "planscompleted", "Plans completed is "+quote(text)+
			"; expected 0 or more").Keyed("planscompleted").As(sdk.Warning)
	}
	if p := m.pos; p.percent < 0 || p.percent > 100 {
		m.field(r, "progress", "Progress is "+trimFloat(p.percent)+
			"%; expected 0 to 100").Keyed("progress").As(sdk.Warning)
	}
}

func phaseTotalDisagrees(r *check.Report, m *model) {
	total, last, key := m.phases.total, m.phases.last(), "phase"
	if m.m < 0 || (total == m.m || total == 0) && last <= m.m || m.unlistedPhases() != nil {
		return
	}
	if m.pos.get(key) == noField {
		key = "phases"
	}
	says := "phases/ has phase " + itoa(last)
	if total > 0 && total != m.m {
		says = "flightplan.md lists " + itoa(total)
	}
	f := m.field(r, key, "the phase total is "+itoa(m.m)+", but "+says)
	if total > 0 && key == "phase" && m.n >= 0 && m.n <= total && last <= total && m.s != projectComplete &&
		m.hand.phase <= total {
		f.Offer(sdk.Review, "Copy the total from flightplan.md", m.stamped(m.set(key, count{m.n, total}.String()))...)
	}
}

func unknownStatus(r *check.Report, m *model) {
	f := m.pos.statusField
	message := "Phase is set, but Status is missing"
	switch {
	case m.s != unknown:
		return
	case f.given() != "":
		message = say.Wrong("Status", quote(f.value),
			"Ready to discuss, Ready to plan, Ready to execute, In progress, Blocked, Phase complete or Project "+
				"complete")
	case placeholder(f.value), m.n < 0:
		return
	}
	was := m.base.pos
	found := unless(m.status(r, message), was.status != unknown || placeholder(was.statusField.value))
	set := func(title string) {
		found.Offer(sdk.Review, "Set the status to "+title, m.stamped(m.set("status", title))...)
	}
	switch over := words.Mentions(f.value, "done", "complete", "completed", "finished"); {
	case over && m.p > 0 && m.p == m.t:
		m.setStatus(found, phaseComplete)
	case words.Mentions(f.value, "waiting", "waits", "on hold", "stuck"):
		set("Blocked")
	case over || words.Mentions(f.value, "failed", "verif") || m.observed == unknown || m.observed > readyToExecute:
	case m.observed == readyToExecute && m.p > 1:
		m.setStatus(found, inProgress)
	default:
		set(m.observed.title())
	}
}

// barOf returns the ten-cell bar for a percentage.
func barOf(percent float64) string {
	filled := int(percent / 10)
	return strings.Repeat("█", filled) + strings.Repeat("░", 10-filled)
}

func progressBarMismatch(r *check.Report, m *model) {
	p := m.pos
	if !p.hasPercent || p.percent < 0 || p.percent > 100 || p.bar == "" {
		return
	}
	if bar := barOf(p.percent); bar != p.bar {
		f := m.field(r, "progress", "the bar is "+say.Clip(p.bar)+"; expected "+bar+" for "+trimFloat(p.percent)+"%")
		if before, behind, ok := strings.Cut(p.get("progress").value, p.bar); ok {
			f.Offer(sdk.Safe, "Redraw the bar for the percentage", m.set("progress", before+bar+behind)...)
		}
	}
}

// restarts reports whether the plan count says that plans of the phase were flown although the status says that it has
// none yet. Either the count belongs to the previous phase, or the status is wrong.
func (m *model) restarts() bool { return m.p >= 2 && (m.s == readyToDiscuss || m.s == readyToPlan) }

// offerCount adds advice for a phase whose plan count contradicts its status (see restarts). If there is a route,
// nothing shows which of the two is right.
func (m *model) offerCount(f *check.Finding) {
	switch n := itoa(m.n); {
	case m.phases.at(m.n).route == nil:
		f.Advise("Restart the plan count", "Set Plan to 0, with the number of the phase's plans if it is known.")
	case m.p == m.t:
		f.Advise("Find out whether phase "+n+" is done", "If it is, set Status to Phase complete, or move on to the "+
			"next phase with Plan 0. Otherwise, set Plan to 0.")
	default:
		f.Advise("Find out which plans are done", "If the plans before plan "+itoa(m.p)+" of phase "+n+
			" are done, set Status to In progress. Otherwise, set Plan to 0.")
	}
}

func progressContradicts(r *check.Report, m *model) {
	// Plans completed may count the plans of the phase or of the flight; a plan is counted when the next one begins
	least := m.p - 1
	if m.s.complete() && m.p == m.t {
		least = m.p
	}
	plans, was := m.pos.completed(), m.base.pos.completed()
	ahead := m.p - m.base.p
	// a plan may be counted before the position moves, and is then not counted again
	jumps := was >= m.base.p-1 && ahead >= 0 && plans > was+ahead+1 ||
		was >= 0 && plans >= was && m.unproved() < m.p
	moved := "the position went from " + m.base.where() + " to " + m.where()
	if ahead == 0 {
		moved = "the position is still " + m.where()
	}
	switch {
	case plans < 0 || m.p > m.t || !m.s.flying() && !m.s.complete():
	case plans < least, m.n == 1 && m.t > 0 && plans > m.t: // no earlier phase has plans
		m.field(r, "planscompleted", "Plans completed is "+itoa(plans)+", but the position is "+
			m.where()).Keyed("planscompleted")
	case jumps && m.n == m.base.n && m.base.p >= 1 && m.base.s == inProgress && m.s == inProgress:
		m.field(r, "planscompleted", m.from("planscompleted", itoa(plans), itoa(was))+", but "+
			moved).Keyed("planscompleted")
	}
	fresh := m.s == readyToDiscuss || m.s == readyToPlan // the phase has no plan yet
	switch {
	case m.restarts():
		m.offerCount(m.field(r, "plan", "Plan is "+count{m.p, m.t}.String()+", but Status is "+quote(m.pos.statusText)+
			"; the count restarts with each phase").Keyed("plan"))
	case fresh && m.n == 1 && m.pos.hasPercent && m.pos.percent > 0 && m.pos.percent <= 100:
		m.field(r, "progress", "Progress is "+trimFloat(m.pos.percent)+"%, but Status is "+quote(m.pos.statusText)+
			" for the first phase")
		return
	case m.s == phaseComplete && m.n == 1 && m.p == 0 && m.t == 0:
		m.but(r, "phase 1 has no plan (Plan is 0 of 0)").Keyed("plan")
	}
	before := m.base.pos
	if rise := m.pos.percent - before.percent; m.pos.hasPercent && before.hasPercent && m.m >= 3 && m.t >= 2 &&
		m.moved() == "Progress" && plans == was && plans >= 0 && rise*float64(m.m) >= 200 && m.s == inProgress {
		m.field(r, "progress", m.from("progress", trimFloat(m.pos.percent)+"%", trimFloat(before.percent)+"%")+
			", but the position is still "+m.where()+" with "+say.Count(plans, "plan")+" completed")
		return
	}
	if m.n < 0 || m.n > m.m || m.s == projectComplete || !m.pos.hasPercent {
		return
	}
	begins := plans == 0 && m.n == 1 && m.p == 1 && m.t >= 2 && m.m >= 2 // at most half of the phase is done, too
	if begins && m.pos.percent > 50 || m.pos.percent == 100 && m.n < m.m || m.pos.percent == 0 && m.n > 1 {
		m.field(r, "progress", "Progress is "+trimFloat(m.pos.percent)+"%, but the position is phase "+count{m.n,
			m.m}.String())
	}
}

func statusDeniesHand(r *check.Report, m *model) {
	h := m.hand
	if m.verdict != handLive || m.s < readyToDiscuss || m.s > readyToExecute {
		return
	}
	says := h.doc.Path + " exists"
	if h.task > 0 && h.total > 0 {
		says = h.doc.Path + " stopped at task " + count{h.task, h.total}.String()
	}
	f := m.but(r, says)
	if m.flyable(m.n) || len(m.phases.numbered) == 0 {
		f.Offer(sdk.Review, "Set the status to In progress",
			also(m.goOn(inProgress), m.set("resumefile", ".autopilot/"+h.doc.Path)...)...)
	}
	if f.Remedies != nil || len(h.remaining) == 0 {
		f.Offer(sdk.Review, "Archive the hand-off", m.archiveHand()...)
		return
	}
	f.Advise("Decide which is right", "If the hand-off's tasks are open, restore the route, and set the status to In "+
		"progress and the position to "+h.place()+". If they are done, archive the hand-off.")
}

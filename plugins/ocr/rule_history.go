package ocr

import (
	"path"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
)

func stateRemoved(r *check.Report, m *Model) {
	if !m.stateRemoved() {
		return
	}
	what := ""
	if b := m.Base; b.C != nil {
		what = " (" + b.C.title() + ", " + short(b.claimed()) + ")"
	}
	offerAll(r.Whole(StatePath, "state.json"+what+" was removed"), m.missingStateRemedies(r.Pass))
}

// was says what a field is now and what it was in base, with its place there.
func (m *Model) was(field string) string {
	before := m.Base.State.Value(field)
	where := say.Line(m.Base.State.Doc, before.Start())
	if !m.State.Has(field) {
		return field + " is gone; it was " + short(before.Raw()) + " in the base" + where
	}
	return say.Was(field, short(m.State.Value(field).Raw()), short(before.Raw()), where)
}

func startTimeRewritten(r *check.Report, m *Model) {
	if m.State.OK() && m.rewritten(r.Pass, StartedAt) {
		m.field(r, StartedAt, m.was(StartedAt)+": it belongs to the session's creation").
			Offer(sdk.Review, "Set started_at to that of base", setText(StartedAt, m.Base.State.Text(StartedAt)))
	}
}

// rewritten reports whether a time that was sound in base is another instant
// now, or absent. One that cannot be read has rules of its own.
func (m *Model) rewritten(p *sdk.Pass, field string) bool {
	was, is := m.Base.State.Stamp(field), m.State.Stamp(field)
	return m.Base.isSound(p, field) && (is.Kind == StampAbsent || is.OK() && is.At != was.At)
}

// roundStartRewritten lets a state be closed without the field, as the tool's own sample is.
func roundStartRewritten(r *check.Report, m *Model) {
	field := m.T.StartField()
	closes := m.Phase() == "complete" && m.State.Status == "closed" && !m.State.Has(field)
	if m.sameC() && !m.isFreshMap() && !closes && m.rewritten(r.Pass, field) {
		m.claim(r, field, m.was(field)+", but "+m.C.title()+" is the same").
			Offer(sdk.Review, "Set "+field+" to that of base", setText(field, m.Base.State.Text(field)))
	}
}

// sameC reports whether base spoke of the same round or run.
func (m *Model) sameC() bool {
	b := m.Base
	return m.C != nil && b.C != nil && m.C.Kind == b.C.Kind && m.C.N == b.C.N
}

func workflowStartNotReset(r *check.Report, m *Model) {
	if !m.startNotReset(r.Pass) {
		return
	}
	field := m.T.StartField()
	fault := " is missing"
	if is := m.State.Stamp(field); is.OK() {
		fault = " " + is.Text + " is that of earlier work"
	}
	f := m.claim(r, field, m.C.title()+" was started in this session but "+field+fault)
	if m.T.Index(m.Observed(m.C)) == 1 {
		f.Offer(sdk.Review, "Set "+field+" to the present time", setNow(field), setNow(UpdatedAt))
	} else {
		f.Advise("Set when it began", "Set "+field+" to the time when "+m.C.title()+" began.")
	}
}

// startNotReset reports whether C is new since base and its start time is not.
func (m *Model) startNotReset(p *sdk.Pass) bool {
	b := m.Base
	if b == nil || !m.v14 || m.isFresh() || m.C == nil || b.C == nil || !m.isNewC() || !m.sees(m.Series(m.T)) || m.isFreshMap() {
		return false
	}
	field := m.T.StartField()
	is, was, updated := m.State.Stamp(field), b.State.Stamp(field), b.State.Stamp(UpdatedAt)
	switch {
	case !is.OK():
		return is.Kind == StampAbsent
	case was.OK() && is.At == was.At:
		return true
	}
	return updated.OK() && !updated.isAhead(p) && is.At.Before(updated.At.Add(-slack))
}

// isNewC reports whether C was neither claimed nor had a document in base, and
// comes after base's C.
func (m *Model) isNewC() bool {
	b := m.Base
	before := b.Series(m.T)
	differs := m.T != b.T || m.C.N > b.C.N
	claimed := m.T == b.T && before.Claim == m.C.N
	return differs && !claimed && !before.Has(m.C.N) && !(m.T == Review && m.C.N == 1 && b.Flat)
}

func updatedAtNotAdvanced(r *check.Report, m *Model) {
	is, was := m.State.Stamp(UpdatedAt), m.Base.State.Stamp(UpdatedAt)
	moved, wentBack := m.movement(), is.At.Before(was.At)
	if !is.OK() || !was.OK() || moved == "" && !wentBack || is.At.After(was.At) || was.isAhead(r.Pass) {
		return
	}
	message := moved + ", but updated_at is still " + is.Text
	if wentBack {
		message = m.was(UpdatedAt)
	}
	m.field(r, UpdatedAt, message).Offer(sdk.Review, "Set updated_at to the present time", setNow(UpdatedAt))
}

// movement says what moved since base, "" if nothing did. Corrections of spelling move nothing.
func (m *Model) movement() string {
	b := m.Base
	switch {
	case m.C == nil || b.C == nil:
		return ""
	case m.T != b.T:
		return "work moved from " + string(b.T) + " to " + string(m.T)
	case !m.sameC():
		return "work moved from " + b.C.title() + " to " + m.C.title()
	case m.Phase() != b.Phase():
		return "phase moved from " + short(b.Phase()) + " to " + short(m.Phase())
	case m.State.Status != b.State.Status:
		return "status moved from " + short(b.State.Status) + " to " + short(m.State.Status)
	}
	return ""
}

func sessionIDChanged(r *check.Report, m *Model) {
	const key = "session_id"
	is := m.State.Text(key)
	if m.State.Judged(key) && m.Base.State.Judged(key) && is != m.Base.State.Text(key) && is != m.ID {
		m.field(r, key, m.was(key)).Offer(sdk.Review, "Set session_id to "+short(m.ID), setText(key, m.ID))
	}
}

func phaseWentBack(r *check.Report, m *Model) {
	b := m.Base
	if !m.sameC() || m.isFreshMap() || m.Index() == 0 || b.Index() <= m.Index() || b.Phase() == "complete" || b.Fit == sdk.Ahead {
		return
	}
	m.claim(r, "current_phase", m.was("current_phase")+", a later phase of "+m.C.title()).
		Offer(sdk.Review, "Set the phase to "+b.Phase(), setPhase(m.T, b.Phase())...)
}

func sessionReopened(r *check.Report, m *Model) {
	b := m.Base
	isOver := b.State.Status == "closed" || b.Phase() == "complete"
	if !m.sameC() || m.isFreshMap() || !isOver || !b.C.Result().Filled() ||
		m.State.Status != "active" || m.State.Rejected("status") || m.Phase() == "complete" {
		return
	}
	was := "complete"
	if b.State.Status == "closed" {
		was = "closed"
	}
	edits := setPhase(m.T, b.Phase())
	if isStatus(b.State.Status) {
		edits = append(edits, setText("status", b.State.Status))
	}
	if b.Index() == 0 {
		edits = setStatus(b.State.Status)
	}
	m.claim(r, "status", m.C.title()+" was "+was+"; a "+was+" session is not resumed, start "+m.T.Unit()+" "+itoa(m.C.N+1)).
		Offer(sdk.Review, "Restore the status and phase of base", edits...)
}

// isFresh reports whether the session was deleted and begun again since base:
// comparing the two would mean nothing.
func (m *Model) isFresh() bool {
	b := m.Base
	if b == nil || !m.State.OK() || !b.State.OK() || !startedAfter(m.State.Stamp(StartedAt), b.State.Stamp(UpdatedAt)) {
		return false
	}
	if m.keeps("rounds/") || m.keeps("map/") || m.keeps("context.md") {
		return false
	}
	had := len(under(b.Docs, "rounds/")) > 0 || len(under(b.Docs, "map/")) > 0
	return had || m.Index() == 1 || m.Index() > 0 && m.Index() < b.Index()
}

// isFreshMap reports whether the maps were deleted and begun again since base.
func (m *Model) isFreshMap() bool {
	b := m.Base
	return m.T == Map && m.Runs.Claim == 1 && startedAfter(m.State.Stamp(MapStartedAt), b.State.Stamp(UpdatedAt)) &&
		len(under(b.Docs, "map/")) > 0 && !m.keeps("map/")
}

func startedAfter(start, updated Stamp) bool {
	return start.OK() && updated.OK() && !start.At.Before(updated.At)
}

// keeps reports whether a filled document, at a path or below a directory, is
// the same in base and now.
func (m *Model) keeps(path string) bool {
	return slices.ContainsFunc(m.Base.Docs.All(), func(d *sdk.Document) bool {
		return strings.HasPrefix(d.Path, path) && Filled(d) && same(d, m.Docs.Get(d.Path))
	})
}

func evidenceLost(r *check.Report, m *Model) {
	if !m.seesAll() {
		return
	}
	moved := m.arrivals()
	for _, was := range m.Base.Docs.All() {
		if !Filled(was) || !isEvidence(was.Path) || strings.HasPrefix(was.Path, "map/") && m.isFreshMap() {
			continue
		}
		fault := " is gone"
		is := m.Docs.Get(was.Path)
		switch {
		case is == nil && moved[content(was)] > 0:
			moved[content(was)]--
			continue
		case is != nil && Hollow(is):
			fault = " has no word any more"
		case is != nil && bare(is) && !bare(was):
			fault = " has nothing left but headings"
		case is != nil:
			continue
		}
		restore(r.Whole(sayable(was.Path), was.Path+fault).Of(m.subjectOf(was.Path)), was.Path)
	}
}

// restore offers to give a document back.
func restore(f *check.Finding, path string) {
	if sayable(path) == path {
		f.Offer(sdk.Review, "Restore "+short(path), sdk.Restore(path))
	} else {
		f.Advise("Restore "+short(path), "Take the document from an earlier revision, for example with git restore.")
	}
}

// seesAll reports whether every document that base has is here, hollow or known
// not to exist, and no place where it might have gone is out of sight.
func (m *Model) seesAll() bool {
	gone := func(d *sdk.Document) bool { return m.Docs.Get(d.Path) == nil && !m.Known(d.Path) }
	return !slices.ContainsFunc(m.Base.Docs.All(), gone) && m.sees(&m.Rounds) && m.sees(&m.Runs)
}

// isEvidence reports whether a path is that of a document which proves work.
func isEvidence(path string) bool {
	switch path {
	case "discovered-standards.md", "context.md", "requirements.md":
		return true
	}
	return strings.HasPrefix(path, "rounds/") || strings.HasPrefix(path, "map/runs/")
}

// arrivals counts the documents that are not in base by what they say: a lost document may have
// moved there.
func (m *Model) arrivals() map[string]int {
	list := map[string]int{}
	for _, d := range m.Docs.All() {
		if !d.Dir && m.Base.Docs.Get(d.Path) == nil {
			list[content(d)]++
		}
	}
	return list
}

// content is what a document says, with its kind: the same for those that only are written in
// another way.
func content(d *sdk.Document) string {
	if !readable(d) {
		return path.Ext(d.Path) + d.Digest
	}
	return path.Ext(d.Path) + strings.Join(d.Outline().Document().Meaning(), "\n")
}

// bare reports whether a document has no words but in its headings.
func bare(d *sdk.Document) bool {
	return readable(d) && !slices.ContainsFunc(d.Outline().Document().Meaning(), func(line string) bool { return !strings.HasPrefix(line, "#") })
}

// same reports whether two documents say the same, as far as they were read.
func same(a, b *sdk.Document) bool {
	switch {
	case a == nil || b == nil:
		return false
	case a.Digest == b.Digest && (a.Digest != "" || a.Size == b.Size):
		return true
	}
	return readable(a) && readable(b) && markdown.Same(a.Outline(), b.Outline())
}

// readable reports whether a document can be compared by what it says.
func readable(d *sdk.Document) bool {
	return d.Format == sdk.Markdown && d.Need == sdk.Content && d.Readable()
}

// subjectOf is the subject whose directory a path lies in, "" if there is none
// such now or in base.
func (m *Model) subjectOf(path string) string {
	list := m.Subjects
	if m.Base != nil {
		list = slices.Concat(list, m.Base.Subjects)
	}
	for _, s := range list {
		if s.Dir != "" && strings.HasPrefix(path, s.Dir) {
			return s.Name()
		}
	}
	return ""
}

// finishedRoundRewritten holds a round to what it said when it was over: when the session was
// closed, or once a later round exists.
func finishedRoundRewritten(r *check.Report, m *Model) {
	for _, n := range m.Rounds.Set {
		was := m.Base.Subject(Review, n)
		why := "round " + itoa(m.Rounds.Max) + " exists"
		switch {
		case was == nil || was.Flat || !was.FIN.Filled():
			continue
		case n < m.Rounds.Max:
		case m.Base.IsC(was) && m.Base.State.Status == "closed":
			why = "the session was closed"
		default:
			continue
		}
		files := []File{was.FIN, was.DIS}
		for _, reviewer := range was.Reviews {
			files = append(files, reviewer.File)
		}
		for _, f := range files {
			is := m.Docs.Get(f.Path)
			if f.Exists() && is != nil && !Hollow(is) && (!bare(is) || bare(f.Doc)) && !same(f.Doc, is) {
				restore(on(r, was, f.Path, f.Path+" changed although "+why+difference(f.Doc, is)), f.Path)
			}
		}
	}
}

// difference says what a document no longer says, or says anew.
func difference(was, is *sdk.Document) string {
	if !readable(was) || !readable(is) {
		return ""
	}
	before, now := was.Outline().Document().Meaning(), is.Outline().Document().Meaning()
	for _, line := range before {
		if !slices.Contains(now, line) {
			return ": it no longer says " + shown(line)
		}
	}
	for _, line := range now {
		if !slices.Contains(before, line) {
			return ": it now says " + shown(line)
		}
	}
	return ": its lines are in another order"
}

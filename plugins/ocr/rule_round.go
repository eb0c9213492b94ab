package ocr

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

var roundRules = []check.Rule[*Model]{
	{Name: "round-beyond-files", Severity: sdk.Error, Needs: ofState,
		Replaces: []string{"run-beyond-files"},
		Doc:      "current_round or current_map_run names a round or run that has no files.",
		Why: "The directories are authoritative for rounds and runs: the tool shows the highest one. Set the field " +
			"to the one in progress, and the phase too if it does not fit.",
		Find: eachSeries(beyondFiles)},
	{Name: "round-behind-files", Severity: sdk.Error, Needs: ofState,
		Replaces: []string{"run-behind-files"},
		Doc:      "A later round or run than the one in current_round or current_map_run has begun.",
		Why: "A session that resumes would write into the earlier one. Set the field to the last round or run, and " +
			"the phase too if it does not fit.",
		Find: eachSeries(behindFiles)},
	{Name: "workflow-not-switched", Severity: sdk.Warning, Needs: ofState,
		Doc: "Work on the other workflow has begun, but state.json still records the finished one.",
		Why: "Starting a map in a session with a review, or a review after a map, sets workflow_type and a start " +
			"time. Otherwise `ocr progress` and a session that resumes do not see the new work.",
		Find: eachLive(func(r *check.Report, m *Model, s *Subject) {
			if m.unswitched(s) {
				m.field(r, "workflow_type", s.title()+" has begun ("+s.Ladder.Evidence[0]+
					"), but state.json records only "+m.C.title()+", "+m.State.Phase+", "+m.State.Status).
					Keyed(s.Name()).About(s.Name()).
					Advise("Record "+s.title(), "In state.json, "+m.switchTo(s)+".")
			}
		})},
	{Name: "unfinished-left-behind", Severity: sdk.Warning,
		Replaces:   []string{"round-gap"},
		Doc:        "An earlier round or run has no result, or a number is skipped.",
		SeverityIf: "Info if the directory exists.",
		Why: "The next one began before final.md or map.md was written. This may be intentional; no session writes " +
			"to old rounds. A missing directory was lost, or the later one has the wrong number.",
		Find: eachSeries(func(r *check.Report, m *Model, series *Series) {
			for i, n := range series.Set {
				s := m.Subject(series.Kind.name(n))
				if before := series.Set[max(i-1, 0)] + 1; before < n && i > 0 && m.sees(series) {
					missing := series.Kind.Unit + " " + say.Int(before) + " is missing"
					if last := n - 1; last > before {
						missing = series.Kind.Unit + "s " + say.Int(before) + " to " + say.Int(last) + " are missing"
					}
					on(r, s, s.Dir, missing+", although "+s.title()+" exists").Keyed(series.Kind.name(before)).
						Advise("Restore or rename", "Restore what is missing from an earlier revision, or give "+
							s.title()+" and "+series.Kind.Number+" the right number.")
				}
				if n < series.Max && s != m.C && !s.Result.Filled() && m.Known(s.Result.Path) {
					on(r, s, s.Dir, s.title()+" has no "+s.Kind.Result()+", although a later "+s.Kind.Unit+" exists").
						As(sdk.Info)
				}
			}
		})},
	{Name: "stray-flat-artifact", Severity: sdk.Warning,
		Replaces: []string{"round-name-malformed"},
		Doc:      "A round's or run's file is in another directory, or the directory has a nonstandard name.",
		Why: "Rounds are rounds/round-1, rounds/round-2 … with their reviews in reviews/, and runs are " +
			"map/runs/run-1 …; nothing reads files elsewhere. Move the file, or rename the directory.",
		Find: func(r *check.Report, m *Model) {
			for _, move := range m.strays() {
				from, to := move.Range.Path, move.To
				f := r.Whole(sayable(from), from+" is in the wrong location; expected "+to)
				if m.free(to) {
					f.Offer(sdk.Review, "Move it to "+to, move)
				} else {
					f.Advise("Move the file", "Find out which round or run it belongs to, then move it there.")
				}
			}
		}},
}

// unswitched reports whether a subject of the other workflow is in progress although state.json never recorded it. The
// subject that state.json names must have its result. The other one must have begun since the base, or have no start
// time in a closed session.
func (m *Model) unswitched(s *Subject) bool {
	if m.C == nil || s.Kind == m.T || !m.C.Result.Filled() || s.Result.Filled() || !s.HasFilled() ||
		!m.IsLive(s) || !m.Known(s.Result.Path) {
		return false
	}
	start := s.Kind.Start
	if m.State.Status == "closed" && !m.State.Has(start) {
		return true
	}
	b := m.Base
	return m.onBase() && b.T == m.T && b.State.Stamp(start).Text == m.State.Stamp(start).Text &&
		len(filled(s.Files()...)) > 0 && (b.Subject(s.Name()) == nil || !b.Subject(s.Name()).HasFilled())
}

// switchTo says how state.json records that the session continues with a subject that it does not name.
func (m *Model) switchTo(s *Subject) string {
	k, at, status, start := s.Kind, m.goesOn(s), "", "; keep started_at and "+s.Kind.Start
	if m.State.Status == "closed" {
		status = "status to active, "
	}
	if m.unswitched(s) {
		start = "; set " + k.Start + " to the time when " + s.title() + " began; keep started_at"
	}
	return "set workflow_type to " + k.Name + ", " + k.Number + " to " + say.Int(s.N) + ", " + status +
		"current_phase to " + at + ", phase_number to " + say.Int(k.Index(at)) +
		", and updated_at to the current time" + start
}

// beyondFiles finds a claim about a round (run) that has no files.
func beyondFiles(r *check.Report, m *Model, s *Series) {
	k, field := s.Kind, s.Kind.Number
	if m.T != k || !m.BeyondFiles() {
		return
	}
	target := m.C.Ladder.Canonical
	switch {
	case m.Fit == sdk.JustBehind:
		target = m.C.Ladder.FirstFitting()
	case target == "complete" && k == Review:
		target = "synthesis" // no file records whether it was presented
	}
	found := "the highest " + k.Unit + " is " + say.Int(s.Max)
	if s.Max == 0 {
		found = "no " + k.Unit + " has files"
	}
	title, set := "Set "+field+" to "+say.Int(s.Working), setInt(field, s.Working)
	f := m.claim(r, field, field+" is "+say.Int(s.Claim)+", but "+found)
	if next := m.nextRound(); next > 0 {
		title, set = "Set "+field+" to "+say.Int(next), setInt(field, next)
		if m.Index() <= k.Index(k.Unproved) {
			f.Offer(sdk.Review, title, set)
		} else {
			f.Offer(sdk.Review, title+" and the phase to "+k.Phases[0], setPhase(k, k.Phases[0], set)...)
		}
		return
	}
	edits := append([]sdk.Edit{set}, m.startOfBase(r.Pass, k)...)
	if m.Fit == sdk.Consistent {
		f.Offer(sdk.Safe, title, edits...)
	}
	if m.State.Phase != target && (m.Fit != sdk.Consistent || m.State.Phase != "complete") {
		f.Offer(sdk.Review, title+" and the phase to "+target, m.phaseTo(target, edits...)...)
	}
	if s.Max > 0 && s.Claim == s.Max+1 && m.C.Result.Filled() && m.State.Status == "active" {
		first := k.Phases[0]
		f.Offer(sdk.Review, "Begin "+k.Unit+" "+say.Int(s.Claim)+" again: set the phase to "+first,
			setPhase(k, first)...)
	}
}

// nextRound returns the number of the round (run) after the last one, if that one was closed or complete in the base
// and an active state has a later number. Otherwise it returns 0. A closed round is not resumed, so the next one began.
func (m *Model) nextRound() int {
	s, b := m.Series(m.T), m.Base
	if !m.BeyondFiles() || !m.onBase() || m.State.Status != "active" || m.Index() == 0 || b.T != m.T || b.C == nil ||
		b.C.N != s.Max || !b.C.Result.Filled() || !m.C.Result.Filled() ||
		b.State.Status != "closed" && b.State.Phase != "complete" {
		return 0
	}
	return s.Max + 1
}

// startOfBase returns the edit that restores the start time of the current round (run) from the base.
func (m *Model) startOfBase(p *sdk.Pass, k *Kind) []sdk.Edit {
	if !m.onBase() || !m.sameC() || !m.rewritten(p, k.Start) {
		return nil
	}
	return []sdk.Edit{setText(k.Start, m.Base.State.Stamp(k.Start).Text)}
}

// behindFiles finds a claim about a round (run) although a later one has begun.
func behindFiles(r *check.Report, m *Model, s *Series) {
	k, field := s.Kind, s.Kind.Number
	if m.T != k || !m.BehindFiles() {
		return
	}
	title := "Set " + field + " to " + say.Int(s.Working)
	edits := []sdk.Edit{setInt(field, s.Working)}
	switch result := m.C.Result.Filled(); {
	case m.Fit != sdk.Consistent:
		status := "active"
		if result && k == Review {
			status = "closed"
		}
		title += " and the phase to " + m.C.Ladder.Canonical
		edits = append(edits, setPhase(k, m.C.Ladder.Canonical, setText("status", status))...)
	case m.State.Status == "closed" && !result:
		title += " and status to active"
		edits = append(edits, setStatus("active")...)
	default:
		edits = append(edits, setNow(UpdatedAt))
	}
	if m.State.Has(k.Start) && !m.wasLater() && (m.Base == nil || !m.rewritten(r.Pass, k.Start)) {
		title += ", and remove the " + k.Start + " of " + k.Unit + " " + say.Int(s.Claim)
		edits = append(edits, sdk.Unset(StatePath, jsondoc.Pointer(k.Start)))
	}
	first := ""
	if i := slices.IndexFunc(m.C.Docs, Filled); i >= 0 {
		_, first = cutLast(m.C.Docs[i].Path, "/")
	}
	m.claim(r, field, field+" is "+say.Int(s.Claim)+", but "+k.Unit+" "+say.Int(s.Working)+" has begun ("+
		say.Clip(first)+")").
		Offer(sdk.Review, title, edits...)
}

// eachSeries returns the Find function of a rule about rounds and runs.
func eachSeries(find func(*check.Report, *Model, *Series)) func(*check.Report, *Model) {
	return func(r *check.Report, m *Model) {
		find(r, m, &m.Rounds)
		find(r, m, &m.Runs)
	}
}

// canonicalName returns the intended name of a directory, or "" if that is unclear.
func (k *Kind) canonicalName(name string) string {
	rest, ok := strings.CutPrefix(strings.Map(hyphen, strings.ToLower(name)), k.Unit)
	if n, canonical := canonicalNumber(strings.TrimLeft(strings.TrimPrefix(rest, "-"), "0")); ok && canonical {
		return k.name(n)
	}
	return ""
}

// free reports whether a move to path would not collide with anything.
func (m *Model) free(path string) bool {
	return m.Get(path) == nil && len(under(m.Docs, path)) == 0 && m.Known(path)
}

// strays returns the moves of everything that is in the wrong location.
func (m *Model) strays() (moves []sdk.Edit) {
	found := ""
	for _, d := range m.All() {
		if from, to := m.strayed(d.Path); from != "" && from != found && Filled(d) {
			found, moves = from, append(moves, sdk.Move(from, to))
		}
	}
	return moves
}

// toCollect returns the moves of files of C that are in the wrong location, or nil unless all of them can move.
func (m *Model) toCollect() (moves []sdk.Edit) {
	for _, move := range m.strays() {
		if strings.HasPrefix(move.To, m.C.Dir) {
			if !m.free(move.To) {
				return nil
			}
			moves = append(moves, move)
		}
	}
	return moves
}

// collect offers to move files of C to its directory, and reports whether there are any. In that case, state.json may
// be right about them.
func (m *Model) collect(f *check.Finding) bool {
	moves := m.toCollect()
	if len(moves) > 0 {
		at := slices.IndexFunc(moves, func(move sdk.Edit) bool { return move.To == m.C.Result.Path })
		f.Message += "; " + say.Clip(moves[max(at, 0)].Range.Path) + " is in the wrong location"
		f.Offer(sdk.Review, "Move the files of "+m.C.title()+" to "+m.C.Dir, moves...)
	}
	return len(moves) > 0
}

// strayed returns the path to move and its target: a document and where it belongs, or the directory of a round or run
// and its correct name. It returns "" if the document is in the right location.
func (m *Model) strayed(path string) (from, to string) {
	dir, name := cutLast(path, "/")
	lower := strings.ToLower(name)
	isMap, isRound := slices.Contains(Map.Files, lower), slices.Contains(Review.Files, lower)
	switch {
	case isMap && (dir == "" || dir == "map"):
		return path, Map.directory(m.Runs.Working) + lower
	case isRound && (dir == "" || dir == "reviews"):
		return path, Review.directory(m.Rounds.Working) + lower
	case isRound && home(path)+"reviews" == dir:
		return path, home(path) + lower
	case (isMap || isRound) && name != lower && home(path) == dir+"/":
		return path, dir + "/" + lower
	case home(path) == dir+"/" && isReviewer(name):
		return path, dir + "/reviews/" + name
	case inReviews("reviews/", path):
		return path, Review.directory(m.Rounds.Working) + path
	}
	for _, place := range [...]struct {
		below string
		kind  *Kind
	}{{"", Review}, {"", Map}, {"runs/", Map}, {"map/", Map}, {Review.Parent, Review}, {Map.Parent, Map}} {
		name, _, ok := strings.Cut(strings.TrimPrefix(path, place.below), "/")
		if to := place.kind.canonicalName(name); ok && to != "" && strings.HasPrefix(path, place.below) &&
			place.below+name != place.kind.Parent+to {
			return place.below + name + "/", place.kind.Parent + to + "/"
		}
	}
	return "", ""
}

// isReviewer reports whether a file is named after a reviewer that the tool has: "principal-1.md".
func isReviewer(name string) bool {
	stem, ok := strings.CutSuffix(name, ".md")
	kind, digits := cutLast(stem, "-")
	_, numbered := canonicalNumber(digits)
	return ok && numbered && slices.Contains([]string{"principal", "quality", "security", "testing"}, kind)
}

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
		Doc: "current_round names a review round that has no files.",
		Why: "The directories are authoritative for rounds: the tool shows the highest one. Set current_round to " +
			"the round in progress, and the phase too if it does not fit.",
		Find: beyondFiles(Review)},
	{Name: "round-behind-files", Severity: sdk.Error, Needs: ofState,
		Doc: "A later review round than current_round has begun.",
		Why: "The state names an earlier round, so a session that resumes would write into it. Set current_round to " +
			"the last round, and the phase too if it does not fit that round.",
		Find: behindFiles(Review)},
	{Name: "run-beyond-files", Severity: sdk.Error, Needs: ofState,
		Doc: "current_map_run names a map run that has no files.",
		Why: "The directories are authoritative for runs: the tool shows the highest one. Set current_map_run to " +
			"the run in progress, and the phase too if it does not fit.",
		Find: beyondFiles(Map)},
	{Name: "run-behind-files", Severity: sdk.Error, Needs: ofState,
		Doc: "A later map run than current_map_run has begun.",
		Why: "The state names an earlier run, so a session that resumes would write into it. Set current_map_run to " +
			"the last run, and the phase too if it does not fit that run.",
		Find: behindFiles(Map)},
	{Name: "round-name-malformed", Severity: sdk.Warning,
		Doc: "A directory next to the rounds or map runs has a nonstandard name.",
		Why: "Rounds are named round-1, round-2 … and runs run-1, run-2 …, without leading zeros. The tool ignores " +
			"files in other directories. Rename the directory, or move it elsewhere.",
		Find: eachSeries(func(r *check.Report, m *Model, s *Series) {
			for _, dir := range s.Strange {
				name := strings.TrimSuffix(strings.TrimPrefix(dir, s.Kind.Parent), "/")
				to := s.Kind.canonicalName(name)
				target, want := s.Kind.Parent+to+"/", to
				switch {
				case to == "":
					want = s.Kind.Unit + "-<number>"
				case len(under(m.Docs, target)) > 0:
					want += ", which already exists"
				}
				f := r.Whole(sayable(dir), say.Quote(name)+" is not read; expected the name "+want)
				if want == to {
					f.Offer(sdk.Review, "Rename "+say.Clip(name)+" to "+to, sdk.Move(dir, target))
				}
				f.Advise("Rename the directory", "Move the files in "+say.Clip(dir)+" to the "+s.Kind.Unit+
					" they belong to, or out of "+s.Kind.Parent+".")
			}
		})},
	{Name: "round-gap", Severity: sdk.Warning, Doc: "A review round or map run is missing from the sequence.",
		Why: "Rounds are counted by their directories, so a round was lost or its number was skipped. Restore it if " +
			"it was lost.",
		Find: eachSeries(func(r *check.Report, m *Model, s *Series) {
			last, k := 0, s.Kind
			for _, n := range s.Set {
				if gone := k.directory(last + 1); n > last+1 && m.Known(gone+k.Result()) {
					lost := gone + " does"
					if n > last+2 {
						lost = gone + " to " + k.directory(n-1) + " do"
					}
					r.Whole(k.Parent, k.directory(n)+" exists, but "+lost+" not").Keyed(k.name(last+1)).
						Advise("Close the gap", "Restore what was lost in "+k.Parent+
							", or keep the gap if the number was never used.")
				}
				last = n
			}
		})},
	{Name: "unfinished-left-behind", Severity: sdk.Info, Doc: "An earlier round or run has no result.",
		Why: "The next one began before final.md or map.md was written. This may be intentional; no session writes " +
			"to old rounds.",
		Find: eachSeries(func(r *check.Report, m *Model, series *Series) {
			for _, n := range series.Set {
				s := m.Subject(series.Kind.name(n))
				if n < series.Max && s != m.C && !s.Result.Filled() && m.Known(s.Result.Path) {
					on(r, s, s.Dir, s.title()+" has no "+s.Kind.Result()+", although a later "+s.Kind.Unit+" exists")
				}
			}
		})},
	{Name: "legacy-flat-layout", Severity: sdk.Warning,
		Doc:        "The session keeps its review in the layout of v1.0 and v1.1.",
		SeverityIf: "Info if state.json has no current_round, which later versions write.",
		Why: "Reviewer files, discourse.md and final.md are in the session's root, where later versions find no " +
			"round. Move them to rounds/round-1 to continue with a later version.",
		Find: func(r *check.Report, m *Model) {
			if !m.Flat {
				return
			}
			var edits []sdk.Edit
			for _, path := range []string{"reviews/", "discourse.md", "final.md"} {
				if m.Get(path) != nil || len(under(m.Docs, path)) > 0 {
					edits = append(edits, sdk.Move(path, Review.directory(1)+path))
				}
			}
			f, title := r.Whole(edits[0].Range.Path,
				"the review is in the layout of v1.0 and v1.1, where later versions find no rounds"),
				"Move the review's files to rounds/round-1"
			// the flat layout accepts any earlier claim, but a round does not
			if m.T == Review && m.State.Status != "closed" {
				moved := *m.C
				moved.Flat = false
				ladder := m.climb(&moved)
				if fit := ladder.Fit(m.State.Phase); fit == sdk.JustBehind || fit == sdk.Behind {
					title += " and set the phase to " + ladder.FirstFitting()
					edits = append(edits, setPhase(Review, ladder.FirstFitting())...)
				}
			}
			f.Offer(sdk.Review, title, edits...)
			if !m.State.Has("current_round") {
				f.As(sdk.Info)
			}
		}},
	{Name: "stray-flat-artifact", Severity: sdk.Warning,
		Doc: "A review file is in the session's root or next to a round's reviews directory.\n\nA session with " +
			"rounds keeps its review files in the rounds.",
		Why: "The file does not belong to any round or does not count as a review, so nothing reads it. Move it to " +
			"the right directory.",
		Find: func(r *check.Report, m *Model) {
			for _, s := range m.Live {
				m.besideReviews(r, s)
			}
			found := ""
			for _, d := range m.All() {
				from, to := m.strayed(d.Path)
				if from == "" || from == found || !Filled(d) {
					continue
				}
				found = from
				f := r.Whole(sayable(from), from+" is in the wrong location; expected "+to)
				if m.free(to) {
					f.Offer(sdk.Review, "Move it to "+to, sdk.Move(from, to))
				} else {
					f.Advise("Move the file", "Find out which round or run it belongs to, then move it there.")
				}
			}
		}},
}

// beyondFiles finds a claim about a round (run) that has no files.
func beyondFiles(k *Kind) func(*check.Report, *Model) {
	return func(r *check.Report, m *Model) {
		s, field := m.Series(k), k.Number
		if m.T == k.Other() && s.Max > 0 && s.Claim > s.Max+1 && m.sees(s) {
			m.field(r, field, field+" is "+say.Int(s.Claim)+", but the highest "+k.Unit+" is "+
				say.Int(s.Max)).As(sdk.Warning).
				Offer(sdk.Review, "Set "+field+" to "+say.Int(s.Max), setInt(field, s.Max))
		}
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
func behindFiles(k *Kind) func(*check.Report, *Model) {
	return func(r *check.Report, m *Model) {
		if m.T != k || !m.BehindFiles() {
			return
		}
		s, field := m.Series(k), k.Number
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
		}
		if m.State.Has(k.Start) && (m.Base == nil || !m.rewritten(r.Pass, k.Start)) {
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
	rest, ok := strings.CutPrefix(normalPhase(name), k.Unit)
	if n, canonical := canonicalNumber(strings.TrimLeft(strings.TrimPrefix(rest, "-"), "0")); ok && canonical {
		return k.name(n)
	}
	return ""
}

// free reports whether a move to path would not collide with anything.
func (m *Model) free(path string) bool {
	return m.Get(path) == nil && len(under(m.Docs, path)) == 0 && m.Known(path)
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
	case isRound && dir == "" && m.Rounds.Max > 0:
		return path, Review.directory(m.Rounds.Working) + lower
	case (isMap || isRound) && name != lower && home(path) == dir+"/":
		return path, dir + "/" + lower
	case inReviews("reviews/", path) && m.Rounds.Max > 0:
		return path, Review.directory(m.Rounds.Working) + path
	}
	for _, place := range [...]struct {
		below string
		kind  *Kind
	}{{"", Review}, {"", Map}, {"runs/", Map}, {"map/", Map}} {
		name, _, ok := strings.Cut(strings.TrimPrefix(path, place.below), "/")
		if to := place.kind.canonicalName(name); ok && to != "" && strings.HasPrefix(path, place.below) {
			return place.below + name + "/", place.kind.Parent + to + "/"
		}
	}
	return "", ""
}

// besideReviews finds reviewer files next to the reviews directory instead of in it. A reviewer file is named after a
// reviewer type that the session or the tool has.
func (m *Model) besideReviews(r *check.Report, s *Subject) {
	types := []string{"principal", "quality", "security", "testing"}
	for _, other := range m.Subjects {
		for _, reviewer := range other.Reviews {
			kind, _ := splitReviewer(stem(reviewer))
			types = append(types, kind)
		}
	}
	for _, d := range s.Docs {
		stem, ok := strings.CutSuffix(strings.TrimPrefix(d.Path, s.Dir), ".md")
		kind, n := splitReviewer(stem)
		if s.Kind != Review || s.Flat || !ok || n == 0 || !Filled(d) || !slices.Contains(types, kind) {
			continue
		}
		f := on(r, s, d.Path, d.Path+" is not in "+s.ReviewsDir()+", so nothing reads it")
		if to := s.ReviewsDir() + stem + ".md"; m.free(to) {
			f.Offer(sdk.Review, "Move it to "+s.ReviewsDir(), sdk.Move(d.Path, to))
		} else {
			f.Advise("Decide which file to keep", "Compare it with "+to+
				", keep one of them there, and remove the other.")
		}
	}
}

package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

func assemblyWithExitCode(l *look, a *agent) {
	if a.catFailed() && !a.phases[2].word.open() {
		l.say(a, catPointer, "cat_exit_code is "+plain(a.at(catPointer))+", but PHASE_3_BASH_ASSEMBLY is "+
			wordNames[a.phases[2].word]+"; expected 0").
			Offer(sdk.Review, reassembly, l.reassemble(a)...)
	}
}

const reassembly = "Reopen the state at PHASE_3_BASH_ASSEMBLY"

// reassemble returns the edits after which the assembly runs again from the start, and a finished synthesis checks the
// memorandum again.
func (m *model) reassemble(a *agent) []sdk.Edit {
	edits := append(a.reopen(2, nil), a.nextAction("run PHASE_3_BASH_ASSEMBLY again from the start")...)
	for _, pointer := range [...]string{catPointer, "/phases/PHASE_3_BASH_ASSEMBLY/completed_at"} {
		if !nothing(a.at(pointer)) {
			edits = append(edits, a.set(pointer, "null")...)
		}
	}
	if b := m.find("synthesis"); b != nil && b.claims {
		if missing := m.unstarted(b.recorded()); len(missing) > 0 {
			edits = append(edits, m.forget(b, missing)...)
		} else {
			edits = append(edits, b.reopen(b.again(), nil)...)
		}
		edits = append(edits, b.nextAction("check "+memoPath+" once the assembly has run again")...)
	}
	return append(edits, m.reopenGroup(a)...)
}

const catPointer = "/phases/PHASE_3_BASH_ASSEMBLY/cat_exit_code"

// catFailed reports whether the assembly ended with an error.
func (a *agent) catFailed() bool {
	code, ok := num(a.at(catPointer))
	return a.kind == kinds[assembly] && ok && code != 0
}

// A verification is a check that the synthesis records, with the result of its figures.
type verification struct {
	name, pointer string
	body          value
	passed        bool
	good, judged  bool // whether the figures pass, and whether they can be evaluated
	figures       string
}

// verifications returns the checks that the synthesis records.
func (a *agent) verifications() []*verification {
	var found []*verification
	for _, where := range [...]string{"/verification_status", "/phases/PHASE_5_QUALITY"} {
		for _, m := range a.at(where).Members() {
			passed, ok := m.Value.Get("passed").Bool()
			if !ok {
				continue
			}
			target, actual := m.Value.Get("target"), m.Value.Get("actual")
			v := &verification{name: m.Key, pointer: where + "/" + jsondoc.EscapeToken(m.Key) + "/passed",
				body: m.Value, passed: passed, figures: "no figures"}
			if target.Exists() {
				v.figures = "target is " + plain(target) + " and actual " + plain(actual)
			}
			t, ok1 := num(target)
			n, ok2 := num(actual)
			yes, is1 := target.Bool()
			is, is2 := actual.Bool()
			switch {
			case ok1 && ok2 && (words.Mentions(m.Key, "placeholder") || t == 0):
				v.good, v.judged = n <= t, true
			case ok1 && ok2:
				v.good, v.judged = n >= t, true
			case is1 && is2:
				v.good, v.judged = yes == is, true
			}
			found = append(found, v)
		}
	}
	return found
}

func checkAgainstFigures(l *look, a *agent) {
	var said []string
	for _, v := range a.verifications() {
		if !v.judged || v.good == v.passed || holds(said, v.name) {
			continue // both objects may contain the same check
		}
		said = append(said, v.name)
		is, to, severity := "true", "false", sdk.Error
		if !v.passed {
			is, to = "false", "true"
		}
		if !v.passed || v.body.Get("note").Exists() || v.body.Get("reason").Exists() {
			severity = sdk.Warning
		}
		l.say(a, v.pointer, "passed of "+say.Clip(v.name)+" is "+is+", but "+v.figures).Keyed(v.name).As(severity).
			Offer(sdk.Review, "Set passed to "+to, a.set(v.pointer, to)...)
	}
}

// qualityFlags holds the flags that say that all checks passed.
var qualityFlags = [...]string{"all_checks_passed", "all_quality_gates_passed", "verification_passed"}

// failedCheck finds a failed check in a finished file, or next to a flag that says that all checks passed.
func failedCheck(l *look, a *agent) {
	failing := keep(a.verifications(), func(v *verification) bool { return !v.passed })
	failed := gather(failing, func(v *verification) string { return v.name + " (" + v.figures + ")" })
	if len(failed) == 0 {
		return
	}
	for _, flag := range qualityFlags {
		pointer := "/phases/PHASE_5_QUALITY/" + flag
		if yes, _ := a.at(pointer).Bool(); yes {
			l.say(a, pointer, flag+" is true, but these checks failed: "+list(failed)).
				Offer(sdk.Review, "Set "+flag+" to false and reopen PHASE_5_QUALITY",
					append(a.reopen(4, nil), a.set(pointer, "false")...)...)
			return
		}
	}
	if a.finished {
		l.say(a, "/verification_status", a.claimText()+", but these checks failed: "+list(failed)).As(sdk.Warning)
	}
}

// off reports whether two figures differ by more than a share of the larger one.
func off(recorded, measured, share float64) bool {
	return abs(recorded-measured) > share*max(recorded, measured)
}

// memorandumSizeDiffers compares the recorded size with the measured one.
func memorandumSizeDiffers(l *look) {
	if !measured(l.memo) {
		return
	}
	lines, size, words := float64(l.memo.Summary.Lines), float64(l.memo.Size), wordCount(l.memo)
	for _, a := range l.agents {
		if a.kind.stage != 7 || !a.finished {
			continue
		}
		if n, ok := num(a.metrics.Get("line_count")); ok && n > 0 && off(n, lines, .05) {
			l.say(a, "/metrics/line_count", but("line_count", n, "the line count of "+memoPath,
				lines)).Keyed("line_count")
		}
		if kb, ok := num(a.metrics.Get("file_size_kb")); ok && a.kind == kinds[assembly] && kb > 0 && size > 0 &&
			off(kb, size/1000, .05) && off(kb, size/1024, .05) {
			l.say(a, "/metrics/file_size_kb", but("file_size_kb", kb, "the size of "+memoPath,
				float64(int(size)/1024))).Keyed("file_size_kb")
		}
	}
	for _, s := range l.orch.ids {
		// the memorandum grows during quality
		if n, ok := num(s.body.Get("word_count")); ok && s.group == 4 && s.word == complete &&
			(off(n, words, .25) || n > words && off(n, words, .1)) {
			l.orchestrator(s.at, but("word_count of "+s.id, n, "the word count of "+memoPath, words)).Keyed(s.id)
		}
	}
}

// inputFlagOffFiles compares input_files_verified with the existing files.
func inputFlagOffFiles(l *look, a *agent) {
	for _, s := range textsOf(a.root.Get("input_files_verified").Get("missing_files")) {
		if d := l.named(s); d != nil {
			l.say(a, "/input_files_verified/missing_files",
				"missing_files has "+say.Quote(s)+", but "+d.Path+" exists").Keyed(s).As(sdk.Warning)
		}
	}
	for _, e := range a.root.Get("input_files_verified").Members() {
		flag, ok := e.Value.Bool()
		folded := func(s string) string { return strings.ReplaceAll(words.Lower(s), "_", "-") }
		name := folded(e.Key)
		d := first(l.docs.All(), func(d *sdk.Document) bool {
			return !d.Dir && name != "" &&
				strings.Contains(folded(d.Path), name)
		})
		pointer := "/input_files_verified/" + jsondoc.EscapeToken(e.Key)
		switch {
		case ok && flag && d == nil:
			l.say(a, pointer, e.Key+" is true, but no file is named "+name).Keyed(e.Key).
				Offer(sdk.Review, "Set "+e.Key+" to false and reopen PHASE_1_DISCOVERY",
					append(a.reopen(0, nil), a.set(pointer, "false")...)...)
		case ok && !flag && d != nil && a.phaseDone("loading"): // agents do not check it earlier
			l.say(a, pointer, e.Key+" is false, but "+d.Path+" exists").Keyed(e.Key).As(sdk.Warning).Offer(sdk.Review,
				"Set "+e.Key+" to true", a.set(pointer, "true")...)
		}
	}
}

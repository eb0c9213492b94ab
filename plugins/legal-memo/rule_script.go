package legalmemo

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
)

// A script is a record in script_execution_tracking.
type script struct {
	name, status  string
	needs         string // name of the script that it depends on
	executed, has bool   // has: whether executed is a boolean
	body          value
	code          float64
	coded         bool
}

const tracking = "script_execution_tracking"

// results holds the fields that an ended script must have filled in, if they exist.
var results = [...]string{"timestamp", "total_citations", "total_facts", "total_findings", "coverage_percentage",
	"headers_after", "orphaned_findings_count", "detections_count"}

// countedScripts are the scripts whose runs the workflow counts in iteration_count.
const countedScripts = "extract_citations scan_citation_tags extract_fact_registry aggregate_risk_tables"

// scriptWords holds a script's statuses: not run, running, or ended with exit code 0, 1 or 2.
var scriptWords = [...]string{"not_run", "running", "complete", "failed", "error"}

func (a *agent) scripts() []*script {
	var list []*script
	for _, e := range a.root.Get(tracking).Members() {
		s := &script{name: e.Key, body: e.Value}
		text, _ := e.Value.Get("status").Text()
		s.status = foldStatus(text)
		s.needs, _ = e.Value.Get("depends_on").Text()
		s.executed, s.has = e.Value.Get("executed").Bool()
		s.code, s.coded = num(e.Value.Get("exit_code"))
		list = append(list, s)
	}
	return list
}

func (s *script) at(field string) string { return jsondoc.Pointer(tracking, s.name, field) }

// ended reports whether a script has ended, with any result.
func (s *script) ended() bool { return slices.Contains(scriptWords[2:], s.status) }

// reset reports whether a script was reset on purpose: the workflow sets executed to false and counts the iteration,
// but keeps the last run's status and result.
func (s *script) reset() bool {
	n, _ := num(s.body.Get("iteration_count"))
	return s.has && !s.executed && s.status != "running" && n >= 1
}

// failed reports whether the script ended with an error, so that its dependents may not run.
func (s *script) failed() bool { return s.coded && s.code == 2 || s.status == "error" }

// halted returns a script that ended with an error and has a dependent, or nil if there is none.
func (a *agent) halted() *script {
	return first(a.scripts(), func(s *script) bool { return s.executed && s.failed() && a.dependentOf(s) != "" })
}

// dependentOf returns the first script that depends on s, or "" if there is none.
func (a *agent) dependentOf(s *script) string {
	if d := first(a.scripts(), func(d *script) bool { return d.needs == s.name }); d != nil {
		return d.name
	}
	return ""
}

func scriptNamed(all []*script, name string) *script {
	return first(all, func(s *script) bool { return s.name == name })
}

// dependents returns the scripts that depend on s and were run.
func (a *agent) dependents(s *script) []*script {
	return keep(a.scripts(), func(d *script) bool { return d.needs == s.name && (d.executed || d.status == "running") })
}

// reset returns the edits after which scripts count as not run, including their dependents, whose results have no
// basis. If count is set, the due runs are also counted.
func (a *agent) reset(count bool, due ...*script) (edits []sdk.Edit) {
	for i := 0; i < len(due); i++ {
		s := due[i]
		edits = append(edits, a.set(s.at("executed"), "false", s.at("status"), `"not_run"`)...)
		if s.coded {
			edits = append(edits, a.set(s.at("exit_code"), "null")...)
		}
		edits = append(edits, a.unrecord(s)...)
		if count {
			n, _ := num(s.body.Get("iteration_count"))
			edits = append(edits, a.set(s.at("iteration_count"), figure(n+1))...)
		}
		for _, d := range a.dependents(s) {
			if scriptNamed(due, d.name) == nil { // dependencies may be circular
				due = append(due, d)
			}
		}
	}
	return edits
}

// unrecord returns the edits after which a script has no result: its time and figures are null, as before a run.
func (a *agent) unrecord(s *script) (edits []sdk.Edit) {
	for _, m := range s.body.Members() {
		counted := m.Value.Kind() == jsondoc.Number && m.Key != "iteration_count" && m.Key != "exit_code" &&
			!strings.HasSuffix(m.Key, "_target")
		if counted || m.Key == "timestamp" && !empty(m.Value) {
			edits = append(edits, a.set(s.at(m.Key), "null")...)
		}
	}
	return edits
}

func scriptFieldsDisagree(l *look, a *agent, s *script) {
	if failed := s.body.Get("blocking_checks_failed"); failed.Len() > 0 && s.status == "complete" {
		l.say(a, s.at("blocking_checks_failed"), "the status of "+s.name+
			" is \"complete\", but blocking_checks_failed is "+
			plain(failed)+"; expected \"failed\" with exit_code 1").Keyed(s.name+" blocking").
			Offer(sdk.Review, "Set the status of "+s.name+" to failed",
				a.set(s.at("status"), `"failed"`, s.at("exit_code"), "1")...)
	}
	counted := strings.Contains(countedScripts, s.name)
	if n, ok := num(s.body.Get("iteration_count")); ok && n == 0 && s.executed && s.ended() && counted {
		l.say(a, s.at("iteration_count"),
			s.name+" was executed, but its iteration_count is 0; expected at least 1").Keyed(s.name+
			" iteration").As(sdk.Warning).
			Offer(sdk.Safe, "Set iteration_count to 1", a.set(s.at("iteration_count"), "1")...)
	}
	if old := l.earlier(a, s); old != nil && old.executed && s.executed && counted {
		before, _ := num(old.body.Get("iteration_count"))
		n, has := num(s.body.Get("iteration_count"))
		then, now := old.body.Get("timestamp"), s.body.Get("timestamp")
		if (!has || n == before) && !empty(then) && !empty(now) && !same(then, now) {
			l.say(a, s.at("iteration_count"), s.name+" was run again: "+l.was(a, "timestamp", now, then)+
				"; but iteration_count is still "+figure(before)).Keyed(s.name+" rerun").As(sdk.Warning).
				Offer(sdk.Review, "Count the run", a.set(s.at("iteration_count"), figure(before+1))...)
		}
	}
	if s.reset() {
		return
	}
	if s.has && (s.executed && s.status == "not_run" || !s.executed && s.ended()) {
		f := l.say(a, s.at("executed"), "executed of "+s.name+" is "+plain(s.body.Get("executed"))+", but status is "+
			say.Quote(s.status)).Keyed(s.name)
		if s.executed {
			f.Offer(sdk.Review, "Set executed to false", a.set(s.at("executed"), "false")...)
		} else { // the script runs again; its result may be stale
			f.Offer(sdk.Review, "Set the status of "+s.name+" to not_run", a.reset(false, s)...)
		}
	}
	if s.executed && (s.status == "complete" || s.status == "failed") {
		for _, field := range results {
			if v := s.body.Get(field); v.Kind() == jsondoc.Null {
				l.say(a, s.at(field), s.name+" is "+say.Quote(s.status)+", but its "+field+" is null").Keyed(s.name +
					" " +
					field).As(sdk.Warning)
				break
			}
		}
	}
	code := slices.Index([]float64{0, 1, 2}, s.code)
	if !s.coded || !s.ended() && s.status != "not_run" || code < 0 && (s.status == "error" || s.status == "failed") ||
		code >= 0 && scriptWords[2+code] == s.status {
		return
	}
	f := l.say(a, s.at("exit_code"), "exit_code of "+s.name+" is "+figure(s.code)+", but status is "+
		say.Quote(s.status)).Keyed(s.name + " exit_code")
	switch {
	case s.has && !s.executed:
		f.Offer(sdk.Review, "Set the status of "+s.name+" to not_run", a.reset(false, s)...)
	case code >= 0:
		edits := a.set(s.at("status"), jsondoc.Quote(scriptWords[2+code]), s.at("executed"), "true")
		if code == 2 {
			edits = append(edits, a.reset(false, a.dependents(s)...)...)
		}
		f.Offer(sdk.Review, "Set status to "+scriptWords[2+code], edits...)
	}
}

func scriptInterrupted(l *look, a *agent, s *script) {
	switch ended := s.executed && s.coded && s.code >= 0 && s.code <= 2; {
	case s.status == "running" && ended:
		word := scriptWords[2+int(s.code)]
		l.say(a, s.at("status"), "the status of "+s.name+" is \"running\", but executed is true and exit_code is "+
			figure(s.code)).Keyed(s.name).
			Offer(sdk.Review, "Set status to "+word, a.set(s.at("status"), jsondoc.Quote(word))...).
			Offer(sdk.Review, "Set the status to not_run, so that "+s.name+" runs again", a.reset(false, s)...)
	case s.status == "running":
		f := l.say(a, s.at("status"), "the status of "+s.name+
			" is \"running\"; unless it is still running, it was interrupted and must run again from "+
			"scratch").Keyed(s.name)
		f.Offer(sdk.Review, "Set the status of "+s.name+" to not_run", a.reset(false, s)...)
		if !a.claims && !l.leftRunning(a, s) { // the workflow sets the status before each run
			f.As(sdk.Info)
		}
	}
}

// earlier returns a script's record in the base, or nil if there is none.
func (l *look) earlier(a *agent, s *script) *script {
	if a.was == nil {
		return nil
	}
	return scriptNamed(a.was.scripts(), s.name)
}

// leftRunning reports whether a script was running in the base already, and the agent did other work since.
func (l *look) leftRunning(a *agent, s *script) bool {
	if a.was == nil || a.unchanged(a.was) {
		return false
	}
	was := l.earlier(a, s)
	return was != nil && was.status == "running" && same(was.body, s.body)
}

func runawayScript(l *look, a *agent, s *script) {
	if n, ok := num(s.body.Get("iteration_count")); ok && n >= 3 {
		l.say(a, s.at("iteration_count"), say.Wrong("iteration_count of "+s.name, figure(n), "at most 2")).Keyed(s.name)
	}
}

// listedDirs holds the directories in which stategate looks for JSON files.
var listedDirs = [...]string{"", "scripts/", "qa-outputs/", "review-outputs/", "remediation-outputs/"}

// resultGone reports whether the file with a script's result is known to be missing.
func (m *model) resultGone(s *script) bool {
	out, _ := s.body.Get("output_file").Text()
	path := m.local(out)
	name := baseName(path)
	seen := strings.HasSuffix(name, ".json") && holds(listedDirs[:], path[:len(path)-len(name)]) ||
		strings.HasSuffix(name, ".md") && strings.Count(path, "/") < 2
	return seen && s.executed && (s.status == "complete" || s.status == "failed") && !m.known(name)
}

func cachedResultMissing(l *look, a *agent, s *script) {
	if out, _ := s.body.Get("output_file").Text(); l.resultGone(s) {
		l.say(a, s.at("output_file"), s.name+" was executed, but its output_file "+say.Quote(out)+
			" does not exist").Keyed(s.name).Offer(sdk.Review, "Set the status of "+s.name+
			" to not_run", a.reset(false, s)...)
	}
}

// unmet returns the dependency of a script that ran although the dependency had not ended, or nil if there is none.
func (a *agent) unmet(s *script) *script {
	dep := scriptNamed(a.scripts(), s.needs)
	if dep != nil && (!dep.executed || dep.failed() || dep.status == "running" || dep.status == "not_run") {
		return dep
	}
	return nil
}

// dependencyNotMet finds scripts that ran before their dependency, or before the dependency ran again.
func dependencyNotMet(l *look, a *agent, s *script) {
	dep := scriptNamed(a.scripts(), s.needs)
	if s.needs == "" || !s.executed && s.status != "running" {
		return
	}
	title := "Set the status of " + s.name + " to not_run"
	switch {
	case dep == nil:
		l.say(a, s.at("depends_on"), say.Wrong("depends_on of "+s.name, say.Quote(s.needs),
			"the name of another script")).Keyed(s.name)
	case a.unmet(s) != nil:
		why := "the status of " + dep.name + ", on which it depends, is " + say.Quote(dep.status)
		if dep.reset() { // the status is that of the last run
			why = dep.name + ", on which it depends, was reset to run again"
		}
		l.say(a, s.at("depends_on"), s.name+" was run, but "+why).Keyed(s.name).
			See(sdk.AtPointer(a.path(), dep.at("status")), "the status of "+dep.name).Offer(sdk.Review, title,
			a.reset(false, s)...)
	default:
		t, _ := s.ran()
		if u, _ := dep.ran(); s.executed && t.Before(u, 0) {
			l.say(a, s.at("timestamp"), s.name+" ran at "+t.Text+", before "+dep.name+", on which it depends, ran at "+
				u.Text).Keyed(s.name).As(sdk.Warning).
				See(sdk.AtPointer(a.path(), dep.at("timestamp")), dep.name+" ran at "+u.Text).Offer(sdk.Review, title,
				a.reset(true, s)...)
		}
	}
}

// ran returns the time when a script ran.
func (s *script) ran() (m instant.Moment, why string) {
	text, _ := s.body.Get("timestamp").Text()
	return instant.Loose(text)
}

package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// A script is one record of script_execution_tracking.
type script struct {
	name, status  string
	executed, has bool // has: executed is a truth
	body          value
	code          float64
	coded         bool
}

const tracking = "script_execution_tracking"

func (a *agent) scripts() []*script {
	var list []*script
	for _, e := range a.root.Get(tracking).Members() {
		if e.Value.Kind() != jsondoc.Object {
			continue
		}
		s := &script{name: e.Key, body: e.Value}
		text, _ := e.Value.Get("status").Text()
		s.status = foldStatus(text)
		s.executed, s.has = e.Value.Get("executed").Bool()
		s.code, s.coded = num(e.Value.Get("exit_code"))
		list = append(list, s)
	}
	return list
}

//go:noinline
func (s *script) at(field string) string { return jsondoc.Pointer(tracking, s.name, field) }

// reset are the edits after which a script counts as not run, and neither does
// what ran because of it.
func (a *agent) reset(s *script) []sdk.Edit { return a.resetFor(s, a.scripts(), nil, false) }

// rerun is reset for scripts that will run once more: that is counted now.
func (a *agent) rerun(s *script) []sdk.Edit { return a.resetFor(s, a.scripts(), nil, true) }

func (a *agent) resetFor(s *script, all []*script, edits []sdk.Edit, count bool) []sdk.Edit {
	p := s.at("executed")
	for i := range edits {
		if edits[i].Range.Pointer == p {
			return edits // scripts that depend on each other
		}
	}
	edits = append(edits, a.set(p, "false"), a.set(s.at("status"), `"not_run"`))
	if s.coded {
		edits = append(edits, a.set(s.at("exit_code"), "null"))
	}
	if count {
		n, _ := num(s.body.Get("iteration_count"))
		edits = append(edits, a.set(s.at("iteration_count"), figure(n+1)))
	}
	for _, d := range all {
		if name, _ := d.body.Get("depends_on").Text(); name == s.name && (d.executed || d.status == "running") {
			edits = a.resetFor(d, all, edits, count)
		}
	}
	return edits
}

func (m *model) checkScripts(a *agent) {
	all := a.scripts()
	for _, s := range all {
		known := false
		for _, w := range [...]string{"not_run", "running", "complete", "failed", "error"} {
			known = known || s.status == w
		}
		if !known && s.body.Get("status").Kind() == jsondoc.String {
			advise(m.say(a, "unknown-script-status", 0, s.at("status"), s.name, s.name+": status is "+shown(s.status)+", expected not_run, running, complete, failed or error"), "Set a known status", "write what the script's exit code says")
		}
		m.checkScriptFlags(a, s)
		if s.status == "running" {
			d := m.say(a, "script-interrupted", 0, s.at("status"), s.name, s.name+" is running, so it was interrupted: run it again from scratch")
			offer(d, sdk.Safe, "Set it not_run", a.reset(s)...)
		}
		if n, ok := num(s.body.Get("iteration_count")); ok && n >= 3 {
			advise(m.say(a, "runaway-script", 0, s.at("iteration_count"), s.name, s.name+" ran "+figure(n)+" times, more than 2 are suspicious"), "Look at it", "look by hand why it runs again and again")
		}
		m.checkDependency(a, s, all)
		out, ok := s.body.Get("output_file").Text()
		if ok && out != "" && s.executed && (s.status == "complete" || s.status == "failed") && m.complete && !m.known(baseName(m.local(out))) {
			d := m.say(a, "cached-result-missing", 0, s.at("output_file"), s.name, s.name+" was executed, but "+shown(out)+" is not there")
			offer(d, sdk.Review, "Set it not_run", a.reset(s)...)
		}
	}
}

func (m *model) checkScriptFlags(a *agent, s *script) {
	ended := s.status == "complete" || s.status == "failed" || s.status == "error"
	if s.has && (s.executed && s.status == "not_run" || !s.executed && ended) {
		word := "false"
		if ended {
			word = "true"
		}
		d := m.say(a, "script-flags-disagree", 0, s.at("executed"), s.name, s.name+": executed is "+s.body.Get("executed").Raw()+", but status is "+shown(s.status))
		offer(d, sdk.Review, "Set executed to "+word, a.set(s.at("executed"), word))
		advise(d, "Decide whether it ran", "look for its output, and set executed and status")
	}
	codes := [...]string{"complete", "failed", "error"}
	mapped := s.code == 0 || s.code == 1 || s.code == 2
	if !s.coded || !(ended || s.status == "not_run") || !mapped && (s.status == "error" || s.status == "failed") || s.code >= 0 && s.code <= 2 && s.code == float64(int(s.code)) && codes[int(s.code)] == s.status {
		return
	}
	d := m.say(a, "exit-code-off-status", 0, s.at("exit_code"), s.name, s.name+": exit_code is "+figure(s.code)+", but status is "+shown(s.status))
	if mapped {
		offer(d, sdk.Review, "Set status to "+codes[int(s.code)], a.set(s.at("status"), jsondoc.Quote(codes[int(s.code)])), a.set(s.at("executed"), "true"))
	}
	advise(d, "Decide how it ended", "look at its output, and set exit_code and status")
}

func (m *model) checkDependency(a *agent, s *script, all []*script) {
	name, ok := s.body.Get("depends_on").Text()
	if !ok || !s.executed && s.status != "running" {
		return
	}
	for _, dep := range all {
		if dep.name != name {
			continue
		}
		if !dep.executed || dep.coded && dep.code == 2 || dep.status == "error" || dep.status == "running" || dep.status == "not_run" {
			d := m.say(a, "dependency-not-met", 0, s.at("depends_on"), s.name, s.name+" was run, but "+name+" is "+shown(dep.status))
			offer(d, sdk.Review, "Set "+s.name+" not_run", a.reset(s)...)
			advise(d, "Run the dependency first", "run "+name+" until it ends with 0 or 1, then "+s.name)
			return
		}
		t, ok1 := timeOf(s.body.Get("timestamp"))
		u, ok2 := timeOf(dep.body.Get("timestamp"))
		if ok1 && ok2 && s.executed && u.After(t) {
			d := m.say(a, "older-than-dependency", 0, s.at("timestamp"), s.name, s.name+" ran before "+name+", on which it depends")
			offer(d, sdk.Review, "Set "+s.name+" not_run", a.rerun(s)...)
		}
		return
	}
}

// local is a path of a state file as a path below the root.
//
//go:noinline
func (m *model) local(path string) string {
	if i := strings.Index(path, " ("); i > 0 {
		path = path[:i]
	}
	path = strings.TrimSpace(strings.ReplaceAll(path, `\`, "/"))
	if i := strings.LastIndex(path, "/"+m.name+"/"); i >= 0 && m.name != "" {
		path = path[i+len(m.name)+2:]
	}
	return strings.TrimPrefix(path, "./")
}

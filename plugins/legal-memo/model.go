package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/ordinal"
	"github.com/stategate/stategate/sdk/words"
)

type value = jsondoc.Value

// A model holds all facts about a session.
type model struct {
	pass     *sdk.Pass
	docs     sdk.Docs
	name     string // name of the root
	opt      options
	agents   []*agent
	live     *agent // the qa file with the highest cycle, or nil if there is none
	orch     *orchestrator
	letters  []string // letters of the sections with reports, in order
	memo     *sdk.Document
	started  []string // letters of the sections that have a heading in the memorandum
	notes    notes
	tracked  bool
	complete bool // whether a missing document is known to be missing
	base     *model
}

func prepare(p *sdk.Pass) (any, error) {
	var base *model
	if p.Base.State == sdk.BaseAt {
		base = newModel(p, p.Base.Docs, true, nil)
	}
	m := newModel(p, p.Docs, p.Docs.Complete(), base)
	for _, a := range m.agents {
		if was := m.before(a); a.read && was != nil && was.read && m.chosen(a) == a {
			a.was = was
			a.redoes = m.mayReopen(a)
		}
	}
	return m, nil
}

// before returns an agent's state in the base, or nil if there is none.
func (m *model) before(a *agent) *agent {
	if m.base == nil {
		return nil
	}
	if was := m.base.find(a.subject); was != nil && was.doc != nil {
		return m.base.chosen(was)
	}
	return nil
}

// newModel reads the documents and determines every subject's phase.
func newModel(p *sdk.Pass, docs sdk.Docs, complete bool, base *model) *model {
	m := &model{pass: p, docs: docs, name: p.Name, complete: complete, base: base, opt: readOptions(p.Options.Text())}
	m.readOutputs()
	for _, d := range docs.All() {
		if k, part := kindOf(d.Path); k >= 0 {
			m.addAgent(k, part, d)
		}
	}
	m.orch = readOrchestrator(docs.Get(orchestratorPath))
	m.addUnrecorded()
	for _, a := range m.agents {
		if a.kind == kinds[qa] && a.read && (m.live == nil || a.cycle > m.live.cycle) {
			m.live = a
		}
	}
	m.observe()
	return m
}

// kindOf returns the kind of a state file, and the rest of its name: a section's letter or a cycle's number.
func kindOf(path string) (k int, part string) {
	name := baseName(path)
	if dir := path[:len(path)-len(name)]; !strings.HasSuffix(name, ".json") || dir != "" && dir != "review-outputs/" &&
		dir != "qa-outputs/" {
		return -1, ""
	}
	name = name[:len(name)-len(".json")]
	for i, k := range kinds {
		if rest, ok := strings.CutPrefix(name, k.file); ok && (i == writer || rest == "" || i == qa && rest[0] == '-') {
			return i, strings.TrimPrefix(rest, "-")
		}
	}
	return -1, ""
}

// addUnrecorded adds the sections that have a report but no state file. Until the memorandum is started it also adds
// the summary and the citations, whose progress is unknown without a state.
func (m *model) addUnrecorded() {
	for _, l := range m.letters {
		if m.find("section-writer/"+l) == nil {
			m.insert(&agent{kind: kinds[writer], letter: l, subject: "section-writer/" + l})
		}
	}
	for _, k := range kinds[execSummary : citation+1] {
		ghost := &agent{kind: k, subject: k.name}
		if len(m.outputs(ghost)) > 0 && m.find(k.name) == nil && m.memo == nil && !m.anyStage7() {
			m.insert(ghost)
		}
	}
}

// insert adds an agent, and keeps the agents sorted by stage, kind and letter.
func (m *model) insert(a *agent) {
	at := len(m.agents)
	for at > 0 && a.before(m.agents[at-1]) {
		at--
	}
	m.agents = append(m.agents[:at], append([]*agent{a}, m.agents[at:]...)...)
}

func (a *agent) before(b *agent) bool {
	if a.kind != b.kind {
		return a.kind.stage < b.kind.stage || a.kind.stage == b.kind.stage && a.kind.name < b.kind.name
	}
	return ordinal.Compare(a.letter, b.letter) < 0
}

// find returns a subject's first agent, or nil if there is none.
func (m *model) find(subject string) *agent {
	return first(m.agents, func(a *agent) bool { return a.subject == subject })
}

// outcome returns the last outcome that a diagnostic records.
func (a *agent) outcome() string {
	last := ""
	for _, e := range a.history() {
		if s, ok := e.Get("outcome").Text(); ok {
			last = s
		}
	}
	return last
}

// agentAt returns the agent whose state file has a path, or nil if there is none.
func (m *model) agentAt(path string) *agent {
	return first(m.agents, func(a *agent) bool { return a.doc != nil && a.doc.Path == path })
}

// alike returns the document with a path, in any letter case.
func (m *model) alike(path string) *sdk.Document {
	return first(m.docs.All(), func(d *sdk.Document) bool { return words.Alike(d.Path, path) })
}

// local returns a path from a state file, relative to the root.
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

// options holds the settings for a project.
type options struct {
	outputs                             string
	section, memorandum, summary, floor float64
	lost, short, edited                 float64
}

func readOptions(text string) options {
	o := options{outputs: "auto", section: 3000, memorandum: 50000, summary: 6000, floor: 2500, lost: .5, short: .75,
		edited: .9}
	doc, err := jsondoc.Parse(text)
	if err != nil {
		return o
	}
	if s, ok := doc.Root().Get("outputs").Text(); ok {
		o.outputs = s
	}
	set := func(pointer string, to *float64) {
		v, _ := doc.Lookup(pointer)
		if f, ok := num(v); ok {
			*to = f
		}
	}
	set("/min_words/section", &o.section)
	set("/min_words/memorandum", &o.memorandum)
	set("/min_words/summary", &o.summary)
	set("/min_words/summary_floor", &o.floor)
	set("/shrink/lost", &o.lost)
	set("/shrink/short", &o.short)
	set("/shrink/edited", &o.edited)
	return o
}

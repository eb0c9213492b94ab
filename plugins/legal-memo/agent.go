package legalmemo

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/ordinal"
)

// An agent is one state file, or a section that has only a report.
type agent struct {
	kind    *kind
	subject string
	part    string // the rest of the file name after the kind
	letter  string // the section's letter, or a qa file's cycle
	doc     *sdk.Document
	read    bool // whether the file is a JSON object
	json    *jsondoc.Document
	root    value
	metrics value
	rescue  value // recovery_instructions

	statusText string
	status     word
	current    string // current_phase
	phaseMap   string // key of the object that holds the phases
	phases     []*phase
	unknown    []string // keys of phaseMap that are not phases
	items      []*item
	itemsKey   string
	guards     []*guard
	covered    bool // whether a guard covers everything
	hasGuards  bool // whether do_not_repeat exists
	cycle      int
	times      []moment

	claims   bool
	finished bool // whether claims is true and no phase is open
	proof    proof
	observed int // index of the actual phase
	state    sdk.State
	passed   bool // whether a later stage is finished
	late     bool // passed but not finished
	stale    bool // late, and neither marked done nor blocked
	exempt   bool
	newest   instant.Moment
	newestAt string // pointer of the newest time
	started  instant.Moment
	was      *agent // the state in the base, or nil if there is none; set only for the chosen agent
	redoes   bool   // whether the agent has a good reason to rewrite its output since the base
}

type phase struct {
	name string
	norm string
	word word
	in   bool // whether the map has the phase
	body value
}

func (p *phase) done() bool { return p.in && !p.word.open() }

func (p *phase) open() bool { return p.in && p.word.open() }

type item struct {
	key    string
	word   word
	body   value
	norm   string
	letter string // letter of the section that the key names
}

// addAgent reads a state file.
func (m *model) addAgent(k int, part string, d *sdk.Document) {
	a := &agent{kind: kinds[k], subject: kinds[k].name, part: part, doc: d}
	switch k {
	case writer:
		a.part = strings.TrimLeft(part, "-._ ")
		a.letter = cmp.Or(sectionLetter("IV-"+a.part), a.part)
		a.subject += "/" + a.letter
	case qa:
		if part != "" {
			a.letter = cmp.Or(part[len(strings.TrimRight(part, "0123456789")):], part)
			a.subject += "/cycle-" + a.letter
		}
	}
	m.insert(a)
	if whole(d) {
		a.parse(d.Text)
	}
}

// parse reads a text that is a JSON object.
func (a *agent) parse(text string) {
	doc, err := jsondoc.Parse(text)
	if err != nil || doc.Root().Kind() != jsondoc.Object {
		return
	}
	a.read, a.json, a.root = true, doc, doc.Root()
	a.metrics, a.rescue = a.root.Get("metrics"), a.root.Get("recovery_instructions")
	status := a.root.Get("status")
	a.status = wordOf(status)
	if s, ok := status.Text(); ok {
		a.statusText = s
	} else if status.Exists() {
		a.statusText = status.Raw()
	}
	a.current, _ = a.root.Get("current_phase").Text()
	a.cycle, _ = integer(a.root.Get("qa_cycle").Get("current_cycle"))
	a.readPhases()
	a.readItems()
	a.readGuards()
	a.readTimes()
	a.judgeClaim()
}

// whole reports whether the host found a document readable and without repeated keys.
func whole(d *sdk.Document) bool {
	return d != nil && d.Need == sdk.Content && measured(d)
}

func (a *agent) readPhases() {
	a.phaseMap = "phases_complete"
	if a.kind.style == 'P' {
		a.phaseMap = "phases"
	}
	names := a.kind.names()
	a.phases = make([]*phase, len(names))
	for i, name := range names {
		a.phases[i] = &phase{name: name, norm: norm(name)}
	}
	for _, m := range a.root.Get(a.phaseMap).Members() {
		i := slices.Index(names, m.Key)
		if i < 0 {
			a.unknown = append(a.unknown, m.Key)
			continue
		}
		p := a.phases[i]
		p.in, p.body, p.word = true, m.Value, wordOf(m.Value)
	}
}

func (a *agent) readItems() {
	if a.kind == kinds[synthesis] {
		a.addItems("sections_complete", complete)
		a.addItems("sections_pending", pending)
		return
	}
	for _, key := range strings.Split(a.kind.items, " ") {
		object := a.root.Get(key)
		if object.Kind() != jsondoc.Object {
			continue
		}
		a.itemsKey = key
		for _, m := range object.Members() {
			w := wordOf(m.Value)
			if _, scored := num(m.Value.Get("score")); w == noWord && scored {
				w = complete
			}
			if w != noWord || m.Value.Kind() == jsondoc.Object {
				it := newItem(m.Key, w, m.Value)
				if capital(it.key) && a.kind != kinds[writer] {
					it.letter = it.key
				}
				i := len(a.items) // footnotes are numbered in the order of the sections
				for a.kind == kinds[citation] && it.letter != "" && i > 0 &&
					ordinal.Compare(it.letter, a.items[i-1].letter) < 0 {
					i--
				}
				a.items = slices.Insert(a.items, i, it)
			}
		}
		return
	}
}

func (a *agent) addItems(key string, w word) {
	for _, e := range a.root.Get(key).Elements() {
		if s, ok := e.Text(); ok {
			a.items = append(a.items, newItem(s, w, e))
		}
	}
}

func newItem(key string, w word, body value) *item {
	return &item{key: key, word: w, body: body, norm: norm(key), letter: sectionLetter(key)}
}

func (a *agent) path() string {
	if a.doc != nil {
		return a.doc.Path
	}
	return a.home()
}

// home returns the expected path of the state file.
func (a *agent) home() string {
	dir, _, _ := strings.Cut(a.kind.dirs, " ")
	name := a.kind.file
	if a.kind == kinds[writer] {
		name += "-" + a.letter
	}
	return strings.TrimPrefix(dir+"/"+name+".json", "./")
}

// at returns the value at a pointer in the state file.
func (a *agent) at(pointer string) value {
	if a.json == nil {
		return value{}
	}
	v, _ := a.json.Lookup(pointer)
	return v
}

// metric returns the pointer of a counter, which is in metrics or at the root.
func (a *agent) metric(key string) string {
	if a.metrics.Get(key).Exists() || !a.root.Get(key).Exists() {
		return "/metrics/" + key
	}
	return "/" + key
}

func (a *agent) countItems(w word) int {
	return len(keep(a.items, func(it *item) bool { return it.word == w }))
}

// keys returns the keys of the items that a function accepts.
func (a *agent) keys(is func(*item) bool) []string {
	return gather(keep(a.items, is), func(it *item) string { return it.key })
}

// openItems returns the keys of the items that are pending, in progress or blocked.
func (a *agent) openItems() []string {
	return a.keys(func(it *item) bool { return it.word.left() })
}

// phaseNames returns the names of the phases with the given indexes.
func (a *agent) phaseNames(at []int) []string {
	return gather(at, func(i int) string { return a.phases[i].name })
}

// judgeClaim determines whether the agent is marked done, and whether its phases agree.
func (a *agent) judgeClaim() {
	last := len(a.phases) - 1
	open := a.openPhases()
	switch {
	case a.status != noWord:
		a.claims = a.status == complete
	case len(open) == 0 && a.hasPhases():
		a.claims = true
	case a.kind.style == 'P':
		a.claims = foldStatus(a.current) == "complete" || a.claimedPhase() == last && a.phases[last].done()
	}
	a.finished = a.claims && (len(open) == 0 || a.onlyReturn(open))
}

func (a *agent) hasPhases() bool {
	return slices.ContainsFunc(a.phases, func(p *phase) bool { return p.in })
}

// openPhases returns the indexes of the open phases in the phase map.
func (a *agent) openPhases() []int {
	var list []int
	for i, p := range a.phases {
		if p.open() {
			list = append(list, i)
		}
	}
	return list
}

// onlyReturn reports whether only the last phase, which returns to the orchestrator, is open.
func (a *agent) onlyReturn(open []int) bool {
	last := len(a.phases) - 1
	return len(open) == 1 && open[0] == last && strings.Contains(a.phases[last].norm, "return")
}

// claimedPhase returns the index of the phase that the state file records, or -1 if it names none.
func (a *agent) claimedPhase() int {
	last := len(a.phases) - 1
	if a.kind.style != 'P' {
		if open := a.openPhases(); a.status != complete && len(open) > 0 {
			return open[0]
		}
		return last
	}
	claim := norm(a.current)
	if claim == "complete" {
		return last
	}
	at := a.phaseNamed(claim)
	for _, suffix := range [...]string{"_in_progress", "_completed", "_complete", "_blocked"} {
		if before, ok := strings.CutSuffix(claim, suffix); ok && at < 0 {
			at = a.phaseNamed(before)
		}
	}
	return at
}

// phaseNamed returns the index of the phase with a name, or else of the only phase whose name starts with it, or -1.
func (a *agent) phaseNamed(claim string) int {
	at := -1
	for i := range a.phases {
		n := a.phases[i].norm
		if n == claim {
			return i
		}
		if claim != "" && strings.HasPrefix(n, claim+"_") {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}

// claimed returns the recorded status or phase in the file's words.
func (a *agent) claimed() string {
	if a.kind.style == 'P' {
		return a.current
	}
	return a.statusText
}

package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// An agent is one state file, or a section that has only a report.
type agent struct {
	kind    *kind
	subject string
	part    string // what the file's name says beyond the kind
	letter  string // of a section; of a qa file the cycle
	doc     *sdk.Document
	read    bool // the file is an object
	root    value
	metrics value
	rescue  value // recovery_instructions

	statusText string
	status     word
	current    string // current_phase
	phaseMap   string // key of the object that holds the phases
	phases     []phase
	unknown    []string // keys of phaseMap that are no phase
	items      []item
	itemsKey   string
	guards     []guard
	covered    bool // a guard speaks of everything
	hasGuards  bool // do_not_repeat is there
	cycle      int64

	claims   bool
	finished bool // claims, and no phase is open
	proof    proof
	observed int // index of the phase
	state    sdk.State
	passed   bool // a later stage is finished
	late     bool // passed, and not finished
	stale    bool // late, and neither claiming to be done nor blocked
	exempt   bool
	newest   instant.Time
	newestAt string // pointer
	started  instant.Time
}

type phase struct {
	name string
	norm string
	word word
	in   bool // the map has it
	body value
}

type item struct {
	key    string
	word   word
	body   value
	norm   string
	letter string // of the section that the key names
}

type guard struct {
	text   string
	field  string // do_not_repeat or another list
	norm   string
	letter string
}

// names reports whether a guard names a key.
func (g *guard) names(norm, letter string) bool {
	if g.norm == "" {
		return false
	}
	return g.norm == norm || len(norm) > len(g.norm) && norm[:len(g.norm)] == g.norm && norm[len(g.norm)] == '_' ||
		g.letter != "" && g.letter == letter
}

// addAgent reads a state file.
func (m *model) addAgent(k int, part string, d *sdk.Document) {
	a := &agent{kind: kinds[k], subject: kinds[k].name, part: part, doc: d}
	switch k {
	case writer:
		a.part = strings.TrimLeft(part, "-._ ")
		if a.letter = sectionLetter("IV-" + a.part); a.letter == "" {
			a.letter = a.part
		}
		a.subject += "/" + a.letter
	case qa:
		if part != "" {
			a.letter = trailingNumber(part)
			a.subject += "/cycle-" + a.letter
		}
	}
	m.insert(a)
	if !whole(d) {
		return
	}
	doc, err := jsondoc.Parse(d.Text)
	if err != nil || doc.Root().Kind() != jsondoc.Object {
		return
	}
	a.read, a.root = true, doc.Root()
	a.readFields()
}

// whole reports whether the host found a document readable and without
// repeated keys.
func whole(d *sdk.Document) bool {
	if d == nil || d.Dir || d.Need != sdk.Content {
		return false
	}
	for i := range d.Faults {
		if d.Faults[i].Rule != "schema" {
			return false
		}
	}
	return true
}

func trailingNumber(s string) string {
	at := len(s)
	for at > 0 && digit(s[at-1]) {
		at--
	}
	if at == len(s) {
		return s
	}
	return s[at:]
}

func (a *agent) readFields() {
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

func (a *agent) readPhases() {
	a.phaseMap = "phases_complete"
	switch a.kind.style {
	case 'P':
		a.phaseMap = "phases"
	case 'W':
		a.phaseMap = "wave_status"
	}
	names := phaseNames[a.kind.place()]
	a.phases = make([]phase, len(names))
	for i, name := range names {
		a.phases[i].name, a.phases[i].norm = name, norm(name)
	}
	for _, m := range a.root.Get(a.phaseMap).Members() {
		i := indexOf(names, m.Key)
		if i < 0 {
			a.unknown = append(a.unknown, m.Key)
			continue
		}
		p := &a.phases[i]
		p.in, p.body, p.word = true, m.Value, wordOf(m.Value)
		if p.word == noWord {
			p.word = wordOf(m.Value.Get("status"))
		}
	}
}

//go:noinline
func indexOf(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return -1
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
			if m.Value.Kind() == jsondoc.Object {
				if w = wordOf(m.Value.Get("status")); w == noWord {
					if _, ok := num(m.Value.Get("score")); ok {
						w = complete
					}
				}
			} else if w == noWord {
				continue
			}
			a.items = append(a.items, newItem(m.Key, w, m.Value))
		}
		return
	}
}

func newItem(key string, w word, body value) item {
	return item{key: key, word: w, body: body, norm: norm(key), letter: sectionLetter(key)}
}

func (a *agent) addItems(key string, w word) {
	for _, e := range a.root.Get(key).Elements() {
		if s, ok := e.Text(); ok {
			a.items = append(a.items, newItem(s, w, e))
		}
	}
}

func (a *agent) readGuards() {
	for _, m := range a.rescue.Members() {
		if !strings.HasPrefix(m.Key, "do_not_") || m.Value.Kind() != jsondoc.Array {
			continue
		}
		if m.Key == "do_not_repeat" {
			a.hasGuards = true
		}
		for _, e := range m.Value.Elements() {
			s, ok := e.Text()
			if !ok {
				continue
			}
			a.guards = append(a.guards, guard{s, m.Key, norm(s), sectionLetter(s)})
			a.covered = a.covered || covering(s)
		}
	}
}

// timeFields are the fields of a state file that hold times.
var timeFields = [...]string{"started_at", "last_updated", "last_checkpoint", "timestamp"}

func (a *agent) readTimes() {
	for i, key := range timeFields {
		t, ok := timeOf(a.root.Get(key))
		if ok && i == 0 {
			a.started = t
		}
		a.later(t, "/"+key)
	}
	t, _ := timeOf(a.metrics.Get("last_checkpoint"))
	a.later(t, "/metrics/last_checkpoint")
	for i := range a.phases {
		if t, ok := timeOf(a.phases[i].body.Get("completed_at")); ok {
			a.later(t, jsondoc.Pointer(a.phaseMap, a.phases[i].name, "completed_at"))
		}
	}
}

func (a *agent) later(t instant.Time, pointer string) {
	if t.After(a.newest) {
		a.newest, a.newestAt = t, pointer
	}
}

//go:noinline
func timeOf(v value) (instant.Time, bool) {
	s, ok := v.Text()
	if !ok {
		return instant.Time{}, false
	}
	return instant.Parse(strings.TrimSpace(s))
}

//go:noinline
func (a *agent) path() string {
	if a.doc != nil {
		return a.doc.Path
	}
	return a.home()
}

// home is where the state file belongs.
//
//go:noinline
func (a *agent) home() string {
	dir, _, _ := strings.Cut(a.kind.dirs, " ")
	name := a.kind.file
	if a.kind == kinds[writer] {
		name += "-" + a.letter
	}
	if dir == "." {
		return name + ".json"
	}
	return dir + "/" + name + ".json"
}

// number reads a number of metrics, or of the root where metrics has none.
//
//go:noinline
func (a *agent) number(key string) (float64, bool) {
	if f, ok := num(a.metrics.Get(key)); ok {
		return f, true
	}
	return num(a.root.Get(key))
}

// at is the value at a pointer of the state file.
//
//go:noinline
func (a *agent) at(pointer string) value {
	v := a.root
	for _, key := range strings.Split(pointer[1:], "/") {
		v = v.Get(key)
	}
	return v
}

// metric is where a counter of metrics stands.
//
//go:noinline
func (a *agent) metric(key string) string {
	if a.metrics.Get(key).Exists() || !a.root.Get(key).Exists() {
		return "/metrics/" + key
	}
	return "/" + key
}

//go:noinline
func (a *agent) countItems(w word) int {
	n := 0
	for i := range a.items {
		if a.items[i].word == w {
			n++
		}
	}
	return n
}

// openItems lists the items that are pending, in progress or blocked.
//
//go:noinline
func (a *agent) openItems() []string {
	var names []string
	for i := range a.items {
		if w := a.items[i].word; w == pending || w == inProgress || w == blocked {
			names = append(names, a.items[i].key)
		}
	}
	return names
}

// guarded reports whether a guard names an item.
func (a *agent) guarded(it *item) bool {
	for i := range a.guards {
		if a.guards[i].names(it.norm, it.letter) {
			return true
		}
	}
	return false
}

// phaseNames lists phases by name.
func (a *agent) phaseNames(at []int) []string {
	names := make([]string, len(at))
	for i, p := range at {
		names[i] = a.phases[p].name
	}
	return names
}

// phasePointer is the place of a phase's flag.
//
//go:noinline
func (a *agent) phasePointer(i int) string {
	p := jsondoc.Pointer(a.phaseMap, a.phases[i].name)
	if a.phases[i].body.Kind() == jsondoc.Object || !a.phases[i].in && a.kind.style == 'P' {
		p += "/status"
	}
	return p
}

// unresolved reports whether a blocker stands in the way.
//
//go:noinline
func (a *agent) unresolved() bool {
	s, _ := a.root.Get("blocking_issue").Get("resolution_status").Text()
	return strings.HasPrefix(upperAll(s), "UNRESOLVED") && !strings.Contains(s, " | ")
}

package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// A phase is what lies under phases/ with one number.
type phase struct {
	n                                  int
	places                             []string // its directories and flat files
	briefing, route, logbook, document *sdk.Document
	state                              taskState // as PHASE.md has it
	tasks                              []task
	ticked, open                       int // boxes of its routes
}

// finished reports whether all boxes of the routes are ticked.
func (p *phase) finished() bool { return p.ticked > 0 && p.open == 0 }

// A task is one task of PHASE.md or a route.
type task struct {
	id    taskID
	name  string
	state taskState
	at    sdk.Range
}

// A phaseSet is what is documented, in the order of the numbers.
type phaseSet struct {
	list     []*phase
	numbered []*sdk.Document // documents of numbered phases, also empty ones
	logbooks bool
	plan     *sdk.Document
	total    int            // of the flight plan, 0 if it says none
	names    map[int]string // of the flight plan
	ticked   map[int]bool   // phases that the flight plan calls done
}

// phaseNumber reads the name of a directory or flat file, 0 if it has none.
func phaseNumber(name string) (int, bool) {
	rest := name
	if bare := after(name, "phase"); bare != name {
		rest = strings.TrimPrefix(bare, "-")
		if rest == bare {
			rest = strings.TrimPrefix(bare, "_")
		}
	}
	for len(rest) > 1 && rest[0] == '0' && rest[1] >= '0' && rest[1] <= '9' {
		rest = rest[1:]
	}
	n, more := leading(rest)
	return n, n >= 0 && (more == "" || strings.IndexByte("-_ .", more[0]) >= 0)
}

//go:noinline
func (s *phaseSet) at(n int) *phase {
	for _, p := range s.list {
		if p.n == n {
			return p
		}
	}
	return nil
}

// open returns the phase of a number, made in its place.
func (s *phaseSet) open(n int) *phase {
	at := 0
	for at < len(s.list) && s.list[at].n < n {
		at++
	}
	if at < len(s.list) && s.list[at].n == n {
		return s.list[at]
	}
	p := &phase{n: n}
	s.list = append(s.list, nil)
	copy(s.list[at+1:], s.list[at:])
	s.list[at] = p
	return p
}

// most of the phases are read: more cannot be flown.
const mostPhases = 2000

func readPhases(docs sdk.Docs) *phaseSet {
	s := &phaseSet{}
	for _, d := range docs.All() {
		if below, ok := strings.CutPrefix(d.Path, "phases/"); ok && below != "" && len(s.list) < mostPhases {
			s.read(d, below)
		}
	}
	if s.plan = docs.Get(planPath); s.plan != nil && s.plan.Readable() {
		s.readPlan(s.plan.Outline())
	}
	return s
}

// read takes in one document or directory below phases/.
func (s *phaseSet) read(d *sdk.Document, below string) {
	dir, name, inside := strings.Cut(below, "/")
	if !inside {
		dir = strings.TrimSuffix(dir, ".md")
	}
	n, ok := phaseNumber(dir)
	if !ok || strings.Contains(name, "/") {
		return
	}
	p := s.open(n)
	where := below[:len(below)-len(name)]
	if !inside {
		where = below
	}
	if len(p.places) == 0 || p.places[len(p.places)-1] != where {
		p.places = append(p.places, where)
	}
	if d.Dir {
		return
	}
	s.numbered = append(s.numbered, d)
	if d.Summary.Words == 0 && d.Size <= 4<<10 && len(d.Faults) == 0 {
		return
	}
	switch {
	case !inside || words.Alike(name, "PHASE.md"):
		p.keep(&p.document, d)
	case words.Alike(name, "BRIEFING.md") || words.Alike(name, "CONTEXT.md"):
		p.keep(&p.briefing, d)
	case words.Alike(name, "LOGBOOK.md") || words.Alike(name, "SUMMARY.md"):
		p.keep(&p.logbook, d)
		s.logbooks = true
	default:
		p.keep(&p.route, d)
	}
}

// keep takes a document for the part of a phase, and reads the tasks of it.
func (p *phase) keep(part **sdk.Document, d *sdk.Document) {
	if *part == nil {
		*part = d
	}
	if part != &p.document && part != &p.route || !d.Readable() {
		return
	}
	o := d.Outline()
	if part == &p.route {
		for _, box := range o.Tasks() {
			if box.Checked() {
				p.ticked++
			} else {
				p.open++
			}
		}
	}
	if part == &p.document && p.state == taskUnknown {
		p.state = readTaskState(clean(o.Head().Field("Status").Text()))
	}
	p.readTasks(d.Path, o)
}

func (p *phase) readTasks(path string, o *markdown.Outline) {
	found := false
	for _, h := range o.Headings() {
		text := clean(h.Text())
		bare := after(text, "Task ")
		if h.Level() != 3 || bare == text {
			continue
		}
		id, name, ok := readTask(bare)
		if state := h.Section().Field("Status"); ok && state.OK() {
			found = true
			p.addTask(task{id, strings.TrimLeft(name, " :–—-"), readTaskState(state.Text()), place(path, h.Part)})
		}
	}
	if found {
		return
	}
	for _, t := range o.Tables() {
		column, state, name := t.Column("Task"), t.Column("Status"), t.Column("Name", "Description", "Title")
		if column < 0 || state < 0 {
			continue
		}
		for _, r := range t.Rows() {
			if id, rest, ok := readTask(cellText(r, column)); ok {
				if rest = strings.TrimLeft(rest, " :–—-"); name >= 0 {
					rest = cellText(r, name)
				}
				p.addTask(task{id, rest, readTaskState(cellText(r, state)), place(path, r.Part)})
			}
		}
	}
}

// addTask keeps a task, in the order of its number; of one id the first, done if
// any is.
func (p *phase) addTask(t task) {
	if t.id.phase == 0 {
		t.id.phase = p.n
	}
	if len(p.tasks) >= 1000 {
		return
	}
	at := len(p.tasks)
	for i := range p.tasks {
		if p.tasks[i].id == t.id {
			if t.state == taskDone {
				p.tasks[i].state = taskDone
			}
			return
		}
	}
	p.tasks = append(p.tasks, t)
	for ; at > 0 && (p.tasks[at].id.phase < p.tasks[at-1].id.phase || p.tasks[at].id.phase == p.tasks[at-1].id.phase && p.tasks[at].id.n < p.tasks[at-1].id.n); at-- {
		p.tasks[at], p.tasks[at-1] = p.tasks[at-1], p.tasks[at]
	}
}

// readPlan reads the phases of the flight plan, their names and which are done: tables with a
// column Phase, items and headings that begin with "Phase 4", and numbered items below "Phases".
func (s *phaseSet) readPlan(o *markdown.Outline) {
	s.names, s.ticked = map[int]string{}, map[int]bool{}
	for _, t := range o.Tables() {
		column, name, state := t.Column("Phase"), t.Column("Name", "Title", "Description", "Goal"), t.Column("Status", "Done")
		if name < 0 {
			name = column + 1
		}
		for _, r := range t.Rows() {
			if n, title := planned(r.Cell(column).Text(), true); n > 0 {
				if title == "" {
					title = cellText(r, name)
				}
				s.plans(n, title, readTaskState(cellText(r, state)) == taskDone)
			}
		}
	}
	for _, h := range o.Headings() {
		n, title := planned(h.Text(), false)
		s.plans(n, title, n > 0 && (readTaskState(h.Section().Field("Status").Text()) == taskDone || strings.Contains(h.Text(), "✅")))
	}
	for _, it := range o.Document().Items() {
		n, title := planned(it.Text(), false)
		s.plans(n, title, it.Task().Checked() || strings.Contains(it.Text(), "✅"))
	}
	for _, it := range o.Find("Phases").Body().Items() {
		if n, _ := leading(o.Text[it.Start():it.End()]); it.Depth() == 1 && s.names[n] == "" {
			s.plans(n, clean(it.Text()), it.Task().Checked() || strings.Contains(it.Text(), "✅"))
		}
	}
	if pairs := o.Document().Pairs(); s.total == 0 {
		s.total = max(0, integer(clean(strings.Join(markdown.PairAmong(pairs, "Total Phases", "Phases").Texts(), ""))))
	}
}

// planned reads a phase of the flight plan: "Phase 4: Reports", and also "4 Reports" in a cell; 0 for anything else.
//
//go:noinline
func planned(text string, cell bool) (n int, title string) {
	text = strings.TrimLeftFunc(clean(text), markdown.Symbol)
	bare := after(text, "Phase ")
	n, rest := leading(bare)
	title = strings.TrimLeft(rest, " :.)–—-")
	if n <= 0 || bare == text && !cell || !cell && rest != "" && title == strings.TrimLeft(rest, " ") && title[0] != '(' {
		return 0, ""
	}
	return n, strings.Trim(title, "*_ ")
}

//go:noinline
func (s *phaseSet) plans(n int, title string, done bool) {
	if n <= 0 || n > mostPhases {
		return
	}
	if s.total = max(s.total, n); s.names[n] == "" {
		s.names[n] = title
	}
	s.ticked[n] = s.ticked[n] || done
}

// last is the largest number documented, 0 without any.
func (s *phaseSet) last() int {
	if len(s.list) == 0 {
		return 0
	}
	return s.list[len(s.list)-1].n
}

package autopilot

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// A phase holds the documents under phases/ that have the same phase number.
type phase struct {
	n                                  int
	places                             []string // the phase's directories and flat files
	briefing, route, logbook, document *sdk.Document
	routes                             []*sdk.Document // the plans' routes, starting with route
	state                              taskState       // from PHASE.md
	tasks                              []*task
	ticked, open                       int // numbers of ticked and unticked boxes in its routes
}

// nothing is a phase without documents.
var nothing = &phase{}

// A task is a task in PHASE.md, in a route, or in a hand-off's completed work.
type task struct {
	id           taskID
	name, commit string
	state        taskState
	at, commitAt sdk.Range
	stateAt      sdk.Range // range of the status in a table, or empty
	doubtful     bool      // see markDoubtful
}

// A phaseSet holds the documented phases in numeric order.
type phaseSet struct {
	list     []*phase
	numbered []*sdk.Document // documents of numbered phases, including empty ones
	named    bool            // whether an unnumbered directory has a briefing or a route
	logbooks bool
	logbook  string // the file name of this flight's logbooks
	plan     *sdk.Document
	total    int            // the flight plan's total, or 0 if it has none
	names    map[int]string // phase names in the flight plan
	listed   map[int]bool   // phases in the flight plan, including abandoned ones
	ticked   map[int]bool   // phases that the flight plan marks done
	kept     bool           // whether the flight plan marks any phase done
}

// phaseNumber reads the phase number in the name of a directory or a flat file.
func phaseNumber(name string) (int, bool) {
	rest := name
	if bare := after(name, "phase"); bare != name {
		rest = strings.TrimPrefix(strings.TrimPrefix(bare, "-"), "_")
	}
	for len(rest) > 1 && rest[0] == '0' && rest[1] >= '0' && rest[1] <= '9' {
		rest = rest[1:]
	}
	n, more := words.Leading(rest)
	part, _ := words.Leading(strings.TrimPrefix(more, ".")) // 3.1 is not a phase in the flight plan
	return n, n >= 0 && (more == "" || strings.IndexByte("-_ .", more[0]) >= 0 && part < 0)
}

// find returns the index of phase n and true, or the index at which to insert it and false.
func (s *phaseSet) find(n int) (int, bool) {
	return slices.BinarySearchFunc(s.list, n, func(p *phase, n int) int { return cmp.Compare(p.n, n) })
}

// at returns phase n, or nothing if that phase has no documents.
func (s *phaseSet) at(n int) *phase {
	if i, ok := s.find(n); ok {
		return s.list[i]
	}
	return nothing
}

// mostPhases limits how many phases are read. No real flight has that many.
const mostPhases = 2000

func readPhases(docs sdk.Docs) *phaseSet {
	s := &phaseSet{plan: docs.Get(planPath), names: map[int]string{}, listed: map[int]bool{}, ticked: map[int]bool{}}
	for _, d := range docs.All() {
		if below, ok := strings.CutPrefix(d.Path, "phases/"); ok && below != "" && len(s.list) < mostPhases {
			s.read(d, below)
		}
	}
	if s.plan.Readable() {
		s.readPlan(s.plan.Outline())
	}
	return s
}

// read adds a document or directory under phases/.
func (s *phaseSet) read(d *sdk.Document, below string) {
	dir, name, inside := strings.Cut(below, "/")
	n, ok := phaseNumber(strings.TrimSuffix(dir, ".md"))
	kind := kindOfFile(d.Path)
	if strings.Contains(name, "/") && kind != "route" || inside && name != "" && kind == "" {
		return
	} else if !ok {
		s.named = s.named || kind == "briefing" || kind == "route"
		return
	}
	i, found := s.find(n)
	if !found {
		s.list = slices.Insert(s.list, i, &phase{n: n})
	}
	p, place := s.list[i], dir
	if inside {
		place += "/"
	}
	if len(p.places) == 0 || p.places[len(p.places)-1] != place {
		p.places = append(p.places, place)
	}
	if d.Dir || d.Need == sdk.Listed && len(d.Faults) == 0 { // a directory, or a file whose text was not read
		return
	}
	s.numbered = append(s.numbered, d)
	if d.Summary.Words == 0 && d.Size <= 4<<10 && len(d.Faults) == 0 {
		return
	}
	if !inside {
		kind = "phase"
	}
	p.keep(kind, d)
	if kind == "logbook" {
		s.logbooks, s.logbook = true, name[strings.LastIndexByte(name, '/')+1:]
	}
}

// partNames maps file names to the kinds of phase documents.
var partNames = [...][2]string{
	{"route", "route"}, {"plan", "route"}, {"briefing", "briefing"}, {"context", "briefing"}, {"logbook", "logbook"},
	{"summary", "logbook"}, {"phase", "phase"},
}

// kindOfFile returns the kind of a document under phases/, judging by its name without numbers. For example,
// 03-02-ROUTE.md and route-auth.md are routes. It returns "" for other documents.
func kindOfFile(path string) string {
	name := strings.ToLower(strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".md"))
	for _, part := range partNames {
		if strings.Trim(name, "0123456789-_. ") == part[0] || part[0] == "route" && strings.HasPrefix(name, "route-") {
			return part[1]
		}
	}
	return ""
}

// routesOf returns a plan's routes: those whose path has the plan's number as its last number, or else the phase's
// first ten routes.
func (p *phase) routesOf(plan int) (list []*sdk.Document) {
	const digits = "0123456789"
	for _, d := range p.routes {
		_, below, _ := strings.Cut(strings.TrimPrefix(d.Path, "phases/"), "/")
		below = below[:strings.LastIndexAny(below, digits)+1]
		if integer(below[len(strings.TrimRight(below, digits)):]) == plan {
			list = append(list, d)
		}
	}
	if list == nil {
		list = p.routes[:min(len(p.routes), 10)]
	}
	return list
}

// keep stores a document as a part of the phase, and reads its tasks.
func (p *phase) keep(kind string, d *sdk.Document) {
	part := [...]**sdk.Document{&p.document, &p.briefing, &p.route,
		&p.logbook}[slices.Index([]string{"phase", "briefing", "route", "logbook"}, kind)]
	if *part == nil {
		*part = d
	}
	if kind == "route" {
		p.routes = append(p.routes, d)
	}
	if kind == "briefing" || kind == "logbook" || !d.Readable() {
		return
	}
	o := d.Outline()
	if kind == "phase" && p.state == taskUnknown {
		p.state = readTaskState(clean(o.Head().Field("Status").Text()))
	} else if kind == "route" {
		p.readBoxes(o)
	}
	p.readTasks(d.Path, o)
}

// readPlan reads the phases in the flight plan, with their names and whether they are done. It reads tables with a
// Phase column, and items and headings such as "Phase 4: Reports".
func (s *phaseSet) readPlan(o *markdown.Outline) {
	for _, t := range o.Tables() {
		column, name, state := t.Column("Phase"), t.Column("Name", "Title", "Description", "Goal"),
			t.Column("Status", "Done")
		if name < 0 {
			name = column + 1
		}
		for _, r := range t.Rows() {
			n, title := planned(r.Cell(column).Text(), true)
			s.plans(n, cmp.Or(title, cellText(r, name)), r.Cell(name).Raw(), cellText(r, state), false)
		}
	}
	for _, h := range o.Headings() {
		n, title := planned(h.Text(), false)
		s.plans(n, title, h.Raw(), h.Section().Field("Status").Text(), false)
	}
	for _, it := range o.Document().Items() {
		n, title := planned(it.Text(), false)
		s.plans(n, title, it.Own().Raw(), "", it.Task().Checked())
	}
	if total := markdown.PairAmong(o.Document().Pairs(), "Total Phases", "Phases"); s.total == 0 && total != nil {
		s.total = max(0, integer(clean(total.Value)))
	}
}

// planned reads a phase in the flight plan: "Phase 4: Reports", or "4 Reports" in a cell. It returns 0 for anything
// else.
func planned(text string, cell bool) (n int, title string) {
	text = strings.TrimLeftFunc(clean(text), markdown.Symbol)
	bare := after(text, "Phase ")
	n, rest := words.Leading(bare)
	title = untitled(rest)
	if part, _ := words.Leading(strings.TrimPrefix(rest, ".")); part >= 0 {
		return 0, "" // 3.1 is not a separate phase
	}
	if n <= 0 || bare == text && !cell || !cell && rest != "" && title == strings.TrimLeft(rest, " ") &&
		title[0] != '(' {
		return 0, ""
	}
	return n, strings.Trim(title, "*_ ✅")
}

// plans stores a phase from the flight plan. For an abandoned phase it stores only that it exists.
func (s *phaseSet) plans(n int, title, text, said string, checked bool) {
	if n <= 0 || n > mostPhases {
		return
	}
	s.listed[n] = true
	if s.total = max(s.total, n); strings.Contains(text, "~~") ||
		givenUp(title, said) {
		return
	} else if s.names[n] == "" {
		s.names[n] = title
	}
	s.ticked[n] = s.ticked[n] || checked || strings.Contains(text, "✅") || readTaskState(said) == taskDone
	s.kept = s.kept || s.ticked[n]
}

// first returns the first task that is done or, if done is false, the first one with a status other than done. It
// returns nil if there is none.
func (p *phase) first(done bool) *task {
	return find(p.tasks, func(t *task) bool { return t.state != taskUnknown && (t.state == taskDone) == done })
}

// last returns the highest documented phase number, or 0 if there is none.
func (s *phaseSet) last() int {
	if len(s.list) == 0 {
		return 0
	}
	return s.list[len(s.list)-1].n
}

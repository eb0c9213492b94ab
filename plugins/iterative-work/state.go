package iterativework

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// A state is what state.json says. Values that breach its schema are absent.
type state struct {
	doc  *sdk.Document // nil if there is none
	ok   bool          // it is an object that could be read
	root jsondoc.Value

	claimed   bool // phase is there
	phaseText string
	phase     step
	slug      string
	created   moment
	updated   moment
	current   [2]string // current_phase, and current of the early form
	iteration [2]int    // current_iteration and iteration, -1 if absent
	part      string
	phased    bool // phases is there
	records   []*record
	odd       []string // keys of phases that are no ids
	reasons   string   // blocked, as it is written
}

// A record is what the state says of one phase. Numbers are -1 if absent.
type record struct {
	id            string
	raw           string
	claimed       bool   // status is there
	text          string // the status as it is written
	status        status
	used          int
	confirmations int
	max           int
	passed        int // 1 for true, 0 for false
	completed     moment
}

// A moment is a time in the state: whether it is there, and what it means.
type moment struct {
	set bool
	raw string
	stamp
}

// The aliases of the fields current and iteration.
var (
	currentKeys   = [2]string{"current_phase", "current"}
	iterationKeys = [2]string{"current_iteration", "iteration"}
)

func readState(d *sdk.Document) *state {
	s := &state{doc: d, iteration: [2]int{-1, -1}}
	if d == nil || d.Need != sdk.Content {
		return s
	}
	for i := range d.Faults {
		if d.Faults[i].Rule != wire.RuleSchema {
			return s
		}
	}
	s.parse(d.Text)
	return s
}

func (s *state) parse(text string) {
	doc, err := jsondoc.Parse(text)
	if err != nil || doc.Root().Kind() != jsondoc.Object {
		return
	}
	s.ok, s.root = true, doc.Root()
	for _, m := range s.root.Members() {
		s.assign(m.Key, m.Value)
	}
}

// assign gives a field a value, or takes it away. It is one switch over the
// fields.
func (s *state) assign(key string, v jsondoc.Value) {
	text, _ := v.Text()
	switch key {
	case "phase":
		s.claimed, s.phaseText, s.phase = v.Kind() == jsondoc.String, text, step(placeOf(taskLifecycle, text))
	case "slug":
		s.slug = text
	case "created":
		s.created = readMoment(v)
	case "updated":
		s.updated = readMoment(v)
	case "current_phase":
		s.current[0] = text
	case "current":
		s.current[1] = text
	case "current_iteration":
		s.iteration[0] = number(v, 0)
	case "iteration":
		s.iteration[1] = number(v, 0)
	case "current_part":
		s.part = text
	case "blocked":
		s.reasons = v.Raw()
	case "phases":
		s.phased, s.records, s.odd = v.Kind() == jsondoc.Object, nil, nil
		for _, m := range v.Members() {
			s.put(m.Key, m.Value)
		}
	}
}

// put adds the record of a phase.
func (s *state) put(id string, v jsondoc.Value) {
	if !isID(id) {
		s.odd = append(s.odd, id)
		return
	}
	if v.Kind() != jsondoc.Object {
		return
	}
	r := &record{id: id, raw: v.Raw(), used: -1, confirmations: -1, max: -1, passed: -1}
	for _, m := range v.Members() {
		r.assign(m.Key, m.Value)
	}
	s.records = append(s.records, r)
}

// assign gives a field a value, or takes it away. It is one switch over the
// fields.
func (r *record) assign(key string, v jsondoc.Value) {
	text, _ := v.Text()
	switch key {
	case "status":
		r.claimed, r.text, r.status = v.Kind() == jsondoc.String, text, status(placeOf(phaseLifecycle, text))
	case "iterations_used":
		r.used = number(v, 0)
	case "confirmations_used":
		r.confirmations = number(v, 0)
	case "max_iterations":
		r.max = number(v, 1)
	case "verification_passed":
		r.passed = -1
		if yes, ok := v.Bool(); ok {
			r.passed = 0
			if yes {
				r.passed = 1
			}
		}
	case "completed_at":
		r.completed = readMoment(v)
	}
}

// number reads a count from least to 9999, -1 for anything else.
func number(v jsondoc.Value, least int64) int {
	if n, ok := v.Int(); ok && n >= least && n <= 9999 {
		return int(n)
	}
	return -1
}

//go:noinline
func readMoment(v jsondoc.Value) moment {
	text, set := v.Text()
	m := moment{set: set, raw: text, stamp: readStamp(text)}
	if m.text != text {
		m.stamp = stamp{}
	}
	return m
}

// named returns the current phase, "" if the state names none, and its key.
//
//go:noinline
func (s *state) named() (id, key string) {
	for i, id := range s.current {
		if id != "" {
			return id, currentKeys[i]
		}
	}
	return "", currentKeys[0]
}

// counted returns the current iteration, -1 if the state has none, and its key.
//
//go:noinline
func (s *state) counted() (n int, key string) {
	for i, n := range s.iteration {
		if n >= 0 {
			return n, iterationKeys[i]
		}
	}
	return -1, iterationKeys[0]
}

// edited is the state after an edit at a pointer; New is "" to take away.
func (s *state) edited(pointer, text string) *state {
	tokens := strings.Split(pointer, "/")[1:]
	var v jsondoc.Value
	if doc, err := jsondoc.Parse(text); err == nil {
		v = doc.Root()
	}
	after := *s
	if len(tokens) == 1 {
		after.assign(tokens[0], v)
		return &after
	}
	after.records = make([]*record, 0, len(s.records)+1)
	for _, r := range s.records {
		if r.id != tokens[1] {
			after.records = append(after.records, r)
		} else if len(tokens) == 3 {
			changed := *r
			changed.assign(tokens[2], v)
			after.records = append(after.records, &changed)
		}
	}
	if len(tokens) == 2 {
		after.put(tokens[1], v)
	}
	return &after
}

// explains reports whether the state itself has a reason why a phase is blocked.
func (s *state) explains(id string) bool { return strings.Contains(s.reasons, `"`+id+`"`) }

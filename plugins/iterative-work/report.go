package iterativework

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/wire"
)

// A look is a run of rules over a model: for real, or to try a remedy.
type look struct {
	p       *sdk.Pass
	m       *model
	rule    *rule
	trial   map[string]bool // in a trial, the findings so far; nil for real
	told    int             // findings of the rule
	finding *sdk.Diagnostic // the latest, not yet reported
	offers  []*offer        // its remedies
}

// An offer is a remedy before it is tried, with what its edits make of the
// plan and the log, which cannot be read from an edited text.
type offer struct {
	sdk.Remedy
	log   *journal
	boxes []*item // whose box changes
	added *item   // put back into the plan
	after *item   // behind this one
	sure  bool    // the finding goes, which a trial cannot see
}

// Of one rule at most so many findings are told: a report has its limits.
const maxTold = 250

// tell makes a finding at a place: bytes of a text, a pointer into state.json,
// or the whole document. A pointer that begins with # means the key.
func (l *look) tell(path, pointer string, start, end int, subject, key, message string) {
	l.flush()
	if l.told++; l.told > maxTold && l.trial == nil {
		return
	}
	l.finding = &sdk.Diagnostic{Subject: subject, Key: key, Message: message}
	r := &l.finding.Range
	r.Path, r.Pointer, r.Start, r.End = path, strings.TrimPrefix(pointer, "#"), start, end
	r.Key = r.Pointer != pointer
}

// state makes a finding about state.json.
//
//go:noinline
func (l *look) state(pointer, subject, key, message string) {
	l.tell(statePath, pointer, 0, 0, subject, key, message)
}

// whole makes a finding about a document as a whole, present or not.
//
//go:noinline
func (l *look) whole(path, message string) { l.tell(path, "", 0, 0, "", "", message) }

// item makes a finding about an item of the plan.
//
//go:noinline
func (l *look) item(it *item, key, message string) {
	l.tell(it.doc.Path, "", it.start, it.end, it.id, key, message)
}

// entry makes a finding about the heading of an entry.
//
//go:noinline
func (l *look) entry(e *entry, message string) {
	l.tell(logPath, "", e.start, e.end, e.id, short(e.title), message)
}

// lower makes the latest finding a warning.
//
//go:noinline
func (l *look) lower() {
	if l.finding != nil {
		l.finding.Severity = sdk.Warning
	}
}

// manual adds a remedy for a person.
//
//go:noinline
func (l *look) manual(title, firstStep string) {
	if o := l.offer(sdk.Manual, title); o != nil {
		o.Steps = []string{firstStep}
	}
}

// offer adds a remedy to the latest finding; nil if remedies are of no use.
//
//go:noinline
func (l *look) offer(safety sdk.Safety, title string) *offer {
	if l.trial != nil || l.finding == nil {
		return nil
	}
	o := &offer{}
	o.Title, o.Safety, o.Subject = title, safety, l.finding.Subject
	l.offers = append(l.offers, o)
	return o
}

// edit adds an edit to a remedy, which may be nil.
//
//go:noinline
func (o *offer) edit(op wire.Op, path, pointer, text string) *sdk.Edit {
	if o == nil {
		return &sdk.Edit{}
	}
	o.Edits = append(o.Edits, sdk.Edit{Op: op, New: text})
	e := &o.Edits[len(o.Edits)-1]
	e.Range.Path, e.Range.Pointer = path, pointer
	return e
}

//go:noinline
func (o *offer) set(pointer, json string) { o.edit(wire.Set, statePath, pointer, json) }

//go:noinline
func (o *offer) unset(pointer string) { o.edit(wire.Unset, statePath, pointer, "") }

//go:noinline
func (o *offer) replace(path string, start, end int, text string) {
	r := &o.edit(wire.Replace, path, "", text).Range
	r.Start, r.End = start, end
}

// box changes the box of an item.
//
//go:noinline
func (o *offer) box(it *item, mark string) {
	if o == nil {
		return
	}
	o.replace(it.doc.Path, it.start+1, it.start+2, mark)
	o.boxes = append(o.boxes, it)
}

// fix offers to set one value of the state.
//
//go:noinline
func (l *look) fix(safety sdk.Safety, title, pointer, json string) {
	if o := l.offer(safety, title); o != nil {
		o.set(pointer, json)
	}
}

// setStatus offers another status for a phase, with what belongs to it.
func (l *look) setStatus(ph *phase, s status) {
	o := l.offer(sdk.Review, "Set "+ph.id+" to "+s.String())
	if o == nil {
		return
	}
	pointer := "/phases/" + ph.id
	o.set(pointer+"/status", quote(s.String()))
	switch {
	case s == done:
		if ph.trail.lastVerified >= 0 && ph.rec.passed != 1 {
			o.set(pointer+"/verification_passed", "true")
		}
		if t := ph.trail.finished(); !ph.rec.completed.set && t != "" {
			o.set(pointer+"/completed_at", quote(t))
		}
	case ph.status == done:
		for _, key := range [...]string{"completed_at", "verification_passed"} {
			if (key == "completed_at" && ph.rec.completed.set) || (key != "completed_at" && ph.rec.passed >= 0) {
				o.unset(pointer + "/" + key)
			}
		}
		if ph.item != nil && ph.item.ticked {
			o.box(ph.item, " ")
		}
	}
}

// finished is the time of the verification, else of the last entry, "" without one.
//
//go:noinline
func (t *trail) finished() string {
	text := ""
	for _, e := range t.entries {
		if e.when.kind > 0 && (e.index <= t.lastVerified || t.lastVerified < 0) {
			text = e.when.text
		}
	}
	return text
}

// flush reports the latest finding with the remedies that keep their word.
func (l *look) flush() {
	d := l.finding
	if d == nil {
		return
	}
	l.finding = nil
	if l.trial != nil {
		if d.Severity == 0 {
			d.Severity = l.rule.severity
		}
		l.trial[l.rule.name+nameOf(d)] = d.Severity == sdk.Error
		return
	}
	for _, o := range l.offers {
		if len(o.Edits) > 0 {
			o.Heals = []string{l.rule.name}
			if l.bump(o); !l.keepsWord(o, nameOf(d)) {
				continue
			}
		}
		d.Remedies = append(d.Remedies, o.Remedy)
	}
	l.offers = nil
	l.p.Report(*d)
}

// nameOf is what stays the same of a finding of a rule while the fault stays.
//
//go:noinline
func nameOf(d *sdk.Diagnostic) string {
	return "\x00" + d.Range.Path + "\x00" + d.Subject + "\x00" + d.Key
}

// bump sets updated along with other values of the state, unless it would then
// be before created.
func (l *look) bump(o *offer) {
	created := &l.m.state.created.stamp
	for i := range o.Edits {
		switch e := &o.Edits[i]; {
		case e.Op == wire.Create || e.Op == wire.Restore || e.Range.Pointer == "/updated":
			return
		case e.Range.Pointer == "/created":
			created = &l.m.base.state.created.stamp
		}
	}
	if l.m.state.updated.set && o.Edits[0].Range.Path == statePath && l.nowIsAfter(created) {
		o.set("/updated", nowText)
	}
}

const nowText = `"` + sdk.NowInEdit + `"`

// nowIsAfter reports whether the time of applying, in whole seconds, is surely
// not before a stamp.
func (l *look) nowIsAfter(s *stamp) bool {
	if s.kind == 0 {
		return true
	}
	t := s.at
	if whole := t.Seconds(); whole != t {
		t = whole.Add(1_000_000_000)
	}
	return !l.p.Before(t)
}

// keepsWord tries a remedy. If another error would fire, it becomes one for a
// person; if the finding would stay, it is none at all.
func (l *look) keepsWord(o *offer, name string) bool {
	const most = 400
	if l.m.tried++; l.m.tried > most || l.m.tried*len(l.m.phases) > 40_000 {
		return false
	}
	if l.m.errors == nil {
		l.m.errors = l.try(l.m)
	}
	after := l.try(l.m.after(o))
	if o.sure {
		delete(after, l.rule.name+name)
	}
	if _, still := after[l.rule.name+name]; still {
		return false
	}
	for fault, wrong := range after {
		if wrong && !l.m.errors[fault] {
			o.byHand(after, l.m.errors)
			break
		}
	}
	return true
}

// try lists the findings of this rule and of those that remedies can bring about,
// by name: true for errors.
func (l *look) try(m *model) map[string]bool {
	t := look{p: l.p, m: m, trial: map[string]bool{}}
	for i := range rules {
		if r := &rules[i]; r == l.rule || r.severity == sdk.Error && r.flags&fixed == 0 {
			t.run(r)
		}
	}
	return t.trial
}

// byHand turns edits into steps, and names what must be settled besides.
func (o *offer) byHand(after, before map[string]bool) {
	steps := make([]string, 0, len(o.Edits)+1)
	for i := range o.Edits {
		e := &o.Edits[i]
		place := e.Range.Path
		if e.Range.Pointer != "" {
			place += " " + e.Range.Pointer
		}
		switch {
		case e.Op == wire.Unset:
			push(&steps, "remove "+place)
		case e.New == nowText:
		case e.Op == wire.Replace && e.New == " ":
			push(&steps, "untick the box in "+place)
		case e.Op == wire.Replace && e.New == "x":
			push(&steps, "tick the box in "+place)
		case e.Op == wire.Set:
			push(&steps, "set "+place+" to "+short(e.New))
		case e.New != "" && len(e.New) < 3000:
			push(&steps, "write "+place+":\n"+e.New)
		default:
			push(&steps, "put back "+place)
		}
	}
	var then []string
	for i := range rules {
		for fault, wrong := range after {
			parts := strings.SplitN(fault, "\x00", 4)
			if wrong && !before[fault] && parts[0] == rules[i].name {
				text := strings.TrimSpace(parts[0] + " " + parts[2])
				if !has(then, text) {
					then = append(then, text)
				}
			}
		}
	}
	sortTexts(then)
	o.Safety, o.Edits, o.Heals = sdk.Manual, nil, nil
	o.Steps = append(steps, "then settle what follows from it: "+list(then))
}

// after is the model once a remedy is applied. It makes the edits in what was
// read, since the text that they leave cannot be outlined here.
func (m *model) after(o *offer) *model {
	n := *m
	n.errors = nil
	for i := range o.Edits {
		switch e := &o.Edits[i]; {
		case e.Range.Path != statePath:
		case e.Op == wire.Create:
			n.state = &state{doc: &sdk.Document{Path: statePath}, iteration: [2]int{-1, -1}}
			n.state.parse(e.New)
		case e.Op == wire.Restore:
			n.state = m.base.state
		case e.Op == wire.Set || e.Op == wire.Unset:
			n.state = n.state.edited(e.Range.Pointer, e.New)
		}
	}
	if len(o.boxes) > 0 || o.added != nil {
		n.plan = m.plan.edited(o)
	}
	if o.log != nil {
		n.log = o.log
	}
	n.derive()
	return &n
}

// edited is the plan with boxes changed and an item put back.
func (o *outlook) edited(by *offer) *outlook {
	after := *o
	after.items = make([]*item, 0, len(o.items)+1)
	for _, it := range o.items {
		changed := *it
		for _, box := range by.boxes {
			if box == it {
				changed.ticked = !it.ticked
			}
		}
		after.items = append(after.items, &changed)
		if it == by.after {
			added := *by.added
			after.items = append(after.items, &added)
		}
	}
	if by.added != nil {
		after.relate()
	}
	return &after
}

func sortTexts(texts []string) {
	for i := range texts {
		for j := i; j > 0 && texts[j] < texts[j-1]; j-- {
			texts[j], texts[j-1] = texts[j-1], texts[j]
		}
	}
}

package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/wire"
)

// A look is a run of rules over a model: for real, or to try a remedy.
type look struct {
	p      *sdk.Pass
	m      *model
	rule   *rule
	trial  map[string]bool // in a trial, the findings so far: true for errors
	told   int             // findings of the rule
	names  map[string]bool // of the findings of the rule
	d      *sdk.Diagnostic // the latest, not yet reported
	offers []*offer        // its remedies
}

// An offer is a remedy before it is tried, with the model that it leaves.
type offer struct {
	sdk.Remedy
	m, after *model
	broken   bool // an edit of it is not possible
}

// Of one rule at most so many findings are told, and so many remedies tried in all.
const (
	maxTold  = 100
	maxTried = 300
)

// tell makes a finding. The key stays the same while the fault stays.
func (l *look) tell(at sdk.Range, key, message string) {
	l.flush()
	if l.told++; l.told > maxTold {
		return
	}
	key = clip(oneLine(key), 100)
	twin := l.names[at.Path+"\x00"+key]
	for n := 2; l.names[at.Path+"\x00"+key]; n++ {
		key = strings.TrimSuffix(key, "#"+itoa(n-1)) + "#" + itoa(n)
	}
	if l.names == nil {
		l.names = map[string]bool{}
	}
	l.names[at.Path+"\x00"+key] = true
	l.d = &sdk.Diagnostic{Key: key, Message: clip(message, 600), Range: at}
	if twin {
		l.m = l.m.hopeless()
	}
}

// hopeless is the model without tries left: what heals a finding would leave its
// twin of the same name.
func (m *model) hopeless() *model {
	n := *m
	n.tried = maxTried
	return &n
}

// field makes a finding at the value of a field, else at the title.
func (l *look) field(key, message string) { l.tell(l.m.pos.placeOf(l.m.pos.get(key)), "", message) }

// placeOf is where a field stands, else the title, else the first line.
func (p *position) placeOf(f *field) sdk.Range {
	switch {
	case f != nil:
		return f.at
	case p.title != "":
		return p.titleAt
	}
	return sdk.AtLine(p.path, 1)
}

// pointer makes a finding about a value of a JSON document.
func (l *look) pointer(path, pointer, message string) {
	l.tell(sdk.AtPointer(path, pointer), pointer, message)
}

// manual adds a remedy for a person.
func (l *look) manual(title, step string) {
	if l.trial == nil && l.d != nil {
		o := &offer{}
		o.Title, o.Steps = title, []string{step}
		l.offers = append(l.offers, o)
	}
}

// offer adds a remedy to the latest finding; nil if remedies are of no use.
func (l *look) offer(safety sdk.Safety, title string) *offer {
	if l.trial != nil || l.d == nil || l.m.tried >= maxTried {
		return nil
	}
	o := newOffer(l.m, safety, title)
	l.offers = append(l.offers, o)
	return o
}

func newOffer(m *model, safety sdk.Safety, title string) *offer {
	o := &offer{m: m}
	o.Title, o.Safety = title, safety
	after := *m
	after.moved = map[string]bool{}
	if m.pos != nil {
		p := *m.pos
		p.fields = append([]*field(nil), p.fields...)
		after.pos = &p
	}
	o.after = &after
	return o
}

func (o *offer) edit(op wire.Op, path, pointer, text, to string) *sdk.Edit {
	o.Edits = append(o.Edits, sdk.Edit{Op: op, New: text, To: to})
	e := &o.Edits[len(o.Edits)-1]
	e.Range.Path, e.Range.Pointer = path, pointer
	return e
}

// replace puts a text in place of bytes.
func (o *offer) replace(path string, start, end int, text string) {
	r := &o.edit(wire.Replace, path, "", text, "").Range
	r.Start, r.End = start, end
}

// markdown takes an edit of an outline.
func (o *offer) markdown(path string, e markdown.Edit, ok bool) {
	if !ok {
		o.broken = true
		return
	}
	o.replace(path, e.Start, e.End, e.New)
}

// cell gives a field another value. A field that is not there makes the offer void.
func (o *offer) cell(key, value string) {
	if o == nil {
		return
	}
	f := o.m.pos.get(key)
	if f == nil || value == "" {
		o.broken = true
		return
	}
	e, ok := f.set(value)
	o.markdown(o.m.pos.path, e, ok)
	for i, old := range o.after.pos.fields {
		if old == f {
			changed := *f
			changed.value = clean(value)
			o.after.pos.fields[i] = &changed
		}
	}
}

// cellIf is cell where the field is there.
func (o *offer) cellIf(key, value string) {
	if o != nil && o.m.pos.get(key) != nil && value != "" {
		o.cell(key, value)
	}
}

// status sets the status and the next action that goes with it.
func (o *offer) status(s status, next string) {
	o.cell("status", s.title())
	o.cellIf("nextaction", next)
}

// move takes a document to another place.
func (o *offer) move(from, to string) {
	if o == nil {
		return
	}
	o.edit(wire.Move, from, "", "", to)
	o.broken = o.broken || faulty(o.m.docs.Get(from))
	o.after.moved[from], o.after.moved[to] = false, true
}

// forget makes Resume file none if it names a document.
func (o *offer) forget(name string) {
	if o == nil || o.m.pos == nil {
		return
	}
	if path, ok := o.m.inside(o.m.pos.get("resumefile").given()); ok && path == name {
		o.cell("resumefile", "None")
	}
}

// archiveHand moves the hand-off to the archive.
func (o *offer) archiveHand() {
	if o == nil {
		return
	}
	h := o.m.hand
	name := "archive/holding-pattern"
	if h.phase > 0 && h.plan > 0 {
		name += "-" + itoa(h.phase) + "-" + itoa(h.plan)
	}
	o.move(h.doc.Path, o.m.free(name+".md"))
	o.after.hand = nil
	o.forget(h.doc.Path)
}

// restoreHand brings the hand-off of the earlier revision back.
func (o *offer) restoreHand() {
	if o == nil {
		return
	}
	h := o.m.base.hand
	o.broken = o.broken || faulty(h.doc)
	o.edit(wire.Restore, h.doc.Path, "", "", "")
	o.after.hand, o.after.moved[h.doc.Path] = h, true
}

// faulty reports whether the host speaks about a document: what is taken from it
// might bring its faults along.
func faulty(d *sdk.Document) bool { return d != nil && len(d.Faults) > 0 }

// set sets a value of a JSON document.
func (o *offer) set(path, pointer, json string) {
	if o == nil {
		return
	}
	o.edit(wire.Set, path, pointer, json, "")
	a := o.after
	o.broken = o.broken || faulty(o.m.docs.Get(path)) || o.m.base != nil && faulty(o.m.base.docs.Get(path))
	doc := a.th.doc
	if path == acksPath {
		doc = a.ak.doc
		o.broken = o.broken || a.ak.long || len(json) > 1<<20
	} else if path != thresholdsPath {
		return
	}
	change, err := doc.Set(pointer, json)
	if err == nil {
		doc, err = jsondoc.Parse(change.Apply(doc.Text()))
	}
	switch {
	case err != nil:
		o.broken = true
	case path == acksPath:
		a.ak = readAcks(doc)
	default:
		a.th = readThresholds(doc)
	}
}

// flush reports the latest finding with the remedies that keep their word.
func (l *look) flush() {
	d := l.d
	if d == nil {
		return
	}
	l.d = nil
	name := nameOf(l.rule, d)
	if l.trial != nil {
		l.trial[name] = l.rule.severity == sdk.Error
		return
	}
	for _, o := range l.offers {
		if o.after != nil {
			if o.Heals = []string{l.rule.name}; !l.keepsWord(o, name) {
				continue
			}
		}
		d.Remedies = append(d.Remedies, o.Remedy)
	}
	l.offers = nil
	l.p.Report(*d)
}

func nameOf(r *rule, d *sdk.Diagnostic) string {
	return r.name + "\x00" + d.Range.Path + "\x00" + d.Key
}

// keepsWord tries a remedy: its finding goes and no error comes.
func (l *look) keepsWord(o *offer, name string) bool {
	if o.broken || len(o.Edits) == 0 {
		return false
	}
	m := l.p.Model.(*model)
	m.tried += m.weight()
	l.m.tried = max(l.m.tried, m.tried)
	after := o.outcome(l.p, l.rule)
	if _, still := after[name]; still {
		return false
	}
	if m.errors == nil {
		m.errors = try(l.p, m, nil)
	}
	return noNew(after, m.errors)
}

// weight is what one try costs: more where much is listed.
func (m *model) weight() int {
	n := 0
	if p := m.pos; p != nil {
		n += len(p.fields) + len(p.blockers) + len(p.limits) + len(p.acks)
	}
	if h := m.hand; h != nil {
		n += len(h.rows) + len(h.remaining)
	}
	return 1 + n/100
}

// outcome is what the rules find when the edits are made.
func (o *offer) outcome(p *sdk.Pass, own *rule) map[string]bool {
	if o.after.pos != nil {
		o.after.pos.derive()
	}
	o.after.derive()
	return try(p, o.after, own)
}

// noNew reports whether no error is among the findings that was not there before.
func noNew(after, before map[string]bool) bool {
	for fault, isError := range after {
		if isError && !before[fault] {
			return false
		}
	}
	return true
}

// try lists the findings of the error rules, and of one rule besides.
func try(p *sdk.Pass, m *model, own *rule) map[string]bool {
	t := look{p: p, m: m, trial: map[string]bool{}}
	for i := range rules {
		if r := &rules[i]; r == own || r.severity == sdk.Error {
			t.run(r)
		}
	}
	return t.trial
}

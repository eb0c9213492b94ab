package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/wire"
)

// A look is a run of rules over a model.
type look struct {
	p      *sdk.Pass
	m      *model
	rule   *rule
	told   int             // findings of the rule
	names  map[string]bool // of the findings of the rule
	d      *sdk.Diagnostic // the latest, not yet reported
	offers []*offer        // its remedies
}

// An offer is a remedy in the making.
type offer struct {
	sdk.Remedy
	m      *model
	broken bool // an edit of it is not possible
}

// maxTold is how many findings of one rule are reported at most.
const maxTold = 100

// tell makes a finding. The key stays the same while the fault stays.
func (l *look) tell(at sdk.Range, key, message string) {
	l.flush()
	if l.told++; l.told > maxTold {
		return
	}
	key = clip(oneLine(key), 100)
	for n := 2; l.names[at.Path+"\x00"+key]; n++ {
		key = strings.TrimSuffix(key, "#"+itoa(n-1)) + "#" + itoa(n)
	}
	if l.names == nil {
		l.names = map[string]bool{}
	}
	l.names[at.Path+"\x00"+key] = true
	l.d = &sdk.Diagnostic{Key: key, Message: clip(message, 600), Range: at}
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
	if l.d != nil {
		o := &offer{}
		o.Title, o.Steps = title, []string{step}
		l.offers = append(l.offers, o)
	}
}

// offer adds a remedy to the latest finding; nil if that was one too many.
func (l *look) offer(safety sdk.Safety, title string) *offer {
	if l.d == nil {
		return nil
	}
	o := newOffer(l.m, safety, title)
	l.offers = append(l.offers, o)
	return o
}

func newOffer(m *model, safety sdk.Safety, title string) *offer {
	o := &offer{m: m}
	o.Title, o.Safety = title, safety
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
	o.forget(h.doc.Path)
}

// restoreHand brings the hand-off of the earlier revision back.
func (o *offer) restoreHand() {
	if o == nil {
		return
	}
	o.edit(wire.Restore, o.m.base.hand.doc.Path, "", "", "")
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
}

// flush reports the latest finding.
func (l *look) flush() {
	d := l.d
	if d == nil {
		return
	}
	l.d = nil
	for _, o := range l.offers {
		if o.m != nil {
			o.Heals = []string{l.rule.name}
		}
		if o.m == nil || !o.broken && len(o.Edits) > 0 {
			d.Remedies = append(d.Remedies, o.Remedy)
		}
	}
	l.offers = nil
	l.p.Report(*d)
}

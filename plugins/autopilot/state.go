package autopilot

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/state"
	"github.com/stategate/stategate/sdk/words"
)

// The threshold types. Context never stops a flight.
const (
	cost = iota
	context
	variance
	errors
	kinds
)

var kindNames = [kinds]string{"cost", "context", "variance", "errors"}

// valueKeys holds the keys that a type's value may have, starting with the key in the schema.
var valueKeys = [kinds][2]string{{"cost", "cost"}, {"context_percent", "context"}, {"variance_percent", "variance"},
	{"error_count", "errors"}}

// units holds the text before and after each value in a table.
var units = [kinds][2]string{{"$", ""}, {"", "%"}, {"", "%"}, {"", ""}}

// kindOf returns the threshold type that a text names, or -1 if it names none.
func kindOf(text string) int {
	name := markdown.Name(text)
	for k := range kinds {
		if name == kindNames[k] || name == markdown.Name(valueKeys[k][0]) || k == errors && name == "error" {
			return k
		}
	}
	return -1
}

var levelNames = [...]string{"", "warning", "alert", "stop"}

// levelOf reads a level: 0 for none, -1 for an unknown word.
func levelOf(text string) int {
	name := strings.ToLower(strings.TrimSpace(text))
	if name == "ok" || name == "none" {
		return 0
	}
	return slices.Index(levelNames[:], name)
}

// cellLevel reads the level from the lowercase text of a status cell. It returns -1 if the text contains no level.
func cellLevel(low string) int {
	for level := 3; level > 0; level-- {
		if strings.Contains(low, levelNames[level]) {
			return level
		}
	}
	if strings.Contains(low, "ok") || strings.Contains(low, "✅") {
		return 0
	}
	return -1
}

// levelTitle returns the word for a level in the thresholds table.
func levelTitle(level int) string { return [...]string{"OK", "Warning", "Alert", "Stop"}[level] }
func levelJSON(level int) string {
	return [...]string{"null", `"warning"`, `"alert"`, `"stop"`}[max(level, 0)]
}

// stateForm declares the times in the JSON documents. The other values are not declared, because their keys vary.
var stateForm = state.Spec{Fields: []state.Field{
	{At: "/last_check", Kind: state.Moment},
	{At: "/last_reset", Kind: state.Moment},
	{At: "/acknowledgments/*/acknowledged_at", Kind: state.Moment},
	{At: "/acknowledgment_history/*/acknowledged_at", Kind: state.Moment},
	{At: "/acknowledgment_history/*/reset_at", Kind: state.Moment},
}}

// A number is a value read from a JSON document or from a table cell.
type number struct {
	v            float64
	raw, pointer string
	ok           bool
}

// readNumber returns the number in an object under the first of the keys that has one.
func readNumber(v jsondoc.Value, pointer string, keys ...string) (n number) {
	for _, key := range keys {
		if f, ok := v.Get(key).Float(); ok && !n.ok {
			n = number{f, v.Get(key).Raw(), pointer + "/" + key, true}
		}
	}
	return n
}

// A level is an entry in levels_triggered.
type level struct {
	n             int // level number, or -1 for an unknown word
	text, pointer string
}

// thresholds holds state/thresholds.json.
type thresholds struct {
	*state.Doc
	values [kinds]number
	levels [kinds]level
	check  instant.Moment
}

func readThresholds(d *state.Doc) *thresholds {
	t := &thresholds{Doc: d, check: d.Get("/last_check").Moment}
	values, levels := d.Root.Get("current_values"), d.Root.Get("levels_triggered")
	for k := range kinds {
		t.values[k] = readNumber(values, "/current_values", valueKeys[k][:]...)
		key := kindNames[k]
		if !levels.Get(key).Exists() && levels.Get(valueKeys[k][0]).Exists() {
			key = valueKeys[k][0]
		}
		text, _ := levels.Get(key).Text()
		t.levels[k] = level{levelOf(text), text, "/levels_triggered/" + key}
	}
	return t
}

// An entry is an acknowledgment, either current or in the history.
type entry struct {
	kind      int // -1 for an unknown type
	name      string
	at, reset instant.Moment
	ack, done string // times of the acknowledgment and the reset, in canonical form
	value     number
	level     string // value of threshold_level
	pointer   string
	json      jsondoc.Value
	void      bool // whether it was reset later
	past      bool // whether it is also in the history
}

func (e *entry) valid() bool { return !e.void && !e.past }

// acknowledgments holds state/acknowledgments.json.
type acknowledgments struct {
	*state.Doc
	entries []*entry
	history []*entry
	reset   instant.Moment
}

// mostEntries limits how many acknowledgments are read.
const mostEntries = 200

func readAcks(d *state.Doc) *acknowledgments {
	a := &acknowledgments{Doc: d, reset: d.Get("/last_reset").Moment}
	for i, v := range d.Root.Get("acknowledgment_history").Elements() {
		name, _ := v.Get("type").Text()
		a.history = append(a.history, a.entry(v, name, "/acknowledgment_history/"+itoa(i), "value"))
	}
	for _, m := range d.Root.Get("acknowledgments").Members() {
		if len(a.entries) == mostEntries || m.Value.Kind() != jsondoc.Object {
			continue
		}
		e := a.entry(m.Value, m.Key, "/acknowledgments/"+jsondoc.EscapeToken(m.Key), "value_at_acknowledgment",
			"value_at_ack", "value")
		e.void = e.at.Before(a.reset, 0)
		e.past = slices.ContainsFunc(a.history, e.is)
		a.entries = append(a.entries, e)
	}
	return a
}

func (a *acknowledgments) entry(v jsondoc.Value, name, pointer string, keys ...string) *entry {
	at, reset := a.Get(pointer+"/acknowledged_at"), a.Get(pointer+"/reset_at")
	level, _ := v.Get("threshold_level").Text()
	return &entry{kind: kindOf(name), name: name, at: at.Moment, reset: reset.Moment, ack: instant.Canon(at.Text),
		done:  instant.Canon(reset.Text),
		value: readNumber(v, pointer, keys...), level: level, pointer: pointer, json: v}
}

// alike reports whether two entries have the same type.
func (e *entry) alike(o *entry) bool { return e.name == o.name || e.kind >= 0 && e.kind == o.kind }

// is reports whether two entries are the same acknowledgment.
func (e *entry) is(o *entry) bool { return e.alike(o) && e.ack == o.ack && e.ack != "" }

// follows reports whether two entries belong to the same acknowledgment, or to the same reset of a type.
func (e *entry) follows(o *entry) bool {
	return e.is(o) || e.alike(o) && e.done == o.done && e.done != ""
}

// same reports whether two history entries are equal.
func (e *entry) same(o *entry) bool {
	return e.is(o) && e.done == o.done && e.value.ok == o.value.ok && e.value.v == o.value.v
}

// valid returns a type's valid acknowledgment, or nil if there is none.
func (a *acknowledgments) valid(kind int) *entry {
	return find(a.entries, func(e *entry) bool { return e.kind == kind && e.valid() })
}

// resetSince reports whether a type was, or may have been, reset after m. If m is unknown, any reset counts.
func (a *acknowledgments) resetSince(kind int, m instant.Moment) bool {
	later := func(h *entry) bool { return h.kind == kind && (m.Before(h.reset, 0) || !known(m)) }
	return m.Before(a.reset, 0) || !known(m) && known(a.reset) || slices.ContainsFunc(a.history, later)
}

// without returns all acknowledgments except gone, as JSON.
func (a *acknowledgments) without(gone *entry) string {
	b := jsondoc.NewObject()
	for _, e := range a.entries {
		if e != gone {
			b.Value(e.name, e.json)
		}
	}
	return b.Compact()
}

// historyWith returns the history as JSON, followed by acknowledgments that the last reset voided.
func (a *acknowledgments) historyWith(added ...*entry) string {
	var list []string
	for _, h := range a.history {
		list = append(list, h.json.Raw())
	}
	for _, e := range added {
		b := jsondoc.NewObject().String("type", e.name).Raw("value",
			cmp.Or(e.value.raw, "null")).Value("acknowledged_at", e.json.Get("acknowledged_at"))
		list = append(list, b.String("reset_at", a.reset.Text).Compact())
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// A moment is a time in a document, with the name of its field.
type moment struct {
	name, text string
	place      sdk.Range
	at         instant.Moment
	strict     bool // whether an unreadable value is an error: a program wrote it, or the base has a readable one
}

// moments returns the times in the documents.
func (m *model) moments() (list []moment) {
	add := func(name, text string, place sdk.Range, at instant.Moment, strict bool) {
		if text != "" && !placeholder(text) {
			list = append(list, moment{name, text, place, at, strict})
		}
	}
	h, f := m.hand, m.pos.stampField
	add(f.label, f.given(), f.at, m.pos.stamp, known(m.base.pos.stamp))
	if m.holds() {
		add("created", h.createdText, h.createdAt, h.created, known(m.base.hand.created))
	}
	for _, key := range [...]string{"lastactivity", "lastsession"} { // free text is not a malformed time
		f := m.pos.get(key)
		at, _ := instant.Find(f.given())
		if year, rest := words.Leading(f.given()); !known(at) && year > 999 && strings.HasPrefix(rest, "-") {
			add(f.label, f.value, f.at, at, false)
		}
	}
	for _, d := range [...]*state.Doc{m.th.Doc, m.ak.Doc} {
		for _, v := range d.List {
			if v.JSON.Kind() == jsondoc.String {
				list = append(list, moment{v.Pointer[strings.LastIndexByte(v.Pointer, '/')+1:], v.Text,
					sdk.AtPointer(d.Path, v.Pointer), v.Moment, true})
			}
		}
	}
	return list
}

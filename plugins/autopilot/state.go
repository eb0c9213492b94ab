package autopilot

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/markdown"
)

// The types of a threshold. Context never stops a flight.
const (
	cost = iota
	context
	variance
	errors
	kinds
)

var kindNames = [kinds]string{"cost", "context", "variance", "errors"}

// valueKeys are the keys of a value, that of the schema first.
var valueKeys = [kinds][2]string{{"cost", "cost"}, {"context_percent", "context"}, {"variance_percent", "variance"}, {"error_count", "errors"}}

// kindOf finds a type by any of its names, -1 for another one.
//
//go:noinline
func kindOf(text string) int {
	switch markdown.Name(text) {
	case "cost":
		return cost
	case "context", "contextpercent":
		return context
	case "variance", "variancepercent":
		return variance
	case "errors", "error", "errorcount":
		return errors
	}
	return -1
}

// units stand before and behind a value in a table.
var units = [kinds][2]string{{"$", ""}, {"", "%"}, {"", "%"}, {"", ""}}

var levelNames = [...]string{"", "warning", "alert", "stop"}

// levelOf reads a level: 0 for none, -1 for an unknown word.
func levelOf(text string) int {
	name := strings.ToLower(strings.TrimSpace(text))
	if name == "ok" || name == "none" {
		return 0
	}
	for i, l := range levelNames {
		if name == l {
			return i
		}
	}
	return -1
}

// cellLevel reads a status cell in lower case, -1 if it says no level.
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

// levelTitle is how a table writes a level.
func levelTitle(level int) string { return [...]string{"OK", "Warning", "Alert", "Stop"}[level] }

// A number is a number of a JSON document.
type number struct {
	v       float64
	json    jsondoc.Value
	pointer string
	ok      bool
}

//go:noinline
func readNumber(v jsondoc.Value, pointer string) number {
	f, ok := v.Float()
	return number{f, v, pointer, ok}
}

// A level is what levels_triggered records.
type level struct {
	n       int // -1 for an unknown word
	text    string
	pointer string
}

// thresholds is state/thresholds.json; doc is nil if it is absent or unreadable.
type thresholds struct {
	doc    *jsondoc.Document
	values [kinds][2]number
	levels [kinds]level
	check  instant.Moment
	times  []jsonTime
}

// An entry is one acknowledgment, of the present or the history.
type entry struct {
	kind    int // -1 for a type that is not known
	name    string
	at      instant.Moment
	value   number
	reset   instant.Moment
	pointer string
	json    jsondoc.Value
	void    bool // reset since
	past    bool // also in the history
}

func (e *entry) valid() bool { return !e.void && !e.past }

// acknowledgments is state/acknowledgments.json; doc is nil if it is absent or unreadable.
type acknowledgments struct {
	doc        *jsondoc.Document
	entries    []*entry
	history    []*entry
	hasHistory bool
	reset      instant.Moment
	times      []jsonTime
}

// A jsonTime is a text that is to be a time, with its place.
type jsonTime struct {
	path, pointer, name, text string
	at                        instant.Moment
}

func readTime(list *[]jsonTime, path, pointer, name string, v jsondoc.Value) instant.Moment {
	text, ok := v.Text()
	m, _ := instant.Loose(text)
	if ok && len(*list) < 3*mostEntries {
		*list = append(*list, jsonTime{path, pointer, name, text, m})
	}
	return m
}

// A trigger is one of the triggers of a document.
type trigger struct {
	path, pointer, name string
	fired               instant.Moment
	dated, acknowledged bool
	count               int64
	counted             bool
	start               string // session_start
}

// readable returns what a JSON document holds, nil if it is absent or a fault
// stands in the way.
func readable(d *sdk.Document) *jsondoc.Document {
	if d == nil || !d.Readable() || !onlySchema(d) {
		return nil
	}
	doc, err := jsondoc.Parse(d.Text)
	if err != nil || doc.Root().Kind() != jsondoc.Object {
		return nil
	}
	return doc
}

func readThresholds(doc *jsondoc.Document) *thresholds {
	t := &thresholds{doc: doc}
	if doc == nil {
		return t
	}
	values, levels := doc.Root().Get("current_values"), doc.Root().Get("levels_triggered")
	for k := range kinds {
		for i, key := range valueKeys[k] {
			if i == 0 || key != valueKeys[k][0] {
				t.values[k][i] = readNumber(values.Get(key), "/current_values/"+key)
			}
		}
		key := kindNames[k]
		if !levels.Get(key).Exists() && levels.Get(valueKeys[k][0]).Exists() {
			key = valueKeys[k][0]
		}
		text, _ := levels.Get(key).Text()
		t.levels[k] = level{levelOf(text), text, "/levels_triggered/" + key}
	}
	t.check = readTime(&t.times, thresholdsPath, "/last_check", "last_check", doc.Root().Get("last_check"))
	return t
}

// value is the first number of a type.
//
//go:noinline
func (t *thresholds) value(k int) *number {
	if !t.values[k][0].ok {
		return &t.values[k][1]
	}
	return &t.values[k][0]
}

// mostEntries are read of acknowledgments and of triggers.
const mostEntries = 200

func readAcks(doc *jsondoc.Document) *acknowledgments {
	a := &acknowledgments{doc: doc}
	if doc == nil {
		return a
	}
	root := doc.Root()
	a.reset = readTime(&a.times, acksPath, "/last_reset", "last_reset", root.Get("last_reset"))
	history := root.Get("acknowledgment_history")
	a.hasHistory = history.Exists()
	for i, v := range history.Elements() {
		name, _ := v.Get("type").Text()
		e := a.entry(v, name, "/acknowledgment_history/"+itoa(i), "value")
		e.reset = readTime(&a.times, acksPath, e.pointer+"/reset_at", "reset_at", v.Get("reset_at"))
		a.history = append(a.history, e)
	}
	for _, m := range root.Get("acknowledgments").Members() {
		if len(a.entries) == mostEntries {
			break
		}
		if m.Value.Kind() != jsondoc.Object {
			continue
		}
		e := a.entry(m.Value, m.Key, "/acknowledgments/"+jsondoc.EscapeToken(m.Key), "value_at_acknowledgment", "value_at_ack", "value")
		e.void = e.at.Before(a.reset, 0)
		for _, h := range a.history {
			e.past = e.past || h.is(e)
		}
		a.entries = append(a.entries, e)
	}
	return a
}

// alike reports whether two entries are of one type.
func (e *entry) alike(other *entry) bool {
	return e.name == other.name || e.kind >= 0 && e.kind == other.kind
}

// is reports whether an entry of the history is of an acknowledgment.
func (e *entry) is(ack *entry) bool { return e.alike(ack) && e.when(ack, "acknowledged_at") }

// when reports whether two entries have the same time under a key.
//
//go:noinline
func (e *entry) when(other *entry, key string) bool {
	a, _ := e.json.Get(key).Text()
	b, _ := other.json.Get(key).Text()
	return instant.Same(a, b) && a != ""
}

func (a *acknowledgments) entry(v jsondoc.Value, name, pointer string, valueKeys ...string) *entry {
	e := &entry{kind: kindOf(name), name: name, pointer: pointer, json: v}
	e.at = readTime(&a.times, acksPath, pointer+"/acknowledged_at", "acknowledged_at", v.Get("acknowledged_at"))
	for _, key := range valueKeys {
		if !e.value.ok {
			e.value = readNumber(v.Get(key), pointer+"/"+key)
		}
	}
	return e
}

// valid returns the valid acknowledgment of a type, nil without one.
//
//go:noinline
func (a *acknowledgments) valid(kind int) *entry {
	for _, e := range a.entries {
		if e.kind == kind && e.valid() {
			return e
		}
	}
	return nil
}

// resetSince reports whether a type was surely or maybe reset later than a time, which may be unknown.
func (a *acknowledgments) resetSince(kind int, m instant.Moment) bool {
	later := m.Before(a.reset, 0) || !known(m) && known(a.reset)
	for _, h := range a.history {
		later = later || h.kind == kind && (m.Before(h.reset, 0) || !known(m))
	}
	return later
}

// without is the acknowledgments as JSON, one entry left out.
func (a *acknowledgments) without(gone *entry) string {
	b := jsondoc.NewObject()
	for _, e := range a.entries {
		if e != gone {
			b.Value(e.name, e.json)
		}
	}
	return b.Compact()
}

// withHistory is the history as JSON with another entry at its end.
func (a *acknowledgments) withHistory(e *entry, reset string) string {
	b := jsondoc.NewObject().String("type", e.name)
	if e.value.ok {
		b.Value("value", e.value.json)
	} else {
		b.Null("value")
	}
	b.Value("acknowledged_at", e.json.Get("acknowledged_at")).String("reset_at", reset)
	return b.Compact()
}

// readTriggers appends the triggers of a document.
func readTriggers(list []*trigger, path string, doc *jsondoc.Document) []*trigger {
	if doc == nil {
		return list
	}
	for _, m := range doc.Root().Get("triggers").Members() {
		v := m.Value
		if v.Kind() != jsondoc.Object || len(list) == mostEntries {
			continue
		}
		t := &trigger{path: path, name: m.Key, pointer: "/triggers/" + jsondoc.EscapeToken(m.Key)}
		fired, _ := v.Get("last_triggered").Text()
		t.dated = fired != ""
		t.fired, _ = instant.Loose(fired)
		t.acknowledged, _ = v.Get("acknowledged").Bool()
		t.count, t.counted = v.Get("count").Int()
		t.start, _ = v.Get("session_start").Text()
		list = append(list, t)
	}
	return list
}

// kind is the type of an alert trigger, -1 for another one.
func (t *trigger) kind() int {
	if t.name == "error_threshold" {
		return errors
	}
	if name, ok := strings.CutSuffix(t.name, "_alert"); ok {
		return kindOf(name)
	}
	return -1
}

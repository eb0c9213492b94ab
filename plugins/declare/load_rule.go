package declare

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
)

var severities = map[string]sdk.Severity{"error": sdk.Error, "warning": sdk.Warning, "info": sdk.Info}

// loadRule reads a rule. One that has the name of a table's changes what that says and how severe it is.
func (l *loader) loadRule(m jsondoc.Member) {
	v, name := m.Value, m.Key
	r := l.d.rule(name)
	if r == nil {
		r = &rule{name: name, severity: sdk.Error}
		l.complete(m)
		l.d.rules = append(l.d.rules, r)
	}
	for _, text := range []struct {
		to  *string
		key string
	}{{&r.doc, "doc"}, {&r.why, "why"}, {&r.fix, "fix"}} {
		if s := str(get(v, text.key)); s != "" {
			*text.to = s
		}
	}
	if severity, ok := severities[str(get(v, "severity"))]; ok {
		r.severity = severity
	}
	if r.find != nil {
		for _, set := range v.Members() {
			if !expr.Unchecked && !slices.Contains([]string{"doc", "why", "fix", "severity"}, set.Key) {
				fail(set.Value, "this rule belongs to an item, so only its doc, why, fix and severity can be changed")
			}
		}
		if r.severity == sdk.Info {
			r.severityIf = ""
		}
		return
	}
	names := l.eachOf(&r.scan, get(v, "each"))
	var wrong *expr.Shape
	r.when, wrong = l.expr(get(v, "when"), names)
	if wrong != nil && wrong.Kind == expr.List { // its elements are what is wrong
		names = names.With("it", wrong.Elem)
	}
	r.at, r.key, r.see = l.node(get(v, "at"), names), l.node(get(v, "key"), names), l.node(get(v, "see"), names)
	r.say, r.seeSay = l.template(get(v, "say"), names), l.template(get(v, "see_say"), names)
	for _, f := range list(get(v, "fixes")) {
		r.fixes = append(r.fixes, l.fix(f, names))
	}
	r.base = r.when.Mentions("old", "was", expr.Base) ||
		slices.ContainsFunc(r.each, func(n named) bool { return n.expr.Mentions(expr.Base) })
}

// complete refuses a rule without when, which may be meant for a rule of an item, and one that says nothing.
func (l *loader) complete(m jsondoc.Member) {
	for _, key := range []string{"when", "doc", "say"} {
		switch {
		case expr.Unchecked || get(m.Value, key).Exists():
		case key != "when":
			fail(m.Value, key+" is missing")
		default:
			var names []string
			for _, r := range l.d.rules {
				if r.find != nil {
					names = append(names, r.name)
				}
			}
			message := "when is missing; only rules that belong to an item can omit it"
			if near := expr.Nearest(m.Key, names); near != "" {
				message += near
			} else if len(names) > 0 {
				message += ": " + strings.Join(names, ", ")
			}
			fail(m.Value, message)
		}
	}
}

// rule returns the rule of a name, or nil if there is none.
func (d *Declaration) rule(name string) *rule {
	for _, r := range d.rules {
		if r.name == name {
			return r
		}
	}
	return nil
}

// kindCalled returns the kind of items that an expression names, or nil if it names none.
func (d *Declaration) kindCalled(name string) *kind {
	for _, k := range d.kinds {
		if k.name == name {
			return k
		}
	}
	return nil
}

// eachOf reads what a rule or a line looks at: items, the elements of a list, or nested lists, each with a name.
func (l *loader) eachOf(r *scan, v jsondoc.Value) expr.Names {
	names := l.names
	one := func(name string, v jsondoc.Value) {
		n, shape := l.expr(v, names)
		var elem *expr.Shape
		if shape != nil {
			elem = shape.Elem
		}
		r.each = append(r.each, named{name, n})
		if name != "" {
			names = names.With(name, elem)
		}
		names = names.With("it", elem)
	}
	switch v.Kind() {
	case jsondoc.Absent:
	case jsondoc.Object:
		for _, m := range v.Members() {
			one(m.Key, m.Value)
		}
	default:
		if r.kind = l.d.kindCalled(str(v)); r.kind != nil {
			return r.kind.names(names)
		}
		one("", v)
	}
	return names
}

func (l *loader) fix(v jsondoc.Value, names expr.Names) fix {
	f := fix{title: l.template(get(v, "title"), names)}
	set, shape := l.expr(get(v, "set"), names)
	if f.set = set; !expr.Unchecked && set != nil && set.Computed() {
		fail(get(v, "set"), "set is computed, expected a value of a document, such as it.status")
	}
	for _, s := range list(get(v, "steps")) {
		f.steps = append(f.steps, l.template(s, names))
	}
	if to := get(v, "to"); to.Kind() == jsondoc.String {
		f.to = l.template(to, names)
		if message := shape.Refuses(str(to)); !expr.Unchecked && message != "" && len(f.to.Expressions()) == 0 {
			fail(to, message)
		}
	} else if to.Exists() {
		t, err := expr.ParseTemplate("{" + to.Raw() + "}")
		parsed(to, err)
		f.to = t
	}
	return f
}

// loadBrief reads the lines of the brief.
func (l *loader) loadBrief(v jsondoc.Value) {
	for _, e := range list(get(v, "read")) {
		name := str(e)
		if !expr.Unchecked && !slices.ContainsFunc(l.d.documents, func(x *document) bool { return x.name == name }) {
			fail(e, "no document is named "+name)
		}
		l.d.read = append(l.d.read, name)
	}
	for _, m := range v.Members() {
		if m.Key == "read" {
			continue
		}
		for _, e := range list(m.Value) {
			x := line{list: m.Key}
			names := l.eachOf(&x.scan, get(e, "each"))
			x.when, x.say = l.node(get(e, "when"), names), l.template(get(e, "say"), names)
			l.d.lines = append(l.d.lines, x)
		}
	}
}

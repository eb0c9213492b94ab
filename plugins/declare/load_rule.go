package declare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/jsondoc"
)

var severities = map[string]sdk.Severity{"error": sdk.Error, "warning": sdk.Warning, "info": sdk.Info}

// loadRule reads a rule. If a table already has a rule with this name, its texts and severity change.
func (l *loader) loadRule(m jsondoc.Member) {
	v := m.Value
	r := &rule{}
	if at := slices.IndexFunc(l.d.rules, func(r *rule) bool { return r.Name == m.Key }); at >= 0 {
		r = l.d.rules[at]
	} else {
		r.Name, r.Severity = m.Key, sdk.Error
		l.complete(m)
		l.d.rules = append(l.d.rules, r)
	}
	r.Doc = cmp.Or(str(get(v, "doc")), r.Doc)
	r.Why = cmp.Or(str(get(v, "why")), r.Why)
	r.Fix = cmp.Or(str(get(v, "fix")), r.Fix)
	if severity, ok := severities[str(get(v, "severity"))]; ok {
		r.Severity = severity
	}
	if r.Find != nil {
		for _, set := range v.Members() {
			refuse(!slices.Contains([]string{"doc", "why", "fix", "severity"}, set.Key), set.Value,
				"this rule belongs to an item, so only its doc, why, fix and severity can be changed")
		}
		return
	}
	names := l.eachOf(&r.scan, get(v, "each"))
	var wrong *expr.Shape
	r.when, wrong = parsed(get(v, "when"), names, expr.Parse)
	if wrong != nil && wrong.Kind == expr.List { // the rule reports each element of the list
		names = names.With("it", wrong.Elem)
	}
	r.at, r.key, r.see = node(v, "at", names), node(v, "key", names), node(v, "see", names)
	r.say, r.seeSay = text(v, "say", names), text(v, "see_say", names)
	for _, f := range list(get(v, "fixes")) {
		r.fixes = append(r.fixes, l.fix(f, names))
	}
	if r.when.Mentions("old", "was", expr.Base) ||
		slices.ContainsFunc(r.each, func(n named) bool { return n.expr.Mentions(expr.Base) }) {
		r.Needs = check.OnBase
	}
}

// complete refuses a rule without texts, and a rule without when, whose author may have meant a rule of an item.
func (l *loader) complete(m jsondoc.Member) {
	if expr.Unchecked {
		return
	}
	if !get(m.Value, "when").Exists() {
		var names []string
		for _, r := range l.d.rules {
			if r.Find != nil {
				names = append(names, r.Name)
			}
		}
		near := expr.Nearest(m.Key, names)
		if near == "" && len(names) > 0 {
			near = ": " + strings.Join(names, ", ")
		}
		fail(m.Value, "when is missing; only rules that belong to an item can omit it"+near)
	}
	for _, key := range []string{"doc", "say"} {
		refuse(!get(m.Value, key).Exists(), m.Value, key+" is missing")
	}
}

// eachOf reads what a rule or a line goes through: items, the elements of a list, or nested lists, each with a name.
func (l *loader) eachOf(r *scan, v jsondoc.Value) expr.Names {
	for _, k := range l.d.kinds {
		if k.name == str(v) {
			r.kind = k
			return k.names(l.names)
		}
	}
	lists := v.Members()
	if v.Exists() && v.Kind() != jsondoc.Object {
		lists = []jsondoc.Member{{Key: "it", Value: v}}
	}
	names := l.names
	for _, m := range lists {
		n, shape := parsed(m.Value, names, expr.Parse)
		var elem *expr.Shape
		if shape != nil {
			elem = shape.Elem
		}
		r.each = append(r.each, named{m.Key, n})
		names = names.With(m.Key, elem).With("it", elem)
	}
	return names
}

func (l *loader) fix(v jsondoc.Value, names expr.Names) fix {
	f := fix{title: text(v, "title", names)}
	set, shape := parsed(get(v, "set"), names, expr.Parse)
	f.set = set
	refuse(set != nil && set.Computed(), get(v, "set"),
		"set is computed, expected a value of a document, such as it.status")
	for _, s := range list(get(v, "steps")) {
		step, _ := parsed(s, names, expr.ParseText)
		f.steps = append(f.steps, step)
	}
	to := get(v, "to")
	if to.Kind() != jsondoc.String {
		f.to = node(v, "to", names)
		return f
	}
	f.to = text(v, "to", names)
	wrong := shape.Refuses(str(to))
	refuse(wrong != "" && !strings.Contains(str(to), "{"), to, wrong)
	return f
}

// loadBrief reads the lines of the brief.
func (l *loader) loadBrief(v jsondoc.Value) {
	l.d.read = strs(get(v, "read"))
	for _, e := range list(get(v, "read")) {
		refuse(!slices.ContainsFunc(l.d.documents, func(x *document) bool { return x.name == str(e) }), e,
			"no document is named "+str(e))
	}
	for _, m := range v.Members() {
		for _, e := range list(m.Value) {
			if m.Key != "read" {
				x := line{list: m.Key}
				names := l.eachOf(&x.scan, get(e, "each"))
				x.when, x.say = node(e, "when", names), text(e, "say", names)
				l.d.lines = append(l.d.lines, x)
			}
		}
	}
}

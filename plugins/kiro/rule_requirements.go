package kiro

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/ordinal"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
	"github.com/stategate/stategate/sdk/words/status"
)

func requirementUnknown(r *check.Report, m *model) {
	if len(m.bug) == 0 && (m.wants == nil || len(m.wants.list) == 0) {
		return
	}
	var unknown []string
	var at *task
	known := 0
	places, vacated := map[string][]string{}, m.renumbered()
	for _, t := range m.tasks {
		for _, id := range m.asks(t) {
			if !isDigit(id[0]) {
				continue // belongs to another series
			}
			if m.wants != nil && m.wants.has(id) && !m.stripped(id) ||
				m.wants == nil && (m.bug[id] || !strings.Contains(id, ".")) {
				known++
			} else if head, _, _ := strings.Cut(id, "."); !slices.ContainsFunc(vacated,
				func(r renumbered) bool { return r.was == head }) {
				if places[id] == nil {
					unknown = append(unknown, id)
				}
				if places[id] = append(places[id], say.Int(t.Line)); at == nil {
					at = t
				}
			}
		}
	}
	if len(unknown) == 0 || known < len(unknown) { // if most are unknown, the plugin does not understand the numbering
		return
	}
	lost := make([]string, len(unknown))
	for i, id := range unknown {
		lost[i] = id + " (tasks.md:" + say.List(slices.Compact(places[id])) + ")"
	}
	path, rest := "bugfix.md", ""
	if m.wants != nil {
		path, rest = "requirements.md", "; "+m.wants.ends(unknown)
	}
	r.At(sdk.AtLine("tasks.md", at.Line), "tasks name "+say.Count(len(lost), "requirement")+" that "+path+
		" does not have: "+say.List(lost)+rest).
		Advise("Correct the numbers", "Correct the numbers in the tasks, or restore the missing requirements in "+
			path+".")
}

// stripped reports whether a number refers to a criterion of a requirement that lost all its criteria and their lines
// since the base. A requirement that never had a list of criteria has them in prose.
func (m *model) stripped(id string) bool {
	number, _, dotted := strings.Cut(id, ".")
	if !dotted || m.base == nil || m.base.wants == nil || m.wants.find(id) != nil {
		return false
	}
	is, was := m.wants.find(number), m.base.wants.find(number)
	lines := func(text string) (n int) {
		for line := range strings.Lines(text) {
			if words.Says(line) && !strings.HasPrefix(line, "#") {
				n++
			}
		}
		return n
	}
	return is != nil && was != nil && is.criteria == 0 && was.criteria > 0 && lines(is.text) < lines(was.text)
}

// ends says for a message why numbers are unknown: "requirement 2 ends at 2.3", "requirement 2 skips 2.4", or else
// which requirements exist.
func (q *requirements) ends(unknown []string) string {
	var texts []string
	for _, id := range unknown {
		head, tail, dotted := strings.Cut(id, ".")
		r := q.find(head)
		if r == nil || !dotted || r.criteria == 0 {
			return "it " + q.numbers()
		}
		text := "requirement " + head + " ends at " + head + "." + say.Int(r.criteria)
		if slices.Contains(r.skipped, words.Number(tail)) {
			text = "requirement " + head + " skips " + id
		}
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return say.List(texts)
}

// numbers describes which requirements exist, for messages.
func (q *requirements) numbers() string {
	list := make([]string, len(q.list))
	for i, r := range q.list {
		list[i] = r.number
	}
	slices.SortFunc(list, ordinal.Compare)
	text, last := say.Count(len(list), "requirement"), list[len(list)-1]
	if last != say.Int(len(list)) {
		return "has " + text + ": " + say.List(list)
	}
	return "ends at " + last
}

func requirementsMissing(r *check.Report, m *model) {
	// document-lost reports documents that the base has
	if m.written("requirements") || m.base != nil && (m.base.holds("requirements.md") || m.base.holds("bugfix.md")) {
		return
	}
	n, such := 0, ""
	var first *task
	for _, t := range m.tasks {
		for _, id := range m.asks(t) {
			if isDigit(id[0]) { // another document may define the ids of another series
				if n++; first == nil {
					first, such = t, id
				}
				break
			}
		}
	}
	if n > 0 {
		f := r.At(sdk.AtLine("tasks.md", first.Line), m.noRequirements()+", but "+say.Count(n, "task")+" "+
			say.Verb(n, "names", "name")+
			" requirements by number, such as "+such)
		if r.Base.State == sdk.BaseNew {
			f.Advise("Move the rest of the spec", "If tasks.md came from another spec's directory, move the other "+
				"documents here, or move tasks.md back.")
		}
		f.Advise("Restore the requirements", "Restore requirements.md from an earlier revision, or "+
			"write the requirements that the tasks name.")
	}
}

// noRequirements returns a clause that says which document is missing or empty. For a bug, it is bugfix.md.
func (m *model) noRequirements() string {
	if m.stub {
		return m.lacking("requirements")
	}
	for _, path := range []string{"requirements.md", "bugfix.md"} {
		if m.docs.Get(path) != nil {
			return path + " is empty"
		}
	}
	return "neither requirements.md nor bugfix.md exists"
}

// has reports whether there is a requirement or criterion with an id.
func (q *requirements) has(id string) bool {
	head, tail, dotted := strings.Cut(id, ".")
	r := q.find(head)
	tail = strings.TrimRight(tail, "abcdefghijklmnopqrstuvwxyz") // 6.1a was inserted after 6.1
	if r != nil && (!dotted || tail != "" && tail[0] != '0' && len(tail) < 4 &&
		!strings.Contains(tail, ".") && words.Number(tail) <= r.criteria &&
		!slices.Contains(r.skipped, words.Number(tail))) {
		return true
	}
	if at := strings.LastIndexByte(id, '.'); strings.Contains(tail, ".") && q.has(id[:at]) {
		return true // part of a known requirement
	}
	// A requirement without a readable criterion may have criteria in another form.
	return q.find(id) != nil || dotted && (q.says(id) || r != nil && r.criteria == 0 && q.find(head+".1") == nil &&
		!q.says(head+".1"))
}

// says reports whether the text contains a dotted number.
func (q *requirements) says(id string) bool {
	if q.ids == nil {
		q.ids = map[string]bool{}
		for _, id := range numbersIn(q.doc.Text) {
			q.ids[id] = true
		}
	}
	return q.ids[id]
}

func requirementUncovered(r *check.Report, m *model) {
	if m.wants == nil || len(m.tasks) == 0 {
		return
	}
	if m.planned() {
		return
	}
	all := m.wants.cover(m.list.Text)
	var without []string
	for _, q := range m.wants.list {
		if q.named {
			continue
		}
		if !status.Optional(q.title) && !status.GivenUp(q.title) && !strings.HasPrefix(q.title, "~~") {
			without = append(without, q.number+" "+say.Quote(q.title))
		}
	}
	// If tasks name few requirements, they do not name them by number, or the plan only covers some of them.
	if all || len(without) == 0 || 3*len(without) > len(m.wants.list) {
		return
	}
	f := r.Whole("tasks.md", "tasks name "+say.Int(len(m.wants.list)-len(without))+" of "+say.Count(len(m.wants.list),
		"requirement")+", but not "+say.List(without)).
		Advise("Plan the requirement", "Add a task for the requirement, reference it in the task that serves it, or "+
			"mark it as deferred in requirements.md.")
	if len(m.moved()) > 0 { // the task may be in another spec
		f.As(sdk.Info)
	}
}

// planned marks the requirements that tasks name, and reports whether tasks name every requirement or one of its
// criteria.
func (m *model) planned() bool {
	for _, t := range m.tasks {
		for _, id := range m.asks(t) {
			head, _, dotted := strings.Cut(id, ".")
			m.wants.name(head)
			for at := len(id); dotted && m.wants.dotted && at > 0; at = strings.LastIndexByte(id[:at], '.') {
				m.wants.name(id[:at])
			}
		}
	}
	return !slices.ContainsFunc(m.wants.list, func(r requirement) bool { return !r.named })
}

func requirementNumberRepeated(r *check.Report, m *model) {
	if m.wants == nil || len(m.wants.again) == 0 {
		return
	}
	var texts []string
	for _, q := range m.wants.again {
		texts = append(texts, m.wants.quote(&q))
	}
	f := r.At(sdk.AtLine("requirements.md", m.wants.again[0].head.Line()),
		say.Count(len(texts), "requirement")+" "+say.Has(len(texts))+" the same number as an earlier one: "+
			say.List(texts))
	var edits []sdk.Edit
	var back []string
	for _, q := range m.renumbered() {
		at := q.head.Start() + strings.Index(q.head.Raw(), q.number)
		edits = append(edits, sdk.Replace(sdk.AtBytes("requirements.md", at, at+len(q.number)), q.was))
		back = append(back, m.wants.quote(q.requirement)+" its former number "+q.was)
	}
	f.Offer(sdk.Review, "Give "+say.And(back...), edits...).
		Advise("Renumber the later requirements", "Give the later requirements new numbers, or delete duplicates.")
}

// quote returns a requirement's heading and line, for messages.
func (q *requirements) quote(one *requirement) string {
	return say.Quote(one.head.Text()) + say.Line(q.doc, one.head.Start())
}

// A renumbered requirement shares its number with another one. In the base it had another number, which no requirement
// has now.
type renumbered struct {
	*requirement
	was string
}

func (m *model) renumbered() (list []renumbered) {
	if m.base == nil || m.base.wants == nil || m.wants == nil {
		return nil
	}
	for i := range m.wants.again {
		again := &m.wants.again[i]
		for _, q := range []*requirement{m.wants.find(again.number), again} {
			at := slices.IndexFunc(m.base.wants.list, func(was requirement) bool {
				return fold(was.title) == fold(q.title) && q.title != "" && was.number != q.number &&
					m.wants.find(was.number) == nil && strings.Contains(q.head.Raw(), q.number)
			})
			if at >= 0 {
				list = append(list, renumbered{q, m.base.wants.list[at].number})
			}
		}
	}
	return list
}

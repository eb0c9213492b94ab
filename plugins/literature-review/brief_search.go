package literaturereview

import (
	"github.com/stategate/stategate/sdk/say"
)

// ordered lists the sources in the order of their table, and behind them those of the templates
// that have no row and need one.
func (r *review) ordered() []*source {
	var list []*source
	var seen [extraSource + 1]bool
	for _, s := range r.sources {
		if s.twin == nil {
			list = append(list, s)
			seen[s.id] = true
		}
	}
	if r.ownSources || r.unread[unreadSources] {
		return list
	}
	for id := range extraSource {
		if seen[id] || !r.required(id) {
			continue
		}
		s := &source{id: id, name: sourceNames[id], class: classPending, plan: r.planOf(id, "")}
		if s.plan == nil {
			s.plan = &plan{}
		}
		list = append(list, s)
	}
	return list
}

// isDown reports whether the server of a source is unavailable.
func (r *review) isDown(id int) bool {
	if id == recommendation {
		return r.down[pubMed] && r.down[semanticScholar]
	}
	return id < extraSource && r.down[id]
}

// current is the source to go on with, nil if none is left.
func (r *review) current() *source {
	for _, s := range r.ordered() {
		if !s.settled && r.offered(s.id) {
			return s
		}
	}
	return nil
}

func (r *review) briefSearch(skip, remaining *texts) string {
	if r.unread[unreadSources] || len(r.sourceTable.rows) > 0 && len(r.sources) == 0 {
		return "make Search Status by Source readable: a table with a row for each source, and its Status"
	}
	now := r.current()
	for _, s := range r.ordered() {
		open := s.plan.open()
		if s.settled {
			text := s.name + ": " + className(s.class)
			if s.class == classSkipped && len(open) > 0 {
				text += "; not executed: " + say.List(open)
			}
			skip.add(text)
			continue
		}
		for i := range s.plan.items {
			if q := &s.plan.items[i]; q.executed {
				skip.add(s.name + ": " + q.text)
			}
		}
		if r.offered(s.id) {
			r.leftOf(s, open, remaining)
		}
	}
	switch {
	case now == nil:
		offer := ""
		if r.mode == narrow {
			offer = " (offer the upgrade to Full Review)"
		}
		return "checkpoint with the user" + offer + ", then set Status to " + lines[organizing]
	case r.isDown(now.id):
		return now.name + ": the server is unavailable, mark it Skipped"
	case len(now.plan.items) == 0 && now.plan.text && (now.plan.ran || now.class == classRunning):
		return now.name + ": read its plan in " + methodsName + ", which is written in another form than expected, and go on with the queries that remain"
	case len(now.plan.items) == 0:
		return now.name + ": write its plan into " + methodsName
	case now.class == classPending:
		return now.name + ": set it to In Progress, then " + now.plan.step()
	}
	return now.name + ": " + now.plan.step()
}

// step is the next query of a plan.
func (p *plan) step() string {
	for i := range p.items {
		if q := &p.items[i]; !q.executed && !q.dropped {
			return "run query " + itoa(i+1) + " of " + itoa(len(p.items)) + ": " + q.text
		}
	}
	return "every planned query is executed, set it to Complete"
}

func (r *review) leftOf(s *source, open []string, remaining *texts) {
	optional := ""
	if !r.required(s.id) && s.class == classPending {
		optional = " (optional)"
	}
	if r.isDown(s.id) {
		remaining.add(s.name + optional + ": mark it Skipped, the server is unavailable")
		return
	}
	if len(s.plan.items) == 0 {
		remaining.add(s.name + optional + ": plan and queries")
	}
	for _, q := range open {
		remaining.add(s.name + optional + ": " + q)
	}
	for _, item := range s.plan.left() {
		norm, isKnown := normal(item.text), false
		for j := range s.plan.items {
			isKnown = isKnown || s.plan.items[j].norm == norm
		}
		for _, n := range s.plan.norms {
			isKnown = isKnown || n == norm
		}
		if !isKnown && !numbers(norm) {
			remaining.add(s.name + optional + ": " + short(item.text))
		}
	}
}

package print

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// WorkflowPage writes the documentation of a plugin's workflow as a page of HTML: its lifecycles drawn, and every rule whole, with an
// example where there is one.
func WorkflowPage(w io.Writer, x *plugin.Plugin, examples map[string]string, o Options) error {
	p, m := newPage(w, o), x.Manifest
	p.begin("stategate: the workflow "+m.Name, "")
	p.put("<header>\n<h1>", p.text(m.Name), " <small>", p.text(m.Version), " (", p.text(x.Origin), ")</small></h1>\n", p.prose(m.Doc),
		"<p class=\"faint\">Made by stategate ", p.text(o.Version), ".</p>\n</header>\n<main>\n")
	for _, l := range m.Lifecycles {
		p.lifecycle(l)
	}
	p.documents(m)
	groups, _ := grouped(m.Rules)
	for _, g := range groups {
		p.put("<h2>Rules: ", p.text(g.head), "</h2>\n")
		for _, r := range g.rules {
			p.rule(RuleOf{m.Name, r, examples[r.Name]})
		}
	}
	p.put("<h2>Rules of every workflow</h2>\n")
	for _, r := range result.Rules() {
		p.rule(RuleOf{Rule: r})
	}
	p.put("</main>\n")
	return p.end("")
}

// prose is a text in paragraphs, what stands between backticks as code.
func (p *page) prose(text string) string {
	var b strings.Builder
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		lines := safeLines(paragraph)
		for i := range lines {
			parts := strings.Split(lines[i], "`")
			lines[i] = ""
			for n, part := range parts {
				if part = p.text(part); n%2 == 1 && len(parts)%2 == 1 {
					part = "<code>" + part + "</code>"
				} else if n%2 == 1 {
					part = "`" + part
				}
				lines[i] += part
			}
		}
		b.WriteString("<p class=\"prose\">" + strings.Join(lines, "\n") + "</p>\n")
	}
	return b.String()
}

func (p *page) documents(m *wire.Manifest) {
	p.put("<h2>State</h2>\n<p>Runs are in</p>\n<ul>\n")
	for _, r := range m.Roots {
		markers := each(r.Markers, func(s *string) string { return p.code(*s) })
		except := strings.Join(each(r.Except, func(s *string) string { return p.code(*s) }), ", ")
		p.put("<li>", p.code(r.Dir+"/"), " with any of ", strings.Join(markers, ", "), exceptions(r, except), "</li>\n")
	}
	p.put("</ul>\n<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"Documents\">\n<table>\n<thead><tr><th scope=\"col\">Document</th><th scope=\"col\">Read as</th></tr></thead>\n<tbody>\n")
	for _, row := range documentRows(m.Documents) {
		p.put("<tr><th scope=\"row\">", p.code(row[0]), "</th><td>", p.text(row[1]), "</td></tr>\n")
	}
	p.put("</tbody>\n</table>\n</div>\n")
	if len(m.Paths) > 0 {
		paths := each(m.Paths, func(s *string) string { return p.code(*s) })
		p.put("<p>It may ask whether there is something at ", strings.Join(paths, ", "), ".</p>\n")
	}
}

func (p *page) rule(r RuleOf) {
	class := map[wire.Severity]string{wire.Error: "bad", wire.Warning: "busy"}[r.Severity]
	head, rest, _ := strings.Cut(r.Doc, "\n\n")
	p.put("<details id=\"", p.text(r.Name), "\"><summary><code>", p.text(r.Name), "</code> <span class=\"", cmp.Or(class, "faint"), "\">", r.Severity.String(), "</span> ", p.text(title(head)), "</summary>\n")
	if rest != "" {
		p.put(p.prose(rest))
	}
	for _, part := range r.reasons() {
		p.put("<p><strong>", part.head, "</strong></p>\n", p.prose(part.text))
	}
	if r.Example != "" {
		p.put("<p><strong>Example</strong></p>\n<pre>", strings.Join(each(safeLines(r.Example), func(s *string) string { return p.text(*s) }), "\n"), "</pre>\n")
	}
	for _, note := range r.notes() {
		p.put("<p class=\"faint\">", p.text(note), "</p>\n")
	}
	p.put("</details>\n")
}

func (p *page) lifecycle(l wire.Lifecycle) {
	p.put("<h2>Lifecycle ", p.text(l.Name), " of a ", l.Unit.String(), "</h2>\n")
	if l.Doc != "" {
		p.put(p.prose(l.Doc))
	}
	p.put("<div class=\"life\">\n")
	p.picture(l)
	p.put("<ol>\n")
	for _, ph := range l.Phases {
		p.put("<li value=\"", strconv.Itoa(ph.Number), "\">", p.code(ph.Name), " ", p.text(phaseDoc(ph)))
		if next := stepsFrom(l, ph.Name); len(next) > 0 {
			p.put("<ul>")
			for _, t := range next {
				p.put("<li>→ ", p.code(t.To), " ", p.text(t.Doc), "</li>")
			}
			p.put("</ul>")
		}
		p.put("</li>\n")
	}
	p.put("</ol>\n</div>\n")
}

// The measures of a picture, in its units: those of boxes, which stand below each other, and of lanes beside them.
const boxHeight, boxStep, laneWidth, letterWidth = 28, 46, 14, 8

// An arrow goes from one phase to another along a lane, right of the boxes where it leads down, left of them where it leads up.
type arrow struct {
	from, to, lane int
	doc            string
}

// arrowsOf are the steps of a lifecycle; where two would lie on each other, they get different lanes, the short ones inside.
func arrowsOf(l wire.Lifecycle) (list []arrow, left, right int) {
	index := func(name string) int {
		return slices.IndexFunc(l.Phases, func(ph wire.Phase) bool { return ph.Name == name })
	}
	for _, t := range l.Transitions {
		if from, to := index(t.From), index(t.To); from >= 0 && to >= 0 {
			list = append(list, arrow{from: from, to: to, doc: t.From + " → " + t.To + map[bool]string{true: ": " + t.Doc}[t.Doc != ""]})
		}
	}
	length := func(a arrow) int { return max(a.to-a.from, a.from-a.to) }
	slices.SortStableFunc(list, func(a, b arrow) int { return cmp.Compare(length(a), length(b)) })
	for i := range list {
		a := &list[i]
		if a.to == a.from+1 {
			continue
		}
		side := &right
		if a.to < a.from {
			side = &left
		}
		for a.lane = 1; slices.ContainsFunc(list[:i], func(b arrow) bool {
			return b.lane == a.lane && (b.to < b.from) == (a.to < a.from) && min(a.from, a.to) <= max(b.from, b.to) && min(b.from, b.to) <= max(a.from, a.to)
		}); a.lane++ {
		}
		*side = max(*side, a.lane)
	}
	return list, left, right
}

// picture draws a lifecycle: phases as boxes, steps as arrows. The list beside it says the same.
func (p *page) picture(l wire.Lifecycle) {
	arrows, left, right := arrowsOf(l)
	wide := 0
	for _, ph := range l.Phases {
		wide = max(wide, Columns(Safe(ph.Name)))
	}
	box := wide*letterWidth + 24
	begin := left*laneWidth + 12
	end := begin + box
	n := func(parts ...int) string {
		return strings.Join(each(parts, func(i *int) string { return strconv.Itoa(*i) }), " ")
	}
	p.put("<svg role=\"img\" aria-label=\"The lifecycle ", p.text(l.Name), " drawn: ", Count(len(l.Phases), "phase"), "\" width=\"", n(end+right*laneWidth+12), "\" height=\"", n(len(l.Phases)*boxStep),
		"\" viewBox=\"0 0 ", n(end+right*laneWidth+12, len(l.Phases)*boxStep), "\">\n")
	for i, ph := range l.Phases {
		p.put("<rect x=\"", n(begin), "\" y=\"", n(i*boxStep+2), "\" width=\"", n(box), "\" height=\"", n(boxHeight), "\" rx=\"6\"/><text x=\"", n(begin+12), "\" y=\"", n(i*boxStep+boxHeight/2+7), "\">", p.text(ph.Name), "</text>\n")
	}
	for _, a := range arrows {
		from, to := a.from*boxStep+2+boxHeight/2, a.to*boxStep+2+boxHeight/2 // the middles of the boxes
		var line, head string
		switch x := end + a.lane*laneWidth; {
		case a.to == a.from+1:
			down, middle := to-boxHeight/2, begin+box/2
			line, head = "M"+n(middle, from+boxHeight/2)+"V"+n(down), "M"+n(middle, down)+"l-4 -7h8z"
		case a.to == a.from:
			line, head = "M"+n(end, from+7)+"H"+n(x)+"V"+n(to-7)+"H"+n(end), "M"+n(end, to-7)+"l7 -4v8z"
		case a.to > a.from:
			line, head = "M"+n(end, from+7)+"H"+n(x-5)+"q5 0 5 5V"+n(to-12)+"q0 5 -5 5H"+n(end), "M"+n(end, to-7)+"l7 -4v8z"
		default:
			x = begin - a.lane*laneWidth
			line, head = "M"+n(begin, from-7)+"H"+n(x+5)+"q-5 0 -5 -5V"+n(to+12)+"q0 -5 5 -5H"+n(begin), "M"+n(begin, to+7)+"l-7 -4v8z"
		}
		p.put("<g><title>", p.text(a.doc), "</title><path d=\"", line, "\"/><path class=\"head\" d=\"", head, "\"/></g>\n")
	}
	p.put("</svg>\n")
}

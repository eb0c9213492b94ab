package ocr

import (
	"strconv"
	"strings"
)

// A cliView looks at a session as `ocr progress` of v1.4.0 does: verbatim, and
// with existence in place of content.
type cliView struct{ m *Model }

func (m *Model) cli() cliView { return cliView{m} }

// parses reports whether JavaScript's JSON.parse takes state.json, which a
// byte-order mark prevents.
func (c cliView) parses() bool {
	return c.m.State.Doc.Readable() && !c.m.State.Doc.BOM
}

func (c cliView) text(key string) string { return c.m.State.Verbatim(key) }

func (c cliView) complete() bool { return c.text("current_phase") == "complete" }

func (c cliView) active() bool {
	return !c.parses() || c.text("status") != "closed" && !c.complete()
}

func (c cliView) hasTree(dir string) bool { return len(under(c.m.Docs, dir)) > 0 }

func (c cliView) kind() string {
	rounds, runs := c.hasTree("rounds/"), c.hasTree("map/")
	switch {
	case c.text("workflow_type") != "":
		return c.text("workflow_type")
	case runs && (!rounds || c.inMapPhase()):
		return string(Map)
	}
	return string(Review)
}

func (c cliView) inMapPhase() bool {
	switch phase := c.text("current_phase"); phase {
	case "topology", "flow-analysis", "requirements-mapping":
		return true
	default:
		return strings.HasPrefix(phase, "map-")
	}
}

func (c cliView) isMap() bool { return c.kind() == string(Map) }

func (c cliView) view() string {
	if !c.parses() || !c.m.State.OK() || c.isMap() && c.text("workflow_type") != string(Map) {
		return "waiting"
	}
	return "progress"
}

func (c cliView) total() int64 {
	if c.isMap() {
		return int64(Map.Last())
	}
	return int64(Review.Last())
}

// shown is the round or run on display: the claimed one, clamped downwards.
func (c cliView) shown(k Kind) int64 {
	highest := int64(1)
	if listed := c.m.Series(k).Listed; len(listed) > 0 {
		highest = int64(listed[len(listed)-1].N)
	}
	if !c.m.State.Has(k.NumberField()) {
		return min(1, highest)
	}
	claim, ok := c.m.State.Int(k.NumberField())
	if !ok {
		return highest
	}
	return min(claim, highest)
}

func (c cliView) start() string {
	field := RoundStartedAt
	if c.isMap() {
		field = MapStartedAt
	}
	if !c.m.State.Has(field) {
		field = StartedAt
	}
	if !c.m.State.Has(field) {
		return "now"
	}
	if _, _, _, ok := parseTime(c.m.State.Text(field)); !ok {
		return "invalid"
	}
	return c.text(field)
}

func (c cliView) exists(path string) bool { return c.m.Docs.Get(path) != nil }

func (c cliView) rounds() [][]string {
	rows := [][]string{}
	for _, l := range c.m.Rounds.Listed {
		var names []string
		for _, r := range readReviewers(c.m.Docs, l.Dir+"reviews/") {
			names = append(names, r.Stem)
		}
		rows = append(rows, []string{strconv.Itoa(l.N), yesNo(c.exists(l.Dir + "final.md")), strings.Join(names, ", ")})
	}
	return rows
}

func (c cliView) runs() [][]string {
	rows := [][]string{}
	for _, l := range c.m.Runs.Listed {
		var names []string
		for _, d := range under(c.m.Docs, l.Dir) {
			names = append(names, strings.TrimPrefix(d.Path, l.Dir))
		}
		rows = append(rows, []string{strconv.Itoa(l.N), yesNo(c.exists(l.Dir + "map.md")), strings.Join(names, ", ")})
	}
	return rows
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// dir is the directory of the round or run on display.
func (c cliView) dir(k Kind) string {
	return parent(k) + k.Unit() + "-" + strconv.FormatInt(c.shown(k), 10) + "/"
}

func (c cliView) reviewers() [][]string {
	rows := [][]string{}
	for _, r := range readReviewers(c.m.Docs, c.dir(Review)+"reviews/") {
		all, counted := r.Findings()
		rows = append(rows, []string{r.Stem, strconv.Itoa(all), strconv.Itoa(counted)})
	}
	return rows
}

// checkMarks are the phases as the progress view ticks them off.
func (c cliView) checkMarks() []string {
	var marks []string
	tick := func(phase string, done bool) {
		box := "[ ] "
		if done {
			box = "[x] "
		}
		marks = append(marks, box+phase)
	}
	if c.isMap() {
		c.tickMap(tick)
	} else {
		c.tickReview(tick)
	}
	tick("complete", c.complete())
	return marks
}

func (c cliView) tickReview(tick func(string, bool)) {
	number, _ := c.m.State.Int("phase_number")
	dir := c.dir(Review)
	tick("context", c.m.STD.Exists())
	tick("change-context", c.m.CTX.Exists())
	tick("analysis", c.m.CTX.Exists())
	tick("reviews", number > 4)
	tick("aggregation", number > 4)
	tick("discourse", c.exists(dir+"discourse.md"))
	tick("synthesis", c.exists(dir+"final.md"))
}

func (c cliView) tickMap(tick func(string, bool)) {
	dir := c.dir(Map)
	tick("map-context", c.m.STD.Exists())
	tick("topology", c.exists(dir+"topology.md"))
	tick("flow-analysis", c.exists(dir+"flow-analysis.md"))
	if c.m.REQ.Exists() {
		tick("requirements-mapping", c.exists(dir+"requirements-mapping.md"))
	}
	tick("synthesis", c.exists(dir+"map.md"))
}

// workflows lists what the view offers as open.
func (c cliView) workflows() []string {
	var open []string
	for _, k := range []Kind{Review, Map} {
		if c.isOpen(k) {
			open = append(open, string(k))
		}
	}
	if t := c.text("workflow_type"); len(open) == 0 && t != "" && !c.complete() {
		open = append(open, t)
	}
	return open
}

func (c cliView) isOpen(k Kind) bool {
	tree, result := "rounds/", "final.md"
	if k == Map {
		tree, result = "map/", "map.md"
	}
	listed := c.m.Series(k).Listed
	return c.hasTree(tree) && (len(listed) == 0 || !c.exists(listed[len(listed)-1].Dir+result))
}

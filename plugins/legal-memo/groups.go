package legalmemo

import "strings"

// groupNames are the phases of the orchestrator.
var groupNames = [...]string{"P1", "P2", "V", "G", "A1", "A2"}

// group is the orchestrator's phase that a kind works in.
func (k *kind) group() int {
	switch {
	case k.stage <= 3:
		return 2
	case k.stage <= 6:
		return 3
	case k.stage == 7:
		return 4
	}
	return 5
}

// groupOf maps the id of a phase to one of the six, -1 if it is none.
func groupOf(id string) int {
	major, _, _ := strings.Cut(lower(id), ".")
	if major == "" {
		return -1
	}
	switch major[0] {
	case 'p':
		if major == "p0" || major == "p1" {
			return 0
		}
		return 1
	case 'v':
		return 2
	case 'g':
		return 3
	case 'a':
		if major == "a1" {
			return 4
		}
		return 5
	}
	return -1
}

// phaseWords are what a phase may be called in prose, by group.
var phaseWords = [...]string{"research-plan planning", "specialist", "research-review validation coverage risk-agg", "section executive citation generation", "synthesis assembly", "quality qa certif"}

// claimedGroup is the group that the orchestrator claims to be in, -1 if it names none.
func (o *orchestrator) claimedGroup() int {
	claim := strings.ReplaceAll(o.current, "->", "→")
	if i := strings.LastIndex(claim, "→"); i >= 0 {
		claim = claim[i+len("→"):]
	}
	claim = strings.TrimSpace(claim)
	if ready := "ready for "; strings.HasPrefix(lower(claim), ready) {
		claim = claim[len(ready):]
	}
	if classify(claim) == complete {
		return len(groupNames) - 1
	}
	return groupIn(claim)
}

// leadingID is the id that a text begins with, "" if it begins with none.
func leadingID(text string) string {
	end := 0
	for end < len(text) && (alnum(text[end]) || text[end] == '.') {
		end++
	}
	if isID(text[:end]) {
		return text[:end]
	}
	return ""
}

// groupIn is the group that a text names, by an id or else in words, -1 for none. What P3 and P4 are differs.
func groupIn(text string) int {
	text = strings.TrimSpace(text)
	id := leadingID(text)
	if id != "" && (upper(id[:1]) != "P" || len(id) > 1 && id[1] <= '2') {
		return groupOf(id)
	}
	text = strings.ReplaceAll(strings.ReplaceAll(lower(text), "_", "-"), " ", "-")
	for g, list := range phaseWords {
		for _, w := range strings.Split(list, " ") {
			if strings.Contains(text, w) {
				return g
			}
		}
	}
	return groupOf(id)
}

// isID reports whether a word is an id such as P1, V1.1, G or A2.DIAGNOSTIC.
func isID(s string) bool {
	s = lower(s)
	if s == "" || strings.IndexByte("pvga", s[0]) < 0 {
		return false
	}
	return len(s) == 1 && (s == "v" || s == "g") || len(s) > 1 && (digit(s[1]) || s[1] == '.')
}

package edit

import (
	"maps"
	"sort"
	"strings"
)

// order lists the changes so that each is possible when its turn comes.
func (p *plan) order() error {
	moves, err := p.sequence()
	if err != nil {
		return err
	}
	p.result.Changes = append(p.result.Changes, moves...)
	disk := maps.Clone(p.was)
	Replay(disk, p.result.Changes, nil)
	for _, name := range p.now.sorted() {
		file, there := disk[name]
		if !isDir(name) && (!there || !equalData(file, p.now[name])) {
			p.result.Changes = append(p.result.Changes, Change{Kind: Write, Path: name, Data: p.now[name].Data})
		}
	}
	return nil
}

// sequence sorts renames so that each target is free in time. Two renames that need each other's name are refused.
func (p *plan) sequence() ([]Change, error) {
	waiting := append([]Change(nil), p.moves...)
	sort.Slice(waiting, func(i, j int) bool { return waiting[i].From < waiting[j].From })
	var list []Change
	for len(waiting) > 0 {
		at := nextFree(waiting)
		if at < 0 {
			return nil, p.circle(waiting)
		}
		list = append(list, waiting[at])
		waiting = append(waiting[:at], waiting[at+1:]...)
	}
	return list, nil
}

// nextFree returns the index of a rename whose target no other rename still occupies.
func nextFree(waiting []Change) int {
	for i, c := range waiting {
		if blocker(waiting, i) == "" && c.Path != "" {
			return i
		}
	}
	return -1
}

// blocker returns the source of a rename that must come before the i-th, or "". Such a rename still occupies the i-th
// rename's target or a name above the target, or creates the directory that the i-th rename moves into.
func blocker(waiting []Change, i int) string {
	path := Fold(strings.TrimSuffix(waiting[i].Path, "/")) + "/"
	for j, other := range waiting {
		if j == i {
			continue
		}
		takes := strings.HasPrefix(path, Fold(strings.TrimSuffix(other.From, "/"))+"/")
		if takes || isDir(other.Path) && below(waiting[i].Path, other.Path) {
			return other.From
		}
	}
	return ""
}

func (p *plan) circle(waiting []Change) error {
	by := map[string]int{}
	for i, e := range p.edits {
		if kindOf(e.Op) == leaving {
			by[e.Range.Path] = i
		}
	}
	first := p.edits[by[waiting[0].From]]
	second := p.edits[by[blocker(waiting, 0)]]
	return &Conflict{first, second, "each needs a name that the other still has; apply them one after the other"}
}

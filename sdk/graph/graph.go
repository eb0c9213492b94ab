// Package graph answers questions about dependencies: which needs are not met, which nodes form a circle, which
// work can start.
package graph

import "slices"

// A Graph holds the needs of every node, in the order in which nodes were added. Create it with New.
type Graph struct {
	names []string
	index map[string]int
	needs [][][]int // groups; one member satisfies a group
}

// New returns a graph with these nodes. Repeated names count once.
func New(names ...string) *Graph {
	g := &Graph{index: make(map[string]int, len(names))}
	for _, name := range names {
		if _, known := g.index[name]; !known {
			g.index[name] = len(g.names)
			g.names = append(g.names, name)
		}
	}
	g.needs = make([][][]int, len(g.names))
	return g
}

// Need adds the dependency of a node on any one of several others. If some of these are unknown, Need adds
// nothing and returns them.
func (g *Graph) Need(name string, anyOf ...string) (unknown []string) {
	from, known := g.index[name]
	var group []int
	for _, other := range anyOf {
		if to, ok := g.index[other]; ok {
			group = append(group, to)
		} else {
			unknown = append(unknown, other)
		}
	}
	if known && len(unknown) == 0 && len(group) > 0 {
		g.needs[from] = append(g.needs[from], group)
	}
	return unknown
}

// Unmet returns the node's needs that no met node satisfies, as groups of alternatives.
func (g *Graph) Unmet(name string, met func(string) bool) [][]string {
	var unmet [][]string
	for _, group := range g.of(name) {
		if !slices.ContainsFunc(group, func(n int) bool { return met(g.names[n]) }) {
			unmet = append(unmet, g.named(group))
		}
	}
	return unmet
}

// Needs returns a node's needs, as groups of alternatives.
func (g *Graph) Needs(name string) [][]string {
	return g.Unmet(name, func(string) bool { return false })
}

// Above returns all nodes that a node needs without an alternative, whether directly or indirectly. The
// nearest nodes come first.
func (g *Graph) Above(name string) []string {
	seen := map[int]bool{}
	var queue []int
	add := func(groups [][]int) {
		for _, group := range groups {
			if len(group) == 1 && !seen[group[0]] {
				seen[group[0]] = true
				queue = append(queue, group[0])
			}
		}
	}
	add(g.of(name))
	for n := 0; n < len(queue); n++ {
		add(g.needs[queue[n]])
	}
	return g.named(queue)
}

// Cycles returns the circles of nodes that need each other without an alternative. It removes the needs within
// the circles from the graph. Each circle is a shortest path from its first node back to it.
func (g *Graph) Cycles() [][]string {
	var found [][]string
	f := &finder{g: g, order: make([]int, len(g.names)), low: make([]int, len(g.names)),
		open: make([]bool, len(g.names))}
	for n := range g.names {
		if f.order[n] == 0 {
			f.visit(n)
		}
	}
	for _, circle := range f.circles {
		found = append(found, g.named(g.around(circle)))
	}
	for _, circle := range f.circles {
		for _, n := range circle {
			g.needs[n] = slices.DeleteFunc(g.needs[n], func(group []int) bool {
				return len(group) == 1 && slices.Contains(circle, group[0])
			})
		}
	}
	return found
}

func (g *Graph) of(name string) [][]int {
	if n, ok := g.index[name]; ok {
		return g.needs[n]
	}
	return nil
}

func (g *Graph) named(list []int) []string {
	names := make([]string, len(list))
	for i, n := range list {
		names[i] = g.names[n]
	}
	return names
}

// around returns the shortest path from the first node of a circle back to it.
func (g *Graph) around(circle []int) []int {
	first := slices.Min(circle)
	from := map[int]int{}
	queue := []int{first}
	for n := 0; n < len(queue); n++ {
		for _, group := range g.needs[queue[n]] {
			if _, seen := from[group[0]]; len(group) == 1 && !seen && slices.Contains(circle, group[0]) {
				from[group[0]] = queue[n]
				queue = append(queue, group[0])
			}
		}
	}
	way := []int{first}
	for at := from[first]; at != first; at = from[at] {
		way = append(way, at)
	}
	way = append(way, first)
	slices.Reverse(way)
	return way
}

// A finder finds strongly connected components with Tarjan's algorithm.
type finder struct {
	g          *Graph
	order, low []int
	open       []bool
	stack      []int
	n          int
	circles    [][]int
}

func (f *finder) visit(n int) {
	f.n++
	f.order[n], f.low[n], f.open[n] = f.n, f.n, true
	f.stack = append(f.stack, n)
	itself := false
	for _, group := range f.g.needs[n] {
		if len(group) > 1 {
			continue
		}
		need := group[0]
		itself = itself || need == n
		if f.order[need] == 0 {
			f.visit(need)
			f.low[n] = min(f.low[n], f.low[need])
		} else if f.open[need] {
			f.low[n] = min(f.low[n], f.order[need])
		}
	}
	if f.low[n] < f.order[n] {
		return
	}
	at := slices.Index(f.stack, n)
	members := slices.Clone(f.stack[at:])
	f.stack = f.stack[:at]
	for _, member := range members {
		f.open[member] = false
	}
	if len(members) > 1 || itself {
		f.circles = append(f.circles, members)
	}
}

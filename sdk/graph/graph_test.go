package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/graph"
)

func Example() {
	g := graph.New("R1", "R2", "R3", "R4")
	g.Need("R2", "R1")
	g.Need("R3", "R1", "R2") // either of the two is enough
	fmt.Println(g.Need("R4", "R9"))
	done := map[string]bool{"R1": true}
	for _, id := range []string{"R2", "R3", "R4"} {
		fmt.Println(id, g.Needs(id), g.Unmet(id, func(need string) bool { return done[need] }))
	}
	// Output:
	// [R9]
	// R2 [[R1]] []
	// R3 [[R1 R2]] []
	// R4 [] []
}

func TestCycles(t *testing.T) {
	for edges, want := range map[string]string{
		"a>b b>c": "", "a>a": "[a a]", "a>b b>a": "[a b a]", "c>a a>b b>c d>a": "[a b c a]",
		"a>b b>a c>d d>c": "[a b a] [c d c]", "a>b|c b>a": "",
	} {
		g := graph.New("a", "b", "c", "d")
		for _, edge := range strings.Fields(edges) {
			from, to, _ := strings.Cut(edge, ">")
			g.Need(from, strings.Split(to, "|")...)
		}
		var got []string
		for _, c := range g.Cycles() {
			got = append(got, fmt.Sprint(c))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %s, expected %s", edges, got, want)
		}
		if again := g.Cycles(); len(again) > 0 {
			t.Errorf("%s: still has the cycles %v", edges, again)
		}
	}
}

func TestAbove(t *testing.T) {
	g := graph.New("a", "b", "c", "d")
	g.Need("d", "c")
	g.Need("c", "b")
	g.Need("c", "a", "b")
	g.Need("b", "d")
	if got := fmt.Sprint(g.Above("d")); got != "[c b d]" {
		t.Errorf("above d: %s", got)
	}
	if g.Above("x") != nil && len(g.Above("x")) > 0 {
		t.Error("nothing is known of x")
	}
}

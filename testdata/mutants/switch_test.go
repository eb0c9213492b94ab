package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// TestSwitched checks that a file with all mutants calls one copy of the function for each of them, and that each
// copy has only its own change. Mutants that no switch can select must be returned.
func TestSwitched(t *testing.T) {
	const text = `package p

const most = 3

var least = [...]pair{
	{1, 2},
}

func (s set[T]) has(list ...int) bool {
	return s.n > 0
}

func blank(_ string, n int) { n++ }
`
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, "p.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	v := visitor{set: set, name: "p.go", text: []byte(text)}
	ast.Inspect(tree, v.visit)
	list := map[int]*mutant{}
	for i := range v.list {
		list[i+1] = &v.list[i]
	}
	out, spans, others, err := switched(list)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "p.go", out, parser.AllErrors); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	lines := strings.Split(string(out), "\n")
	for _, want := range []struct{ what, has string }{
		{"the row is dropped", "case 2: return [...]pair{|\t|}"},
		{"dropped: return s.n > 0", "func (s set[T]) has_mutant5(list ...int) bool {|\t|}"},
		{"> becomes >=", "func (s set[T]) has_mutant6(list ...int) bool {|\treturn s.n >= 0|}"},
	} {
		n := 1 + slices.IndexFunc(v.list, func(m mutant) bool { return m.what == want.what })
		at := slices.IndexFunc(spans, func(s span) bool { return s.mutant == n })
		if at < 0 {
			t.Errorf("%s: mutant %d is in no switch: %v", want.what, n, spans)
			continue
		}
		if got := strings.Join(lines[spans[at].from-1:spans[at].to], "|"); got != want.has {
			t.Errorf("%s: got %q, expected %q", want.what, got, want.has)
		}
	}
	if !strings.Contains(string(out), ": return s.has_mutant6(list...)") {
		t.Errorf("the copy is not called:\n%s", out)
	}
	var left []string
	for _, n := range others {
		left = append(left, list[n].what)
	}
	if want := []string{"3 becomes 4", "dropped: n++"}; !slices.Equal(left, want) {
		t.Errorf("got %q, expected %q", left, want)
	}
}

package ignore

import (
	"strings"
	"testing"
)

// FuzzRules: any ignore file can be read, each of its rules keeps its line, and queries about any path end.
func FuzzRules(f *testing.F) {
	for _, rules := range []string{"a\n!b\n/c/\n**/d\ne/**\n\\#f\n g \\ \n[a-c]\n{x,y}\n", "\ufeff*\r\n!*/",
		strings.Repeat("*a", 40), "[[:alpha:]]\n[]a]\n[!a]\n\\", "**/**/**/*?[a]"} {
		f.Add(rules, "a/b/c.json", true)
		f.Add(rules, "e/"+strings.Repeat("a", 60), false)
	}
	f.Fuzz(func(t *testing.T, rules, name string, fold bool) {
		if len(rules) > 2000 || len(name) > 300 {
			return
		}
		list := parse("x", "", []byte(rules))
		for i, r := range list {
			if r.Line < 1 || r.Line > strings.Count(rules, "\n")+1 || i > 0 && r.Line <= list[i-1].Line {
				t.Fatalf("%q: rule %d is on line %d", rules, i, r.Line)
			}
		}
		last := lastOf(list, name, fold, func() bool { return true })
		if last.Ignores() && last.Names() == "" && last.Pattern == "" {
			t.Fatalf("%q: no rule ignores %q", rules, name)
		}
	})
}

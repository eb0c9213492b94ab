package expr_test

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/plugins/declare/expr"
)

// object returns a map with the given members.
func object(members ...any) *expr.Value {
	v := &expr.Value{Kind: expr.Map}
	for i := 0; i < len(members); i += 2 {
		v.Add(members[i].(string), value(members[i+1]))
	}
	return v
}

func value(x any) *expr.Value {
	switch x := x.(type) {
	case nil:
		return expr.Nothing
	case *expr.Value:
		return x
	case bool:
		return expr.Truth(x)
	case int:
		return expr.Num(float64(x))
	case string:
		return expr.Str(x)
	case []any:
		l := &expr.Value{Kind: expr.List}
		for _, e := range x {
			l.List = append(l.List, value(e))
		}
		return l
	}
	panic(x)
}

// globals are the names that the test expressions use.
var globals = map[string]*expr.Value{
	"a":      value("x"),
	"n":      value(3),
	"none":   expr.Nothing,
	"unseen": expr.NoValue,
	"list":   value([]any{1, 2, 3}),
	"words":  value([]any{"b", "a", "b"}),
	"some":   {Kind: expr.List, List: []*expr.Value{value(1)}, Partial: true},
	"o":      object("k", 1, "text", "Title", "list", []any{"p"}, "off", false, "empty", ""),
	"items":  value([]any{object("id", "f1", "done", true), object("id", "f2", "done", false), object("id", "f1")}),
}

func eval(t *testing.T, src string) string {
	t.Helper()
	n, err := expr.Parse(src)
	if err != nil {
		t.Fatalf("%s: %s at %d", src, err.Message, err.At)
	}
	return result(n)
}

func result(n *expr.Node) (text string) {
	env := &expr.Env{Global: func(name string, past bool) *expr.Value {
		if v := globals[name]; v != nil && !past {
			return v
		}
		return expr.NoValue
	}}
	defer func() {
		if e := recover(); e != nil {
			text = "failure: " + e.(expr.Failure).Error()
		}
	}()
	v := n.Eval(expr.NewScope(env, false))
	if json, ok := v.JSON(); ok {
		return json
	}
	return v.String()
}

func TestExpressions(t *testing.T) {
	for src, want := range map[string]string{
		`1 + 2 - (3 - 4)`:                            "4",
		`1.5 + 1`:                                    "2.5",
		`0 - n < 0 && !(n == 4)`:                     "true",
		`'a' + "b"`:                                  `"ab"`,
		`n > 2 ? 'big' : 'small'`:                    `"big"`,
		`a == 'x' || unseen`:                         "true",
		`unseen && false`:                            "false",
		`unseen && true`:                             "unknown",
		`unseen == 1`:                                "unknown",
		`!unseen`:                                    "unknown",
		`unseen.member.lower()`:                      "unknown",
		`base.list.size() > 0`:                       "unknown",
		`none.member`:                                "null",
		`none == null && o.gone == null`:             "true",
		`o.gone.deeper == 'x'`:                       "false",
		`has(o.empty) || has(none) || has(o.gone)`:   "false",
		`has(o.off) && has(o.k) && has(list)`:        "true",
		`!o.gone && !none`:                           "true",
		`o['k'] + list[0] + list[7].size()`:          "2",
		`2 in list && !(9 in list) && 'k' in o`:      "true",
		`1 in some`:                                  "true",
		`2 in some`:                                  "unknown",
		`some.size()`:                                "unknown",
		`some.all(x, x == 1)`:                        "unknown",
		`some.exists(x, x == 1)`:                     "true",
		`list.all(x, x > 0) && list.exists(x, x==2)`: "true",
		`list.filter(x, x != 2).map(x, x + 10)`:      "[11, 13]",
		`items.repeats(i, i.id).map(i, i.id)`:        `["f1"]`,
		`items.filter(i, i.done).size()`:             "1",
		`[[1], [2, 3], null].flatten()`:              "[1, 2, 3]",
		`list.first() + list.last()`:                 "4",
		`o.map(k, k)`:                                `["k", "text", "list", "off", "empty"]`,
		`'Phase 012: x'.number()`:                    "12",
		`'no'.number()`:                              "null",
		`'A B'.lower().split(' ')`:                   `["a", "b"]`,
		`string(n) + 'é'.size()`:                     "failure: + does not work on a string and a number",
		`'ab'.startsWith('a') && 'ab'.endsWith('b')`: "true",
		`n < 'x'`:                                    "failure: cannot compare a number with a string",
		`n == 'x'`:                                   "failure: cannot compare a number with a string",
		`'x' in [1, 2]`:                              "failure: cannot compare a string with a number",
		`n && true`:                                  "failure: expected a boolean, found a number",
		`a.member`:                                   "failure: a string has no member member",
		`a.exists(x, x)`:                             "failure: exists needs a list, found a string",
		`n.startsWith('x')`:                          "failure: startsWith needs a string, found a number",
		`none < 3 || 3 < none`:                       "false",
	} {
		if got := eval(t, src); got != want {
			t.Errorf("%s = %s, want %s", src, got, want)
		}
	}
}

func TestSyntaxErrorsHaveAPlaceAndSayWhatToWrite(t *testing.T) {
	for src, want := range map[string]string{
		`a = 1`:                           "2: found =, expected an operator or the end; use &&",
		`a and b`:                         "2: found and, expected an operator or the end",
		`a &&`:                            "4: found the end, expected a value",
		`(a`:                              "2: found the end, expected )",
		`'a`:                              "0: the string is not closed",
		`a.lower`:                         "",
		`a.lowr()`:                        "2: there is no function lowr; did you mean lower?",
		`lower(a, a)`:                     "0: lower takes 1 value, including the one before the dot; found 2",
		`list.all(1, 2)`:                  "5: all takes a list, a name for the element and an expression",
		`a == 'b\n'`:                      "5: a string has no escapes",
		`a }`:                             "2: found }, expected an operator or the end",
		`1.2.3`:                           "0: found 1.2.3, expected a number",
		`a.1`:                             "2: found 1, expected the name of a member",
		`é`:                               "0: found é, expected a value; use ' or \" around strings, and x['NAME']",
		`a * 2`:                           "2: found *, expected an operator or the end",
		strings.Repeat("(", 600) + "a":    "too long; use a let",
		strings.Repeat("!", 600) + "a":    "too long; use a let",
		"a" + strings.Repeat(" + a", 300): "too long; use a let",
	} {
		_, err := expr.Parse(src)
		got := ""
		if err != nil {
			got = expr.Num(float64(err.At)).String() + ": " + err.Message
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%.20s: got %q, want %q", src, got, want)
		}
	}
}

func TestStepsAreBounded(t *testing.T) {
	big := &expr.Value{Kind: expr.List}
	for range 300 {
		big.List = append(big.List, value("aaaaaaaaaaaaaaaaaaaa"))
	}
	globals["big"] = big
	defer delete(globals, "big")
	for _, src := range []string{
		`big.exists(a, big.exists(b, big.exists(c, a != b && b != c && false)))`,
		`big.filter(a, big.filter(b, big == big).size() > 0)`,
		`big.map(a, big.map(b, big.map(c, c).flatten()).flatten()).flatten()`,
	} {
		if got := eval(t, src); !strings.Contains(got, "takes more than 2000000 steps") {
			t.Errorf("%s: got %.60s", src, got)
		}
	}
}

func TestTemplates(t *testing.T) {
	for src, want := range map[string]string{
		"plain":             `"plain"`,
		"{n} of {list}":     `"3 of 1, 2, 3"`,
		"{n}":               "3",
		"{o.off}":           "false",
		"{{n}} {'}'}":       `"{n} }"`,
		"nothing is {none}": `"nothing is nothing"`,
	} {
		tmpl, err := expr.ParseText(src)
		if err != nil {
			t.Fatal(src, err.Message)
		}
		env := &expr.Env{Global: func(name string, _ bool) *expr.Value { return globals[name] }}
		if got, _ := tmpl.Eval(expr.NewScope(env, false)).JSON(); got != want {
			t.Errorf("%s = %s, want %s", src, got, want)
		}
	}
	for src, want := range map[string]string{"a {b": "matching }", "a } b": "matching {",
		"{a b}": "expected an operator"} {
		if _, err := expr.ParseText(src); err == nil || !strings.Contains(err.Message, want) {
			t.Errorf("%s: got %v, want %s", src, err, want)
		}
	}
}

// FuzzParse checks that every expression that can be parsed evaluates in bounded steps, and panics only with a
// Failure.
func FuzzParse(f *testing.F) {
	for _, src := range []string{`items.filter(i, i.done && has(i.id)).map(i, i.id)`, `a == 'x' ? n : -n`,
		`o['k'] in [1, 2.5]`, `list[0] < list.size() || !unseen`, `"x1".split('x').first().number()`} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if n, err := expr.Parse(src); err == nil {
			result(n)
			_, _ = n.Shape(expr.Names{"a": expr.Single, "o": {Kind: expr.Map}})
		} else if err.At < 0 || err.At > len(src) {
			t.Errorf("the error is at %d of %d", err.At, len(src))
		}
		if tmpl, err := expr.ParseText(src); err == nil {
			result(tmpl)
		} else if err.At < 0 || err.At > len(src) {
			t.Errorf("the error of the template is at %d of %d", err.At, len(src))
		}
	})
}

package jsondoc_test

import (
	"encoding/json"
	"math/big"
	"reflect"
	"testing"

	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/jsondoc"
)

func value(t testing.TB, text string) jsondoc.Value {
	doc, err := jsondoc.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return doc.Root()
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`12`, `12.0`, true}, {`12`, `1.2e1`, true}, {`120e-1`, `12`, true}, {`0`, `-0.00e9`, true},
		{`12`, `-12`, false},
		{`0.1`, `0.10000000000000001`, false}, {`1e400`, `10e399`, true},
		{`1e99999999999999999999`, `1e999999999999999999999`, false},
		{`12`, `"12"`, false}, {`null`, `false`, false}, {`true`, `true`, true},
		{`"\u00fc\/"`, `"ü/"`, true}, {`"a"`, `"A"`, false},
		{`{"a": 1, "b": [1, 2]}`, `{"b":[1,2.0],"a":1}`, true}, {`{"a": 1}`, `{"a": 1, "b": null}`, false},
		{`{"a": 1}`, `{"b": 1}`, false},
		{`{"a": 2, "a": 1}`, `{"a": 1}`, true}, {`[1, 2]`, `[2, 1]`, false}, {`[1]`, `[1, 1]`, false},
	} {
		if got := jsondoc.Equal(value(t, c.a), value(t, c.b)); got != c.want {
			t.Errorf("%s and %s are equal: %v, expected %v", c.a, c.b, got, c.want)
		}
	}
	if !jsondoc.Equal(jsondoc.Value{}, jsondoc.Value{}) || jsondoc.Equal(jsondoc.Value{}, value(t, `null`)) {
		t.Error("an absent value is equal to another absent value and to nothing else")
	}
}

func TestEqualFunc(t *testing.T) {
	a, b := value(t, `{"at": "2026-01-16T10:00:00Z"}`), value(t, `{"at": "2026-01-16T11:00:00+01:00"}`)
	if jsondoc.Equal(a, b) || !jsondoc.EqualFunc(a, b, instant.Same) {
		t.Error("only instant.Same knows that the moments are the same")
	}
}

// FuzzEqual compares Equal with encoding/json and exact numbers.
func FuzzEqual(f *testing.F) {
	f.Add(`{"a":[1,2.50]}`, `{"a":[1e0,2.5]}`)
	f.Add(`"\ud83d\ude00"`, `"😀"`)
	f.Fuzz(func(t *testing.T, a, b string) {
		x, errX := jsondoc.Parse(a)
		y, errY := jsondoc.Parse(b)
		if errX != nil || errY != nil {
			return
		}
		if !jsondoc.Equal(x.Root(), x.Root()) {
			t.Fatalf("%s is not equal to itself", a)
		}
		if want, ok := oracle(a, b); ok && jsondoc.Equal(x.Root(), y.Root()) != want {
			t.Fatalf("%s and %s are equal: expected %v", a, b, want)
		}
	})
}

// oracle reports whether two texts are equal. sure is false if numbers are too large to compute.
func oracle(a, b string) (same, sure bool) {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false, false
	}
	ra, okA := new(big.Rat).SetString(a)
	rb, okB := new(big.Rat).SetString(b)
	if okA && okB && len(a) < 6 && len(b) < 6 {
		return ra.Cmp(rb) == 0, true
	}
	if reflect.DeepEqual(x, y) {
		return true, false
	}
	return false, true
}

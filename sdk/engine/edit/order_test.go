package edit_test

import (
	"encoding/json"
	"math/rand"
	"reflect"
	"testing"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/engine/edit"
	"github.com/stategate/stategate/sdk/wire"
)

// TestOrderOfEditsDoesNotMatter generates edits of a JSON document and applies them in two orders. The results must
// be equal, and match a model that works without text.
func TestOrderOfEditsDoesNotMatter(t *testing.T) {
	const doc = `{"l": [0, 1, {"k": 2}, 3, 4, 5, 6, 7, 8, 9, 10, 11], "o": {"a": 1, "b": [[1], [2], [3]]}}`
	pool := []wire.Edit{
		sdk.Unset("j", "/l/0"), sdk.Unset("j", "/l/2"), sdk.Unset("j", "/l/9"), sdk.Unset("j", "/l/11"),
		sdk.Set("j", "/l/1", `"i1"`), sdk.Set("j", "/l/10", `"i10"`), sdk.Set("j", "/l/12", `"i12"`),
		sdk.Set("j", "/l/2/k", `"k"`), sdk.Set("j", "/l/2/m/n", `"n"`),
		sdk.Replace(sdk.AtPointer("j", "/l/3"), `"r3"`), sdk.Replace(sdk.AtPointer("j", "/o/b/1"), `["r"]`),
		sdk.Unset("j", "/o/b/0"), sdk.Set("j", "/o/b/1/0", `"in"`), sdk.Set("j", "/o/b/2/-", `"end"`),
		sdk.Unset("j", "/o/b"), sdk.Set("j", "/o/a", `"A"`), sdk.Set("j", "/o/c/d", `"D"`),
	}
	random := rand.New(rand.NewSource(1))
	made, refused := 0, 0
	for range 3000 {
		random.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
		edits := append([]wire.Edit(nil), pool[:1+random.Intn(6)]...)
		one, errOne := edit.Apply(files("j", doc), edits, env())
		random.Shuffle(len(edits), func(i, j int) { edits[i], edits[j] = edits[j], edits[i] })
		two, errTwo := edit.Apply(files("j", doc), edits, env())
		if (errOne == nil) != (errTwo == nil) {
			t.Fatalf("%v: in one order %v, in another %v", edits, errOne, errTwo)
		}
		if errOne != nil {
			refused++
			continue
		}
		made++
		a, b := value(t, one.Files["j"].Data), value(t, two.Files["j"].Data)
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("%v leads to %s or to %s", edits, one.Files["j"].Data, two.Files["j"].Data)
		}
		if want := modelled(value(t, []byte(doc)), edits); !reflect.DeepEqual(a, want) {
			t.Fatalf("%v leads to %s, want %v", edits, one.Files["j"].Data, want)
		}
	}
	if made < 500 || refused < 100 {
		t.Errorf("%d sets of edits made and %d refused: the test draws too little of one kind", made, refused)
	}
}

func value(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return v
}

// modelled applies the edits to a value: it walks the old value and looks up the edits at every pointer.
func modelled(v any, edits []wire.Edit) any {
	byPointer := map[string]wire.Edit{}
	for _, e := range edits {
		byPointer[e.Range.Pointer] = e
	}
	text := func(e wire.Edit) any {
		var v any
		_ = json.Unmarshal([]byte(e.New), &v)
		return v
	}
	var walk func(v any, at string) any
	walk = func(v any, at string) any {
		switch v := v.(type) {
		case map[string]any:
			out := map[string]any{}
			for key, inner := range v {
				e, ok := byPointer[at+"/"+key]
				switch {
				case ok && e.Op == wire.Unset:
				case ok:
					out[key] = text(e)
				default:
					out[key] = walk(inner, at+"/"+key)
				}
			}
			if e, ok := byPointer["/o/c/d"]; ok && at == "/o" {
				out["c"] = map[string]any{"d": text(e)}
			}
			if e, ok := byPointer["/l/2/m/n"]; ok && at == "/l/2" {
				out["m"] = map[string]any{"n": text(e)}
			}
			return out
		case []any:
			out := []any{}
			for i := 0; i <= len(v); i++ {
				p := at + "/" + itoa(i)
				e, ok := byPointer[p]
				if ok && e.Op == wire.Set {
					out = append(out, text(e))
				}
				switch {
				case i == len(v) || ok && e.Op == wire.Unset:
				case ok && e.Op == wire.Replace:
					out = append(out, text(e))
				default:
					out = append(out, walk(v[i], p))
				}
			}
			if e, ok := byPointer[at+"/-"]; ok {
				out = append(out, text(e))
			}
			return out
		}
		return v
	}
	return walk(v, "")
}

func itoa(n int) string {
	b, _ := json.Marshal(n)
	return string(b)
}

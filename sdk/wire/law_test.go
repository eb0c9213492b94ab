package wire

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/sdk/instant"
)

// rounds is the number of random values with which each law is checked.
const rounds = 2000

func eachSample(t *testing.T, check func(m maker)) {
	t.Helper()
	for seed := range int64(rounds) {
		check(maker{Rand: rand.New(rand.NewSource(seed)), full: seed%2 == 0})
		if t.Failed() {
			t.Fatalf("with seed %d", seed)
		}
	}
}

func TestDecodingUndoesEncoding(t *testing.T) {
	eachSample(t, func(m maker) {
		same(t, EncodeManifest, DecodeManifest, m.manifest())
		same(t, EncodeReport, DecodeReport, m.report())
		same(t, EncodeRequest, DecodeRequest, m.request())
	})
}

func same[T any](t *testing.T, encode func(*T) []byte, decode func([]byte) (*T, error), x *T) {
	t.Helper()
	data := encode(x)
	got, err := decode(data)
	if err != nil {
		t.Errorf("%v\nof %q", err, data)
		return
	}
	if !reflect.DeepEqual(got, x) {
		t.Errorf("decoding gave\n%+v, expected\n%+v, from\n%q", got, x, data)
	}
	if again := encode(got); !bytes.Equal(again, data) {
		t.Errorf("encoding twice gave\n%q and\n%q", data, again)
	}
}

// encoding/json with the types' tags is the reference: our output is the tree that the tags describe, and we read
// that tree in any layout.
func TestJSONIsWhatTheTagsSay(t *testing.T) {
	eachSample(t, func(m maker) {
		manifest, report := m.manifest(), m.report()
		alike(t, EncodeManifest(manifest), DecodeManifest, manifest)
		alike(t, EncodeReport(report), DecodeReport, report)
	})
}

func alike[T any](t *testing.T, data []byte, decode func([]byte) (*T, error), x *T) {
	t.Helper()
	want := tree(reflect.ValueOf(x).Elem())
	if want == nil {
		want = map[string]any{}
	}
	wide, err := json.MarshalIndent(want, " ", "\t")
	if err != nil {
		t.Fatal(err)
	}
	if got, other := parsed(t, data), parsed(t, wide); !reflect.DeepEqual(got, other) {
		t.Errorf("encoded\n%s, expected\n%s", data, wide)
	}
	got, err := decode(wide)
	if err != nil || !reflect.DeepEqual(got, x) {
		t.Errorf("decoding gave\n%+v, %v, expected\n%+v", got, err, x)
	}
}

func parsed(t *testing.T, data []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %q", err, data)
	}
	return v
}

// tree returns the JSON value that the tags describe for v, or nil if it is empty.
func tree(v reflect.Value) any {
	if words, ok := vocabularies[v.Type()]; ok {
		if v.Uint() == 0 {
			return nil
		}
		return words[v.Uint()]
	}
	switch x := v.Interface().(type) {
	case instant.Time:
		if x.IsZero() {
			return nil
		}
		return x.String()
	case Value:
		return valueTree(x)
	}
	switch {
	case v.Kind() == reflect.Struct:
		return structTree(v)
	case v.Kind() == reflect.Slice && v.Len() > 0:
		return sliceTree(v)
	case v.IsZero():
		return nil
	}
	return v.Interface()
}

func structTree(v reflect.Value) any {
	o := map[string]any{}
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if member := tree(v.Field(i)); member != nil && name != "-" {
			o[name] = member
		}
	}
	if r, ok := v.Interface().(Range); ok && r.Bytes {
		o["bytes"] = []int{r.Start, r.End}
	}
	if len(o) == 0 {
		return nil
	}
	return o
}

func sliceTree(v reflect.Value) any {
	a := make([]any, v.Len())
	for i := range a {
		e := v.Index(i)
		if a[i] = tree(e); a[i] == nil && e.Kind() == reflect.Struct {
			a[i] = map[string]any{}
		} else if a[i] == nil {
			a[i] = e.Interface()
		}
	}
	return a
}

func valueTree(v Value) any {
	switch v.Kind {
	case IntValue:
		return v.Int
	case BoolValue:
		return v.Bool
	case ListValue:
		return append([]string{}, v.List...)
	case TableValue:
		o := map[string]any{"columns": v.Columns}
		if len(v.Rows) > 0 {
			o["rows"] = v.Rows
		}
		return o
	}
	if v.Text == "" {
		return nil
	}
	return v.Text
}

func TestTimesThatRFC3339CannotWriteMoveToItsEnds(t *testing.T) {
	r := &Report{
		ValidFrom:  instant.Of(time.Date(-5, 1, 1, 0, 0, 0, 0, time.UTC)),
		ValidUntil: instant.Of(time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC)),
	}
	want := `{"valid_from":"0000-01-01T00:00:00Z","valid_until":"9999-12-31T23:59:59.999999999Z"}`
	if got := string(EncodeReport(r)); got != want {
		t.Errorf("encoded %s, expected %s", got, want)
	}
}

func TestTimesAreWrittenAsUTC(t *testing.T) {
	r := &Report{ValidFrom: instant.Of(time.Date(2026, 1, 27, 1, 0, 0, 5000, time.FixedZone("", 3600)))}
	want := `{"valid_from":"2026-01-27T00:00:00.000005Z"}`
	if got := string(EncodeReport(r)); got != want {
		t.Errorf("encoded %s, expected %s", got, want)
	}
}

func TestBytesThatAreNoTextAreReplaced(t *testing.T) {
	got, err := DecodeReport(EncodeReport(&Report{Failure: "a\xffb"}))
	if err != nil || got.Failure != "a\uFFFDb" {
		t.Errorf("got %q, %v", got.Failure, err)
	}
}

func TestUnknownMembersAreIgnored(t *testing.T) {
	unknown := `"future":{"a":[1,-2.5e+3,null,true,{"b":{}},[],"\u00e9"]},`
	data := strings.ReplaceAll(`{U"diagnostics":[{U"rule":"a","range":{U"line":3}}]}`, "U", unknown)
	got, err := DecodeReport([]byte(data))
	want := &Report{Diagnostics: []Diagnostic{{Rule: "a", Range: Range{Line: 3}}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

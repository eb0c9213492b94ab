package wire

import (
	"bytes"
	"math/rand"
	"reflect"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func samples(f *testing.F, data func(maker) []byte) {
	for seed := range int64(8) {
		f.Add(data(maker{Rand: rand.New(rand.NewSource(seed)), full: seed%2 == 0}))
	}
}

func FuzzManifest(f *testing.F) {
	samples(f, func(m maker) []byte { return EncodeManifest(m.manifest()) })
	f.Add(EncodeManifest(valid()))
	f.Fuzz(func(t *testing.T, data []byte) {
		if m := settles(t, data, EncodeManifest, DecodeManifest); m != nil {
			_ = m.Validate()
		}
	})
}

func FuzzReport(f *testing.F) {
	samples(f, func(m maker) []byte { return EncodeReport(m.report()) })
	f.Fuzz(func(t *testing.T, data []byte) {
		if settles(t, data, EncodeReport, DecodeReport) != nil &&
			!jsontext.Value(data).IsValid(jsontext.AllowDuplicateNames(true)) {
			t.Error("accepted what is no JSON")
		}
	})
}

func FuzzRequest(f *testing.F) {
	samples(f, func(m maker) []byte { return EncodeRequest(m.request()) })
	f.Add(EncodeRequest(example()))
	f.Fuzz(func(t *testing.T, data []byte) { settles(t, data, EncodeRequest, DecodeRequest) })
}

// settles checks that decoded data is the same after encoding and decoding it again.
func settles[T any](t *testing.T, data []byte, encode func(*T) []byte, decode func([]byte) (*T, error)) *T {
	before := bytes.Clone(data)
	x, err := decode(data)
	if !bytes.Equal(data, before) {
		t.Fatal("decoding changed its input")
	}
	if (x == nil) == (err == nil) {
		t.Fatalf("got %v and %v, expected one of them", x, err)
	}
	if err != nil {
		return nil
	}
	again, err := decode(encode(x))
	if err != nil {
		t.Fatalf("%v\nof what was read from %q", err, data)
	}
	if !reflect.DeepEqual(x, again) {
		t.Fatalf("read\n%+v, then\n%+v", x, again)
	}
	return x
}

// FuzzSkip compares our JSON parser with jsontext: an unknown member may contain any value that jsontext accepts,
// and nothing else.
func FuzzSkip(f *testing.F) {
	for _, s := range []string{`0`, `-1.5e+3`, `[{"a":[]},"\u00e9\n",true,null]`, `{"a":1,"a":2}`, ` [ 1 , 2 ] `, `01`,
		`"\ud800"`, `"\ud83d\ude00"`, `nul`, `[1,]`, `{"a"}`, "\"\xff\""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		if bytes.Count(value, []byte("["))+bytes.Count(value, []byte("{")) > maxSkip {
			return
		}
		want := jsontext.Value(value).IsValid(jsontext.AllowDuplicateNames(true))
		r := &reader{data: string(value)}
		r.skip()
		if err := r.finish("value"); (err == nil) != want {
			t.Errorf("%q: %v, but jsontext says valid: %v", value, err, want)
		}
	})
}

package snapshot

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/wire"
)

// TestBreachesAreTheSameEachTime checks that the same ones of many breaches are always shown, regardless of the
// validator's order, and that no message exceeds the length limit.
func TestBreachesAreTheSameEachTime(t *testing.T) {
	var members []string
	for i := range 3000 {
		members = append(members, fmt.Sprintf(`"k%d":[1,{"a":1,"b":2,"c":3}]`, i))
	}
	text := "{" + strings.Join(members, ",") + `,"` + strings.Repeat("long", 3000) + `":[]}`
	look := func() []wire.DocumentFault {
		b, err := NewBuilder(&wire.Manifest{
			Documents: []wire.DocumentSpec{{Glob: "a.json", Format: wire.JSON, Need: wire.Content, Schema: "s"}},
			Schemas: map[string]string{
				"s": `{"patternProperties":{"^k":{"items":{"type":"object","additionalProperties":false}}},
				"additionalProperties":false}`},
		})
		if err != nil {
			t.Fatal(err)
		}
		r, err := b.Build(Input{Files: []File{{Path: "a.json", Size: int64(len(text)), Data: []byte(text)}}})
		if err != nil {
			t.Fatal(err)
		}
		return r.Documents[0].Faults
	}
	first := look()
	if len(first) != maxBreaches {
		t.Fatalf("got %d breaches, expected %d", len(first), maxBreaches)
	}
	for range 3 {
		if again := look(); !reflect.DeepEqual(first, again) {
			t.Fatalf("got\n%+v\nthen\n%+v", first[0], again[0])
		}
	}
	for _, f := range first {
		if len(f.Message) > wire.MaxText {
			t.Errorf("a message has %d bytes", len(f.Message))
		}
	}
}

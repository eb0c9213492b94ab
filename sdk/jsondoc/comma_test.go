package jsondoc_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/jsondoc"
)

func TestTrailingCommas(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []int // nil if the text has no trailing commas or also has other faults
	}{
		{"none", `{"a": 1}`, nil},
		{"in an object", `{"a": 1,}`, []int{7}},
		{"in an array", "[1, 2,\n]", []int{5}},
		{"some", "{\"a\": [1,], \"b\": {\"c\": 2 , } ,\r\n}", []int{8, 25, 29}},
		{"in a string", `{"a": ",}"}`, nil},
		{"beside another fault", `{"a": 1,} x`, nil},
		{"two of them", `[1,,]`, nil},
		{"before the first", `[,1]`, nil},
		{"alone", `[,]`, nil},
		{"behind all", `{"a": 1},`, nil},
		{"without a value", `{"a":,}`, nil},
		{"cut short", `{"a": 1,`, nil},
		{"too many", strings.Repeat("[1,],", 40), nil},
	} {
		got, ok := jsondoc.TrailingCommas(test.text)
		if ok != (test.want != nil) || !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, %v, want %v", test.name, got, ok, test.want)
		}
	}
}

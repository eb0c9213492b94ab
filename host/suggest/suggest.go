// Package suggest says what a wrong name could have been.
package suggest

import (
	"strings"

	"github.com/stategate/stategate/sdk/words"
)

// OneOf suggests for a wrong name the nearest valid one, or else lists all of them.
func OneOf(wrong string, names []string) string {
	if len(names) == 0 {
		return "none is available"
	}
	return Or(wrong, names, "available: "+strings.Join(names, ", "))
}

// Or says what a wrong name could have been, or else how to see all: where there are too many to list.
func Or(wrong string, names []string, otherwise string) string {
	if near := words.Nearest(wrong, names); near != "" {
		return "did you mean " + near + "?"
	}
	return otherwise
}

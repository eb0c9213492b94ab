// Package suggest suggests valid names for a wrong one.
package suggest

import (
	"strings"

	"github.com/stategate/stategate/sdk/words"
)

// OneOf suggests the valid name nearest to a wrong one, or else lists all of them.
func OneOf(wrong string, names []string) string {
	if len(names) == 0 {
		return "none is available"
	}
	return Or(wrong, names, "available: "+strings.Join(names, ", "))
}

// Or suggests the valid name nearest to a wrong one. If there is none, it returns otherwise, which says how to list
// all names if there are too many.
func Or(wrong string, names []string, otherwise string) string {
	if near := words.Nearest(wrong, names); near != "" {
		return "did you mean " + near + "?"
	}
	return otherwise
}

// Package suggest suggests valid names for a wrong one.
package suggest

import (
	"strings"

	"github.com/stategate/stategate/sdk/words"
)

// OneOf suggests the valid name nearest to a wrong one, or lists all valid names if none is near.
func OneOf(wrong string, names []string) string {
	if len(names) == 0 {
		return "none is available"
	}
	return Or(wrong, names, "available: "+strings.Join(names, ", "))
}

// Or suggests the valid name nearest to a wrong one. If none is near, it returns otherwise, which explains how to
// list all names. It is for lists that are too long for an error.
func Or(wrong string, names []string, otherwise string) string {
	if near := words.Nearest(wrong, names); near != "" {
		return "did you mean " + near + "?"
	}
	return otherwise
}

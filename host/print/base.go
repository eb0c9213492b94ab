package print

import (
	"fmt"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// comparedWith returns the line that names the base, such as "compared with HEAD (8a7fdfd)", or "" if there is none.
func comparedWith(bases []result.Base) string {
	if len(bases) == 0 {
		return ""
	}
	return "compared with " + strings.Join(each(bases, baseName), " and ")
}

// shortID is the number of characters shown of an object id.
const shortID = 7

func baseName(b *result.Base) string {
	id := b.ID[:min(shortID, len(b.ID))]
	switch {
	case b.Role == result.RoleMergeBase:
		return id + ", the merge base with " + Safe(b.Rev)
	case b.Role == result.RoleParent && strings.Contains(b.Rev, "^"):
		return id + ", the parent"
	case strings.HasPrefix(b.ID, b.Rev): // the caller gave the id
		return id
	}
	return Safe(b.Rev) + " (" + id + ")"
}

// outOfScope counts the findings that a check of a change omits because the change does not touch their runs. It
// returns "" if there are none.
func outOfScope(r *result.Result) string {
	n := r.Outside
	var list []string
	for _, c := range []struct {
		n    int
		name string
	}{{n.Errors, wire.Error.String()}, {n.Warnings, wire.Warning.String()}, {n.Failures, "failure"}} {
		if c.n > 0 {
			list = append(list, Count(c.n, c.name))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("%s in %s this change does not touch", strings.Join(list, ", "), Count(n.Runs, "run"))
}

package git

import (
	"context"
	"strings"
)

// ConflictError says that a file of the index has a conflict that is not resolved.
type ConflictError struct{ Path string }

func (e *ConflictError) Error() string { return e.Path + " has a conflict that is not resolved" }

// Staged gives the mode and the object id of one file of the index, without reading all of it into memory; both are ""
// if it has none. The path is slash-separated below the top. A *ConflictError says that there are several.
func (r *Repo) Staged(ctx context.Context, path string) (mode, id string, err error) {
	out, _, err := r.run(ctx, "--literal-pathspecs", "ls-files", "--stage", "-z", "--", path)
	if err != nil {
		return "", "", err
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		head, name, _ := strings.Cut(line, "\t")
		fields := strings.Fields(head)
		if name != path || len(fields) != 3 || !isID(fields[1]) {
			continue
		}
		if fields[2] != "0" {
			return "", "", &ConflictError{path}
		}
		mode, id = fields[0], fields[1]
	}
	return mode, id, nil
}

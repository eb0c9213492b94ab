package check

import (
	"context"
)

// A Root is where an instance lies.
type Root struct {
	Plugin string
	Path   string // slash-separated, relative to the anchor
}

// Roots finds what Check would examine, sorted by path and plugin, and asks no plugin. The anchor is an absolute path.
// Errors are those of Check.
func Roots(ctx context.Context, o Options) (anchor string, roots []Root, err error) {
	l, err := NewSession(ctx, o)
	if err != nil {
		return "", nil, err
	}
	defer l.Close()
	found, err := l.find(ctx)
	if err != nil {
		return "", nil, err
	}
	for _, i := range found.Instances {
		roots = append(roots, Root{i.Plugin, i.Root})
	}
	return l.Anchor.Path, roots, nil
}

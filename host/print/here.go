package print

import (
	"github.com/stategate/stategate/host/result"
)

// path is a path of a result as text shows it.
func (p *printer) path(path string) string {
	if p.how.Path != nil {
		path = p.how.Path(path)
	}
	return Safe(path)
}

func (p *printer) paths(list []string) []string {
	out := make([]string, len(list))
	for i, path := range list {
		out[i] = p.path(path)
	}
	return out
}

// place is a place of a result as text shows it.
func (p *printer) place(at result.Place) string {
	if p.how.Path != nil {
		at.Path = p.how.Path(at.Path)
	}
	return Safe(at.String())
}

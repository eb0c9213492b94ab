package main

import (
	"slices"
)

// asked is what requests about a place in a document have.
type asked struct {
	TextDocument struct {
		URI string `json:"uri"`
	} `json:"textDocument"`
	Position position  `json:"position"`
	Range    textRange `json:"range"`
	Context  struct {
		Only []string `json:"only"`
	} `json:"context"`
}

// findings returns those of a document that touch a range, with the folder; nil if there are none.
func (s *server) findings(uri string, where *textRange) (in *folder, list []located) {
	s.state.Lock()
	defer s.state.Unlock()
	for _, f := range s.folders {
		for _, all := range f.runs {
			for _, l := range all {
				if l.uri == uri && (where == nil || l.shown.Range.touches(*where)) {
					in, list = f, append(list, l)
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b located) int { return compareDiagnostics(a.shown, b.shown) })
	return in, list
}

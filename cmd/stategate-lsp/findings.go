package main

import (
	"slices"
)

// asked holds the parameters of requests about a position in a document.
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

// findings returns the findings in a document that touch a range, with their folder, or nil if there are none.
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

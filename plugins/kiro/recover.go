package kiro

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/wire"
)

// recoveries offers to restore the documents that cannot be read and that the base has whole. An unresolved merge has
// two sides, and the base has one of them: that is for a person.
func recoveries(p *sdk.Pass) ([]sdk.Remedy, error) {
	m := p.Model.(*model)
	list, rest := m.damaged()
	if len(list) == 0 {
		return nil, nil
	}
	r := sdk.Remedy{Title: "Restore " + say.And(list...) + " from base", Safety: sdk.Review}
	for _, path := range list {
		r.Edits = append(r.Edits, sdk.Restore(path))
	}
	if len(rest) == 0 {
		r.Fixes = []string{wire.RuleUnreadable}
	}
	return []sdk.Remedy{r}, nil
}

// damaged are the documents that cannot be read: those that can be restored from the base, and the rest.
func (m *model) damaged() (list, rest []string) {
	for _, d := range m.docs.All() {
		if d.Dir || d.Need != sdk.Content || d.Readable() {
			continue
		}
		syntax := slices.ContainsFunc(d.Faults, func(f sdk.DocumentFault) bool {
			return f.Kind == "syntax" || f.Kind == "encoding"
		})
		if syntax && !d.Conflicted() && m.base != nil && m.base.docs.Get(d.Path).Readable() {
			list = append(list, d.Path)
		} else {
			rest = append(rest, d.Path)
		}
	}
	return list, rest
}

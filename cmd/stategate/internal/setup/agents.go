package setup

import (
	"slices"

	"github.com/stategate/stategate/cmd/stategate/internal/agent"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/suggest"
)

// agents plans the hooks of the chosen agents, and their instructions.
func (p *Plan) agents(names []string) error {
	for _, name := range names {
		a := agent.Find(name)
		if a == nil {
			return fault.Usagef("invalid value %q for --agent; %s", name, suggest.OneOf(name, agent.Names()))
		}
		for _, f := range a.Files() {
			if slices.ContainsFunc(p.writes, func(w write) bool { return w.name == f.Name }) ||
				slices.Contains(p.same, f.Name) {
				continue // several agents share this file
			}
			if err := p.edit(f.Name, f.Added, a.Snippet(), f.Edit); err != nil {
				return err
			}
		}
		if a.Trust != "" {
			p.next = append(p.next, a.Trust)
		}
	}
	return nil
}

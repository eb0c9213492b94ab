package setup

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stategate/stategate/cmd/stategate/internal/agent"
	"github.com/stategate/stategate/host/fault"
)

// agents has the hooks of agents call the gate, and tells the agents about it.
func (p *Plan) agents(names []string) error {
	for _, name := range names {
		a := agent.Find(name)
		if a == nil {
			return fault.Usagef("--agent %q is not known; available: %s", name, strings.Join(agent.Names(), ", "))
		}
		for _, f := range a.Files() {
			if err := p.merge(f, a); err != nil {
				return err
			}
		}
		if a.Trust != "" {
			p.next = append(p.next, a.Trust)
		}
	}
	return nil
}

func (p *Plan) merge(f agent.File, a *agent.Agent) error {
	if slices.ContainsFunc(p.writes, func(w write) bool { return w.name == f.Name }) ||
		slices.Contains(p.same, f.Name) {
		return nil // several agents read it
	}
	text, mode, err := read(p.Top, f.Name)
	if err != nil {
		return err
	}
	after, err := f.Edit(string(text))
	if err != nil {
		p.Asks = append(p.Asks, fmt.Sprintf("%s is left as it is: %v; add to it:\n%s", f.Name, err, a.Snippet()))
		return nil
	}
	p.put(f.Name, text, []byte(after), mode, f.Added)
	return nil
}

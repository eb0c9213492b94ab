package legalmemo

import (
	"slices"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// recoverOrchestrator offers the recovery that orchestrator-state.md needs: to write it if it is missing or
// unreadable, or to rebuild its broken block. Sessions without the file are healthy, so a missing file is only written
// together with other lost states.
func (m *model) recoverOrchestrator() []sdk.Remedy {
	o := m.orch
	switch {
	case o.doc == nil:
		if m.base != nil && m.base.orch.doc != nil || m.alike(orchestratorPath) != nil {
			return nil // state-lost has a better remedy
		}
		lost := slices.ContainsFunc(m.agents, func(a *agent) bool { return !a.read })
		if _, state := m.standing(nil); state == sdk.Finished || !lost {
			return nil
		}
		return m.rewrite(nil, "Write "+orchestratorPath+" from the agents' states and outputs", m.replacement("", nil))
	case !o.doc.Readable():
		if !slices.ContainsFunc(o.doc.Faults,
			func(f wire.DocumentFault) bool { return f.Rule == wire.RuleUnreadable }) {
			return nil // a file that is only too large still has its phases
		}
		list := m.rewrite([]string{wire.RuleUnreadable}, "Rebuild "+orchestratorPath+
			" from the agents' states and outputs",
			m.replacement("", nil))
		if m.base == nil || !m.base.orch.doc.Readable() || m.base.orch.why != "" {
			return list
		}
		restored := m.rewrite([]string{wire.RuleUnreadable}, "Restore "+orchestratorPath+" from the base",
			[]sdk.Edit{sdk.Restore(orchestratorPath)})
		if m.base.orch.claimedGroup() == o.observed { // the agents are in the base's phase
			return append(restored, list...)
		}
		return append(list, restored...)
	case o.why != "":
		return m.rebuildBlock()
	}
	return nil
}

// rewrite returns a recovery of the orchestrator that fixes findings of rules.
func (m *model) rewrite(rules []string, title string, edits []sdk.Edit) []sdk.Remedy {
	if len(edits) == 0 {
		return nil
	}
	return []sdk.Remedy{{Title: title, Safety: sdk.Review, Subject: "orchestrator", Fixes: rules, Edits: edits}}
}

// orchestratorBlock returns an orchestrator block that matches the agents: the groups before the observed one are
// complete.
func (m *model) orchestratorBlock(expected []string) string {
	group, state := m.standing(expected)
	if open := m.openBefore(group); open < group {
		group, state = open, sdk.Active
	}
	ids, left := jsondoc.NewObject(), m.leftOfBlock()
	for g := 0; g <= group; g++ {
		status := "COMPLETE"
		if g == group && state != sdk.Finished {
			status = "IN_PROGRESS"
		}
		if s := left.Get("phases_completed").Get(groupNames[g]); wordOf(s) == complete && status == "COMPLETE" {
			ids.Value(groupNames[g], s) // with its time and figures
			continue
		}
		id := jsondoc.NewObject().String("status", status)
		if g == 5 && m.live != nil {
			id.Int("qa_cycles", int64(m.live.cycle))
		}
		ids.Object(groupNames[g], id)
	}
	block := jsondoc.NewObject().String("session_id", m.name).String("current_phase",
		groupNames[group]).Object("phases_completed", ids)
	gates := jsondoc.NewObject()
	counted := left.Get("gate_attempts")
	if m.live != nil && !counted.Exists() {
		counted = m.live.root.Get("gate_attempts")
	}
	for _, e := range counted.Members() {
		gates.Value(e.Key, e.Value)
	}
	if m.live != nil && !counted.Get("A2_DIAGNOSTIC").Exists() {
		if cycle, limit, ok, limited := m.live.cycles(); ok && limited {
			gates.Object("A2_DIAGNOSTIC", jsondoc.NewObject().Int("cycles", int64(cycle)).Int("max_cycles",
				int64(limit)))
		}
	}
	if counted.Len() > 0 || m.live != nil {
		block.Object("gate_attempts", gates)
	}
	return block.String("last_updated", sdk.NowInEdit).Text()
}

// leftOfBlock returns the readable part of a broken block.
func (m *model) leftOfBlock() jsondoc.Value {
	for _, f := range m.orch.broken {
		if doc, err := jsondoc.Parse(jsondoc.Beginning(f.Text())); err == nil {
			return doc.Root()
		}
	}
	return jsondoc.Value{}
}

// openBefore returns the first group before the given one that the readable part of a broken block records as open, or
// else the given group. An open group is not done.
func (m *model) openBefore(group int) int {
	for _, e := range m.leftOfBlock().Get("phases_completed").Members() {
		if g := groupOf(e.Key); g >= 0 && g < group && wordOf(e.Value).open() {
			group = g
		}
	}
	return group
}

// replacement returns edits that rewrite the document after its kept part, and keep a copy of the old one.
func (m *model) replacement(kept string, expected []string) (edits []sdk.Edit) {
	if m.orch.doc != nil {
		edits = append(edits, sdk.Move(orchestratorPath, orchestratorPath+".unreadable"))
	}
	if kept == "" {
		kept = "# ORCHESTRATOR STATE - " + m.name + "\n\nRebuilt from the agents' states and outputs by stategate.\n\n"
	}
	return append(edits, sdk.Create(orchestratorPath, kept+"```json\n"+m.orchestratorBlock(expected)+"```\n"))
}

// rebuildBlock offers to rewrite a block that does not parse. An unclosed block includes the text after it, so the
// file is kept as a copy, and a new file starts with the text before the block.
func (m *model) rebuildBlock() []sdk.Remedy {
	rules := []string{"unreadable-orchestrator-block"}
	o, title, kept := m.orch, "Rebuild the block in "+orchestratorPath+" from the agents' states and outputs", ""
	if len(o.broken) > 0 { // otherwise the file is the block
		f, text := o.broken[0], o.doc.Text
		plain := f.Start() == 0 || text[f.Start()-1] == '\n' // neither in a list nor in a quote
		if code := f.Code(); f.Closed() && plain && len(o.broken) == 1 {
			return m.rewrite(rules, title, []sdk.Edit{ // the broken block is kept
				sdk.Move(orchestratorPath, orchestratorPath+".unreadable"),
				sdk.Create(orchestratorPath, sdk.Literal(text[:code.Start()])+m.orchestratorBlock(o.expected)+
					sdk.Literal(text[code.End():]))})
		}
		if plain && len(o.blocks) == 0 && o.titled {
			kept = text[:f.Start()]
		}
	}
	return m.rewrite(rules, title+", and keep a copy of the old file", m.replacement(kept, o.expected))
}

// startedOver reports whether a phase that is complete in the base is no longer recorded.
func (m *model) startedOver() bool {
	return m.base != nil && slices.ContainsFunc(m.base.orch.ids, func(old *stage) bool {
		return old.word == complete && old.group != 4 && m.orch.find(old.id) == nil
	})
}

// setStatus returns the edit that sets an id's status, or nil if it has no text to replace.
func (o *orchestrator) setStatus(s *stage, status string) []sdk.Edit {
	if s.text == "" || s.at.End <= s.at.Start {
		return nil
	}
	if s.block != prose {
		status = jsondoc.Quote(status)
	}
	return []sdk.Edit{sdk.Replace(s.at, status)}
}

// setPhase returns the edits that set the current phase, or nil if it has no text to replace.
func (o *orchestrator) setPhase(g int) []sdk.Edit {
	text := groupNames[g]
	if o.inBlock {
		text = jsondoc.Quote(text)
	}
	if o.currentAt.End <= o.currentAt.Start {
		return nil
	}
	return []sdk.Edit{sdk.Replace(o.currentAt, text)}
}

package kiro

import (
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/check"
	"github.com/stategate/stategate/sdk/wire"
)

func documentLost(r *check.Report, m *model) {
	var lost []string
	for _, path := range []string{"requirements.md", "bugfix.md", "design.md", "tasks.md", "spec.json"} {
		if m.base.holds(path) && (m.docs.Get(path) != nil || m.docs.Known(path)) &&
			(m.emptied(path) || !m.holds(path) && (path == "spec.json" ||
				m.docs.Complete() && !m.isBugfix(path))) {
			lost = append(lost, path)
		}
	}
	for _, path := range lost {
		how := " is missing; the base has it"
		if m.docs.Get(path) != nil {
			how = " lost the content that it has in the base"
		}
		stage := stageOf(path)
		is, was := m.claimed(stage), m.base.claimed(stage)
		if is != "" {
			how += ", and " + is + " in spec.json says that it exists"
		}
		rest := m.remainderOf(path)
		f := r.Whole(path, path+how+rest.says(path)).Keyed(path)
		if from := m.renamed(rest); from != "" {
			f.Offer(sdk.Review, "Rename "+from+" back to "+path, sdk.Move(from, path))
		} else {
			f.Offer(sdk.Review, "Restore "+path, sdk.Restore(path))
		}
		if path == "tasks.md" && m.docs.Get(path) == nil && len(lost) == 1 && len(rest.files) == 0 {
			f.Advise("Move the rest of the spec", "If tasks.md is now in the directory of a renamed spec, move the "+
				"other documents there.")
		}
		// Before work begins, the last documents may be deleted in order to rewrite them, unless spec.json still says
		// that they exist.
		last := (!m.holds("tasks.md") || m.emptied("tasks.md")) &&
			(path != "requirements.md" && path != "bugfix.md" || !m.holds("design.md"))
		switch {
		case !last || m.base.begun() || path == "spec.json" || is != "":
		case was != "" && m.root.Exists():
			f.As(sdk.Info)
		default:
			f.As(sdk.Warning)
		}
		if rest.most() && len(rest.files) > 1 && path != "tasks.md" { // an agent may still find the parts of a text
			f.As(sdk.Warning)
		}
	}
}

const configPath = ".config.kiro"

// configLost is separate from documentLost, because findings of document-lost hide others. No rule reads .config.kiro,
// but without a warning, deleting an unreadable one would hide the error.
func configLost(r *check.Report, m *model) {
	if was := m.base.docs.Get(configPath); was.Readable() && m.docs.Get(configPath) == nil && m.docs.Known(configPath) {
		r.Missing(configPath, "")
	}
}

// recoveries offers to delete or rewrite an empty .config.kiro if the base does not have its content. Nothing else
// shows the spec's id.
func recoveries(p *sdk.Pass) ([]sdk.Remedy, error) {
	m := p.Model.(*model)
	if !m.emptyConfig() {
		return nil, nil
	}
	fixes := []string{wire.RuleUnreadable}
	return []sdk.Remedy{
		{Title: "Delete the empty " + configPath, Safety: sdk.Review, Fixes: fixes,
			Edits: []sdk.Edit{sdk.Remove(configPath)}},
		{Title: "Write " + configPath, Safety: sdk.Manual, Fixes: fixes,
			Steps: []string{"Write an object with specId, workflowType and specType, as in another spec. The specId " +
				"must be a new UUID."}},
	}, nil
}

// emptyConfig reports whether .config.kiro is empty and is not readable in the base.
func (m *model) emptyConfig() bool {
	d := m.docs.Get(configPath)
	return d != nil && d.Size == 0 && !d.Readable() && (m.base == nil || !m.base.docs.Get(configPath).Readable())
}

// stageOf returns the stage that a document belongs to.
func stageOf(path string) string {
	if path == "bugfix.md" {
		return "requirements"
	}
	return strings.TrimSuffix(path, ".md")
}

// claimed returns the field in which spec.json says that a stage's document exists, or "".
func (m *model) claimed(stage string) string {
	for _, key := range []string{"generated", "approved"} {
		if yes, _ := m.approval(stage, key); yes {
			return dotted(m.approvalAt(stage, key))
		}
	}
	if m.at == "/phase" && produced(m.phase) == stage {
		return "phase"
	}
	return ""
}

// emptied reports whether a document lost its content, except for titles or a few words.
func (m *model) emptied(path string) bool {
	now, was := m.docs.Get(path), m.base.docs.Get(path)
	switch {
	case path == "spec.json":
		return false
	case path == "tasks.md":
		return len(m.base.tasks) > 0 && len(m.tasks) == 0 && check.OnlyTitles(m.list)
	}
	return check.Emptied(now, was) != ""
}

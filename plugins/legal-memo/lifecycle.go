package legalmemo

import (
	"strings"

	"github.com/stategate/stategate/sdk"
)

// lifecycles holds one lifecycle per kind, in the order of kinds, and that of the orchestrator.
var lifecycles = makeLifecycles()

func makeLifecycles() []*sdk.Lifecycle {
	list := make([]*sdk.Lifecycle, 0, len(kinds)+1)
	for _, k := range kinds {
		list = append(list, lifecycleOf(k.name, k.phases, k.style != 'W'))
	}
	life := lifecycleOf("orchestrator", strings.Join(groupNames[:], " "), true)
	for i, title := range [...]string{"Planning", "Specialist research", "Validation", "Generation", "Assembly", "Quality"} {
		life.Phases[i].Title = title
	}
	life.Transitions = append(life.Transitions, sdk.Transition{From: "A2", To: "A1", Doc: "the gate failed, or remediation"})
	return append(list, life)
}

// lifecycleOf makes a lifecycle of phases that are separated by blanks. Their numbers and titles are read off their names.
func lifecycleOf(name, names string, linear bool) *sdk.Lifecycle {
	life := &sdk.Lifecycle{Name: name, Doc: "The " + name + " agent of a memorandum run.", Unit: sdk.Part}
	for i, phase := range strings.Split(names, " ") {
		life.Phases = append(life.Phases, &sdk.Phase{Name: phase, Number: numberOf(phase, i), Title: titleOf(phase), Doc: docOf(phase)})
		if linear && i > 0 {
			life.Transitions = append(life.Transitions, sdk.Transition{From: life.Phases[i-1].Name, To: phase})
		}
	}
	return life
}

func numberOf(name string, index int) int {
	_, after, ok := strings.Cut(name, "_")
	if !ok {
		return index + 1
	}
	n, _ := leading(after)
	return n
}

// titleOf makes "Structure" of phase_3_structure, "Objectivity" of PHASE_2.5_OBJECTIVITY.
func titleOf(name string) string {
	parts := strings.Split(name, "_")
	if len(parts) < 3 {
		return strings.Join(parts, " ")
	}
	title := lower(strings.Join(parts[2:], " "))
	return string(title[0]-'a'+'A') + title[1:]
}

// docOf says what is true in a phase where its title does not.
func docOf(name string) string {
	for _, d := range phaseDocs {
		if d.phase == name {
			return d.doc
		}
	}
	return ""
}

var phaseDocs = [...]struct{ phase, doc string }{
	{"PHASE_0_PREREQUISITE", "deal metadata is checked"}, {"PHASE_1_REPORT_INVENTORY", "reports are listed"},
	{"PHASE_2_COMPLETENESS_REVIEW", "each report is judged complete or failing"}, {"PHASE_3_HIGH_SEVERITY", "high findings are extracted"},
	{"PHASE_8_STATE_UPDATE", "the orchestrator's state is written"}, {"phase_2_fact_enrichment", "categories are processed"},
	{"phase_3_alignment_check", "issues are checked"}, {"phase_3_structure", "the report file is started"},
	{"phase_4_analysis", "subsections are written"}, {"phase_2_section_synthesis", "sections are read"},
	{"PHASE_2_FOOTNOTE_EXTRACTION", "footnotes are taken over, section by section"}, {"PHASE_2_INITIALIZE", "title and contents are written"},
	{"PHASE_3_BASH_ASSEMBLY", "the memorandum is put together, all or nothing"}, {"PHASE_4_ASSEMBLY", "sections are appended"},
	{"phase_2_dimension_scoring", "dimensions are scored"},
}

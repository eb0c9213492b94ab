package legalmemo

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/words"
)

// A kind is an agent type that keeps a state file.
type kind struct {
	name   string // the kind's name, which is also its subject, lifecycle and schema
	file   string // base name of the state file, without .json
	agent  string // value of its agent field, or "" if there is none
	style  byte   // the object with the phases: 'B' for phases_complete, 'P' for phases
	stage  int    // position in the pipeline, 1 to 8
	dirs   string // the expected directories, separated by spaces; "." is the root
	phases string // in order, separated by spaces
	output int    // index of the output phase, or -1 if there is none
	worked int    // index of the phase that processes the items, or -1 if there is none
	items  string // keys of the item object, separated by spaces
	fixed  string // fields of a complete item that must not change, separated by spaces
	format string // key of the format version
	major  int    // the highest supported major version
	makes  string // its output; a section writer creates a report
	prose  bool   // whether the output is prose, which can be cut off
	soft   string // an optional output
	strict bool   // whether an unguarded item is a warning
	counts string // the metric that counts the complete items
	all    string // the metric that counts all items
}

var kinds = [...]*kind{
	{name: "research-review", file: "research-review-state", agent: "research-review-analyst", style: 'P', stage: 1,
		dirs: ".",
		phases: "PHASE_0_PREREQUISITE PHASE_1_REPORT_INVENTORY PHASE_2_COMPLETENESS_REVIEW PHASE_2.5_OBJECTIVITY " +
			"PHASE_3_HIGH_SEVERITY PHASE_4_FINANCIAL_AGGREGATION PHASE_5_SECTION_COVERAGE PHASE_6_CROSS_REFERENCES " +
			"PHASE_7_DEAL_BLOCKING PHASE_8_STATE_UPDATE PHASE_9_PLAN_UPDATE PHASE_10_RETURN",
		output: -1, worked: -1, format: "review_version", major: 2, soft: "review-outputs/research-review-report.md"},
	{name: "fact-validator", file: "fact-validator-state", agent: "fact-validator", style: 'B', stage: 2,
		dirs: "review-outputs",
		phases: "phase_1_input_loading phase_2_fact_enrichment phase_3_conflict_detection phase_4_section_mapping " +
			"phase_5_output_files phase_6_return_status",
		output: 4, worked: 1, items: "categories_processed", fixed: "facts_count", makes: registryPath},
	{name: "coverage-gap", file: "coverage-gap-analyzer-state", agent: "coverage-gap-analyzer", style: 'B', stage: 3,
		dirs: "review-outputs",
		phases: "phase_1_plan_extraction phase_2_execution_inventory phase_3_alignment_check " +
			"phase_4_conflict_detection phase_5_gap_generation phase_6_output_files phase_7_return_status",
		output: 5, worked: 2, items: "critical_issues_checked", fixed: "specialist",
		soft: "review-outputs/coverage-gaps.md"},
	{name: "risk-aggregator", file: "risk-aggregator-state", agent: "risk-aggregator", style: 'B', stage: 3,
		dirs: "review-outputs",
		phases: "phase_1_input_loading phase_2_time_classification phase_3_category_aggregation " +
			"phase_4_probability_weighting phase_5_correlation_adjustment phase_6_recommendations " +
			"phase_7_output_files phase_8_return_status",
		output: 6, worked: 1, items: "exposures_classified", fixed: "type category amount", makes: riskPath},
	{name: "section-writer", file: "section-writer-state-IV", agent: "memo-section-writer", style: 'B', stage: 4,
		dirs:   ".",
		phases: "phase_1_inputs phase_2_validation phase_3_structure phase_4_analysis phase_5_quality phase_6_finalize",
		output: 5, worked: 3, items: "subsections_status", prose: true, strict: true},
	{name: "executive-summary", file: "executive-summary-state", agent: "memo-executive-summary-writer", style: 'B',
		stage: 5, dirs: ".",
		phases: "phase_1_input_loading phase_2_section_synthesis phase_3_aggregate_calculations " +
			"phase_4_document_structure phase_5_quality_check phase_6_output",
		output: 5, worked: 1, items: "sections_read sections_synthesized", fixed: "key_finding", makes: summaryPath,
		prose: true, strict: true, counts: "sections_read", all: "sections_total"},
	{name: "citation-validator", file: "citation-validator-state", agent: "citation-validator", style: 'P', stage: 6,
		dirs: ".",
		phases: "PHASE_1_DISCOVERY PHASE_2_FOOTNOTE_EXTRACTION PHASE_3_GLOBAL_RENUMBERING PHASE_4_VALIDATION_CHECKS " +
			"PHASE_5_OUTPUT_FILES PHASE_6_RETURN_STATUS",
		output: 4, worked: 1, items: "sections_status", fixed: "footnotes_extracted last_global_number",
		format: "validator_version", major: 1, makes: footnotesPath, strict: true, counts: "sections_processed",
		all: "total_sections"},
	{name: "assembly", file: "assembly-state", style: 'P', stage: 7, dirs: ".",
		phases: "PHASE_1_DISCOVERY PHASE_2_INITIALIZE PHASE_3_BASH_ASSEMBLY",
		output: 2, worked: -1, format: "assembly_version", major: 3, makes: memoPath, prose: true},
	{name: "synthesis", file: "synthesis-state", agent: "memo-final-synthesis", style: 'P', stage: 7, dirs: ".",
		phases: "PHASE_1_DISCOVERY PHASE_2_LOADING PHASE_3_VERIFICATION PHASE_4_ASSEMBLY PHASE_5_QUALITY PHASE_6_FINAL",
		output: 3, worked: -1, format: "synthesis_version", major: 2, makes: memoPath, prose: true, strict: true},
	{name: "qa-diagnostic", file: "qa-diagnostic-state", agent: "memo-qa-diagnostic", style: 'B', stage: 8,
		dirs: ". qa-outputs",
		phases: "phase_1_prerequisite phase_2_dimension_scoring phase_3_issue_cataloging " +
			"phase_4_remediation_planning phase_5_output_files phase_6_return_status",
		output: -1, worked: 1, items: "dimensions_scored", fixed: "score", soft: "qa-outputs/diagnostic-assessment",
		strict: true, counts: "dimensions_scored", all: "dimensions_total"},
}

// The indexes of the kinds in the list.
const (
	research = iota
	facts
	coverage
	risk
	writer
	execSummary
	citation
	assembly
	synthesis
	qa
)

// A kindSet is a set of kinds, with one bit for each index. The empty set stands for all kinds.
type kindSet uint16

// unreadToo marks rules that also check unreadable state files.
const unreadToo kindSet = 1 << 15

// has reports whether an agent is of one of the kinds and has a readable state.
func (s kindSet) has(a *agent) bool {
	of := s &^ unreadToo
	return a.doc != nil && (a.read || s != of) && (of == 0 || of&(1<<a.kind.place()) != 0)
}

// place returns the kind's index in the list.
func (k *kind) place() int { return slices.Index(kinds[:], k) }

// names returns the phases.
func (k *kind) names() []string { return strings.Split(k.phases, " ") }

// lifecycles holds one lifecycle per kind, in the order of kinds, followed by the orchestrator's.
var lifecycles = makeLifecycles()

func makeLifecycles() []*sdk.Lifecycle {
	list := make([]*sdk.Lifecycle, 0, len(kinds)+1)
	for _, k := range kinds {
		list = append(list, lifecycleOf(k.name, k.phases))
	}
	life := lifecycleOf("orchestrator", strings.Join(groupNames[:], " "))
	for i, title := range [...]string{"Planning", "Specialist research", "Validation", "Generation", "Assembly",
		"Quality"} {
		life.Phases[i].Title = title
	}
	life.Transitions = append(life.Transitions, sdk.Transition{From: "A2", To: "A1",
		Doc: "the gate failed, or quality asked for remediation"})
	return append(list, life)
}

// lifecycleOf makes a lifecycle from phase names that are separated by spaces. Numbers and titles come from the
// names.
func lifecycleOf(name, names string) *sdk.Lifecycle {
	life := &sdk.Lifecycle{Name: name, Doc: "The " + name + " agent in a memorandum run.", Unit: sdk.Part}
	for i, phase := range strings.Split(names, " ") {
		life.Phases = append(life.Phases, &sdk.Phase{Name: phase, Number: numberOf(phase, i), Title: titleOf(phase)})
		if i > 0 {
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

// titleOf returns a phase's title: "Structure" for phase_3_structure, "Objectivity" for PHASE_2.5_OBJECTIVITY.
func titleOf(name string) string {
	parts := strings.Split(name, "_")
	if len(parts) < 3 {
		return strings.Join(parts, " ")
	}
	title := words.Lower(strings.Join(parts[2:], " "))
	return string(title[0]-'a'+'A') + title[1:]
}

// groupNames are the names of the orchestrator's phases.
var groupNames = [...]string{"P1", "P2", "V", "G", "A1", "A2"}

// group returns the orchestrator phase of a kind.
func (k *kind) group() int { return [...]int{1: 2, 2, 2, 3, 3, 3, 4, 5}[k.stage] }

// groupOf maps a phase id to one of the six groups, or to -1. P0, P1 and A1 belong to the group before that of the
// other ids with the same letter.
func groupOf(id string) int {
	major, _, _ := strings.Cut(words.Lower(id), ".")
	at := strings.IndexByte("pvga", (major + " ")[0])
	if at < 0 {
		return -1
	}
	g := [...]int{1, 2, 3, 5}[at]
	if major == "p0" || major == "p1" || major == "a1" {
		g--
	}
	return g
}

// phaseWords are the words that prose uses for each group.
var phaseWords = [...]string{"research-plan planning", "specialist", "research-review validation coverage risk-agg",
	"section executive citation generation", "synthesis assembly", "quality qa certif"}

// claimedGroup returns the group that the orchestrator records as current, or -1 if it does not name one.
func (o *orchestrator) claimedGroup() int {
	claim := strings.ReplaceAll(o.current, "->", "→")
	if i := strings.LastIndex(claim, "→"); i >= 0 {
		claim = claim[i+len("→"):]
	}
	claim = strings.TrimSpace(claim)
	if ready := "ready for "; strings.HasPrefix(words.Lower(claim), ready) {
		claim = claim[len(ready):]
	}
	if classify(claim) == complete {
		return len(groupNames) - 1
	}
	return groupIn(claim)
}

// leadingID returns the id at the start of a text, or "" if there is none.
func leadingID(text string) string {
	end := 0
	for end < len(text) && (alnum(text[end]) || text[end] == '.') {
		end++
	}
	if isID(text[:end]) {
		return text[:end]
	}
	return ""
}

// groupIn returns the group that a text names, by an id or in words, or -1 if there is none. The meaning of P3 and P4
// differs between projects.
func groupIn(text string) int {
	text = strings.TrimSpace(text)
	id := leadingID(text)
	if id != "" && (upper(id[:1]) != "P" || len(id) > 1 && id[1] <= '2') {
		return groupOf(id)
	}
	text = strings.ReplaceAll(strings.ReplaceAll(words.Lower(text), "_", "-"), " ", "-")
	for g, list := range phaseWords {
		for _, w := range strings.Split(list, " ") {
			if strings.Contains(text, w) {
				return g
			}
		}
	}
	return groupOf(id)
}

// isID reports whether a word is an id such as P1, V1.1, G or A2.DIAGNOSTIC.
func isID(s string) bool {
	s = words.Lower(s)
	if s == "" || strings.IndexByte("pvga", s[0]) < 0 {
		return false
	}
	return len(s) == 1 && (s == "v" || s == "g") || len(s) > 1 && (digit(s[1]) || s[1] == '.')
}

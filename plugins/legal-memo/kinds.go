package legalmemo

import (
	"slices"
	"strings"
)

// A kind is one of the agents that keep a state file.
type kind struct {
	name   string // also the subject, and the name of its lifecycle and schema
	file   string // base name of the state file, without .json
	agent  string // what its field agent says, "" where there is none
	style  byte   // 'B' phases_complete, 'P' phases, 'W' wave_status
	stage  int    // place in the pipeline, 1 to 9
	dirs   string // the canonical places, separated by blanks; "." is the root
	phases string // in order, separated by blanks
	output int    // index of the output phase, -1 for none
	worked int    // index of the phase that works through the items, -1 for none
	items  string // keys of the item object, separated by blanks
	fixed  string // fields of a complete item that stay as they are, likewise
	format string // key of the version
	major  int    // the highest major version that is known
	makes  string // its output; the writer of a section makes a report
	prose  bool   // which is prose that can break off
	soft   string // a soft output
	strict bool   // an unguarded item is a warning
}

var kinds = [...]*kind{
	{name: "research-review", file: "research-review-state", agent: "research-review-analyst", style: 'P', stage: 1, dirs: ".",
		phases: "PHASE_0_PREREQUISITE PHASE_1_REPORT_INVENTORY PHASE_2_COMPLETENESS_REVIEW PHASE_2.5_OBJECTIVITY PHASE_3_HIGH_SEVERITY PHASE_4_FINANCIAL_AGGREGATION PHASE_5_SECTION_COVERAGE PHASE_6_CROSS_REFERENCES PHASE_7_DEAL_BLOCKING PHASE_8_STATE_UPDATE PHASE_9_PLAN_UPDATE PHASE_10_RETURN",
		output: -1, worked: -1, format: "review_version", major: 2, soft: "review-outputs/research-review-report.md"},
	{name: "fact-validator", file: "fact-validator-state", agent: "fact-validator", style: 'B', stage: 2, dirs: "review-outputs",
		phases: "phase_1_input_loading phase_2_fact_enrichment phase_3_conflict_detection phase_4_section_mapping phase_5_output_files phase_6_return_status",
		output: 4, worked: 1, items: "categories_processed", fixed: "facts_count", makes: registryPath},
	{name: "coverage-gap", file: "coverage-gap-analyzer-state", agent: "coverage-gap-analyzer", style: 'B', stage: 3, dirs: "review-outputs",
		phases: "phase_1_plan_extraction phase_2_execution_inventory phase_3_alignment_check phase_4_conflict_detection phase_5_gap_generation phase_6_output_files phase_7_return_status",
		output: 5, worked: 2, items: "critical_issues_checked", fixed: "specialist", soft: "review-outputs/coverage-gaps.md"},
	{name: "risk-aggregator", file: "risk-aggregator-state", agent: "risk-aggregator", style: 'B', stage: 3, dirs: "review-outputs",
		phases: "phase_1_input_loading phase_2_time_classification phase_3_category_aggregation phase_4_probability_weighting phase_5_correlation_adjustment phase_6_recommendations phase_7_output_files phase_8_return_status",
		output: 6, worked: 1, items: "exposures_classified", fixed: "type category amount", makes: riskPath},
	{name: "section-writer", file: "section-writer-state-IV", agent: "memo-section-writer", style: 'B', stage: 4, dirs: ".",
		phases: "phase_1_inputs phase_2_validation phase_3_structure phase_4_analysis phase_5_quality phase_6_finalize",
		output: 5, worked: 3, items: "subsections_status", prose: true, strict: true},
	{name: "executive-summary", file: "executive-summary-state", agent: "memo-executive-summary-writer", style: 'B', stage: 5, dirs: ".",
		phases: "phase_1_input_loading phase_2_section_synthesis phase_3_aggregate_calculations phase_4_document_structure phase_5_quality_check phase_6_output",
		output: 5, worked: 1, items: "sections_read sections_synthesized", fixed: "key_finding", makes: summaryPath, prose: true, strict: true},
	{name: "citation-validator", file: "citation-validator-state", agent: "citation-validator", style: 'P', stage: 6, dirs: ".",
		phases: "PHASE_1_DISCOVERY PHASE_2_FOOTNOTE_EXTRACTION PHASE_3_GLOBAL_RENUMBERING PHASE_4_VALIDATION_CHECKS PHASE_5_OUTPUT_FILES PHASE_6_RETURN_STATUS",
		output: 4, worked: 1, items: "sections_status", fixed: "footnotes_extracted last_global_number", format: "validator_version", major: 1, makes: footnotesPath, strict: true},
	{name: "assembly", file: "assembly-state", style: 'P', stage: 7, dirs: ".",
		phases: "PHASE_1_DISCOVERY PHASE_2_INITIALIZE PHASE_3_BASH_ASSEMBLY",
		output: 2, worked: -1, format: "assembly_version", major: 3, makes: memoPath, prose: true},
	{name: "synthesis", file: "synthesis-state", agent: "memo-final-synthesis", style: 'P', stage: 7, dirs: ".",
		phases: "PHASE_1_DISCOVERY PHASE_2_LOADING PHASE_3_VERIFICATION PHASE_4_ASSEMBLY PHASE_5_QUALITY PHASE_6_FINAL",
		output: 3, worked: -1, format: "synthesis_version", major: 2, makes: memoPath, prose: true, strict: true},
	{name: "qa-diagnostic", file: "qa-diagnostic-state", agent: "memo-qa-diagnostic", style: 'B', stage: 8, dirs: ". qa-outputs",
		phases: "phase_1_prerequisite phase_2_dimension_scoring phase_3_issue_cataloging phase_4_remediation_planning phase_5_output_files phase_6_return_status",
		output: -1, worked: 1, items: "dimensions_scored", fixed: "score", soft: "qa-outputs/diagnostic-assessment", strict: true},
	{name: "remediation-wave", file: "remediation-wave-state", agent: "memo-remediation-writer", style: 'W', stage: 9, dirs: "qa-outputs",
		phases: "wave_1 wave_2 wave_3 wave_4 wave_5 wave_6",
		output: -1, worked: -1, items: "task_registry"},
}

// The kinds by their place in the list.
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
	waves
)

// A kindSet is a set of kinds, one bit for each by its place; the empty one is that of all.
type kindSet uint16

// The sets of one kind, and the mark of rules that check a state file that cannot be read as well.
const (
	ofResearch kindSet = 1 << iota
	ofFacts
	ofCoverage
	ofRisk
	ofWriter
	ofSummary
	ofCitation
	ofAssembly
	ofSynthesis
	ofQA
	ofWaves
	unreadToo
)

// has reports whether an agent is of one of the kinds, and has a state that can be read.
func (s kindSet) has(a *agent) bool {
	of := s &^ unreadToo
	return a.doc != nil && (a.read || s != of) && (of == 0 || of&(1<<a.kind.place()) != 0)
}

// place is the kind's place in the list.
func (k *kind) place() int { return slices.Index(kinds[:], k) }

// names lists the phases.
func (k *kind) names() []string { return strings.Split(k.phases, " ") }

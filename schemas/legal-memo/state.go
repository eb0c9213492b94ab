// Package legalmemo contains the JSON Schemas of the legal-memo workflow.
package legalmemo

// The schemas are string constants instead of embedded files, because package embed imports package time, which
// would add 0.3 MB to a guest. A test checks that they equal the files.

// All contains the schemas of the state files by name, and their shared definitions as "common".
var All = map[string]string{
	"common": `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Definitions that the state files of a memorandum's agents share",
  "$defs": {
    "count": {"type": ["integer", "string", "null"], "minimum": 0, "pattern": "^[0-9][0-9,]*$"},
    "words": {"type": ["integer", "string", "null"], "minimum": 0, "pattern": "^(~|≈|[Aa]bout|[Aa]pprox(imately|\\.)?|[Cc]irca|[Cc]a\\.)? *[0-9][0-9,]*\\+?( *[Ww]ords)?$"},
    "text": {"type": ["string", "null"]},
    "flag": {"type": ["boolean", "string", "object"]},
    "names": {"type": "array", "items": {"type": "string"}},
    "phase": {"type": "object", "required": ["status"], "properties": {"status": {"type": "string"}}},
    "state": {
      "properties": {
        "agent": {"$ref": "#/$defs/text"},
        "agent_type": {"$ref": "#/$defs/text"},
        "schema_version": {"$ref": "#/$defs/text"},
        "session_directory": {"$ref": "#/$defs/text"},
        "session_id": {"$ref": "#/$defs/text"},
        "session": {"$ref": "#/$defs/text"},
        "compaction_summary": {"type": "object", "properties": {"task": {"type": "string"}, "progress": {"type": "string"}, "next_action": {"type": "string"}, "critical_context": {"type": ["array", "string"]}}},
        "recovery_instructions": {
          "type": "object",
          "properties": {
            "on_compaction": {"type": "string"},
            "do_not_rescore": {"type": "boolean"},
            "do_not_repeat_footnotes": {"type": ["string", "integer"]},
            "do_not_repeat": {"$ref": "#/$defs/names"},
            "do_not_rescan_reports": {"$ref": "#/$defs/names"},
            "do_not_reextract_categories": {"$ref": "#/$defs/names"},
            "do_not_reverify_issues": {"$ref": "#/$defs/names"},
            "do_not_reclassify_exposures": {"$ref": "#/$defs/names"},
            "do_not_reread_reports": {"$ref": "#/$defs/names"},
            "do_not_recalculate": {"$ref": "#/$defs/names"}
          }
        },
        "environment_checks": {"type": "object", "properties": {"on_resume": {"type": "array"}, "last_verified": {"$ref": "#/$defs/text"}, "environment_healthy": {"type": "boolean"}}},
        "blocking_issue": {"type": ["object", "boolean", "string", "null"], "pattern": "^\\s*([Nn][Oo]([Nn][Ee])?|[Nn][Uu][Ll][Ll]|[Nn]/?[Aa]|[-–—])?\\s*$", "properties": {"type": {"$ref": "#/$defs/text"}, "resolution_status": {"$ref": "#/$defs/text"}}},
        "metrics": {"type": "object", "patternProperties": {"_(count|found|read|processed|mapped|checked|classified|scored|issues|integrated|missing)$": {"minimum": 0}}},
        "errors": {"type": ["array", "null"]}
      }
    },
    "flags": {"$ref": "#/$defs/state", "required": ["status", "phases_complete"], "properties": {"status": {"type": "string"}}},
    "phases": {"$ref": "#/$defs/state", "required": ["current_phase", "phases"], "properties": {"current_phase": {"type": "string"}, "status": {"$ref": "#/$defs/text"}}}
  }
}
`,
	"research-review": `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "State of the research-review agent of a memorandum run",
  "type": "object",
  "$ref": "common#/$defs/phases",
  "properties": {
    "metrics": {"properties": {"high_findings_count": {"$ref": "common#/$defs/count"}}},
    "phases": {
      "type": "object",
      "properties": {
        "PHASE_0_PREREQUISITE": {"$ref": "common#/$defs/phase"},
        "PHASE_1_REPORT_INVENTORY": {"$ref": "common#/$defs/phase"},
        "PHASE_2_COMPLETENESS_REVIEW": {"$ref": "common#/$defs/phase"},
        "PHASE_2.5_OBJECTIVITY": {"$ref": "common#/$defs/phase"},
        "PHASE_3_HIGH_SEVERITY": {"$ref": "common#/$defs/phase"},
        "PHASE_4_FINANCIAL_AGGREGATION": {"$ref": "common#/$defs/phase"},
        "PHASE_5_SECTION_COVERAGE": {"$ref": "common#/$defs/phase"},
        "PHASE_6_CROSS_REFERENCES": {"$ref": "common#/$defs/phase"},
        "PHASE_7_DEAL_BLOCKING": {"$ref": "common#/$defs/phase"},
        "PHASE_8_STATE_UPDATE": {"$ref": "common#/$defs/phase"},
        "PHASE_9_PLAN_UPDATE": {"$ref": "common#/$defs/phase"},
        "PHASE_10_RETURN": {"$ref": "common#/$defs/phase"}
      }
    }
  }
}
`,
	"fact-validator": `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "State of the fact-validator agent of a memorandum run",
  "type": "object",
  "$ref": "common#/$defs/flags",
  "properties": {
    "metrics": {
      "properties": {"facts_processed": {"$ref": "common#/$defs/count"}, "facts_total": {"$ref": "common#/$defs/count"}, "conflicts_found": {"$ref": "common#/$defs/count"}}
    },
    "phases_complete": {
      "type": "object",
      "properties": {
        "phase_1_input_loading": {"$ref": "common#/$defs/flag"},
        "phase_2_fact_enrichment": {"$ref": "common#/$defs/flag"},
        "phase_3_conflict_detection": {"$ref": "common#/$defs/flag"},
        "phase_4_section_mapping": {"$ref": "common#/$defs/flag"},
        "phase_5_output_files": {"$ref": "common#/$defs/flag"},
        "phase_6_return_status": {"$ref": "common#/$defs/flag"}
      }
    },
    "categories_processed": {"type": "object"},
    "conflicts_detected": {"type": "array"}
  }
}
`,
	"coverage-gap": `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "State of the coverage-gap agent of a memorandum run",
  "type": "object",
  "$ref": "common#/$defs/flags",
  "properties": {
    "metrics": {
      "properties": {"critical_issues_checked": {"$ref": "common#/$defs/count"}, "critical_issues_verified": {"$ref": "common#/$defs/count"}, "critical_issues_total": {"$ref": "common#/$defs/count"}, "conflicts_found": {"$ref": "common#/$defs/count"}}
    },
    "phases_complete": {
      "type": "object",
      "properties": {
        "phase_1_plan_extraction": {"$ref": "common#/$defs/flag"},
        "phase_2_execution_inventory": {"$ref": "common#/$defs/flag"},
        "phase_3_alignment_check": {"$ref": "common#/$defs/flag"},
        "phase_4_conflict_detection": {"$ref": "common#/$defs/flag"},
        "phase_5_gap_generation": {"$ref": "common#/$defs/flag"},
        "phase_6_output_files": {"$ref": "common#/$defs/flag"},
        "phase_7_return_status": {"$ref": "common#/$defs/flag"}
      }
    },
    "critical_issues_checked": {"type": "object"},
    "conflicts_detected": {"type": "array"}
  }
}
`,
	"risk-aggregator": `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "State of the risk-aggregator agent of a memorandum run",
  "type": "object",
  "$ref": "common#/$defs/flags",
  "properties": {
    "metrics": {
      "properties": {"exposures_classified": {"$ref": "common#/$defs/count"}, "exposures_weighted": {"$ref": "common#/$defs/count"}, "exposures_total": {"$ref": "common#/$defs/count"}}
    },
    "phases_complete": {
      "type": "object",
      "properties": {
        "phase_1_input_loading": {"$ref": "common#/$defs/flag"},
        "phase_2_time_classification": {"$ref": "common#/$defs/flag"},
        "phase_3_category_aggregation": {"$ref": "common#/$defs/flag"},
        "phase_4_probability_weighting": {"$ref": "common#/$defs/flag"},
        "phase_5_correlation_adjustment": {"$ref": "common#/$defs/flag"},
        "phase_6_recommendations": {"$ref": "common#/$defs/flag"},
        "phase_7_output_files": {"$ref": "common#/$defs/flag"},
        "phase_8_return_status": {"$ref": "common#/$defs/flag"}
      }
    },
    "exposures_classified": {"type": "object"}
  }
}
`,
	"section-writer": `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "State of the section-writer agent of a memorandum run",
  "type": "object",
  "$ref": "common#/$defs/flags",
  "required": ["section_id"],
  "properties": {
    "metrics": {"properties": {"word_count": {"$ref": "common#/$defs/words"}, "footnotes_count": {"$ref": "common#/$defs/count"}}},
    "phases_complete": {
      "type": "object",
      "properties": {
        "phase_1_inputs": {"$ref": "common#/$defs/flag"},
        "phase_2_validation": {"$ref": "common#/$defs/flag"},
        "phase_3_structure": {"$ref": "common#/$defs/flag"},
        "phase_4_analysis": {"$ref": "common#/$defs/flag"},
        "phase_5_quality": {"$ref": "common#/$defs/flag"},
        "phase_6_finalize": {"$ref": "common#/$defs/flag"}
      }
    },
    "section_id": {"type": "string"},
    "subsections_status": {"type": "object"}
  }
}
`,
	"executive-summary": `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "State of the executive-summary agent of a memorandum run",
  "type": "object",
  "$ref": "common#/$defs/flags",
  "properties": {
    "metrics": {
      "properties": {"sections_read": {"$ref": "common#/$defs/count"}, "sections_total": {"$ref": "common#/$defs/count"}, "word_count": {"$ref": "common#/$defs/words"}}
    },
    "phases_complete": {
      "type": "object",
      "properties": {
        "phase_1_input_loading": {"$ref": "common#/$defs/flag"},
        "phase_2_section_synthesis": {"$ref": "common#/$defs/flag"},
        "phase_3_aggregate_calculations": {"$ref": "common#/$defs/flag"},
        "phase_4_document_structure": {"$ref": "common#/$defs/flag"},
        "phase_5_quality_check": {"$ref": "common#/$defs/flag"},
        "phase_6_output": {"$ref": "common#/$defs/flag"}
      }
    },
    "sections_read": {"type": "object"},
    "sections_synthesized": {"type": "object"}
  }
}
`,
	"citation-validator": `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "State of the citation-validator agent of a memorandum run",
  "type": "object",
  "$ref": "common#/$defs/phases",
  "properties": {
    "metrics": {
      "properties": {"sections_processed": {"$ref": "common#/$defs/count"}, "total_sections": {"$ref": "common#/$defs/count"}, "footnotes_collected": {"$ref": "common#/$defs/count"}, "placeholders_found": {"$ref": "common#/$defs/count"}}
    },
    "phases": {
      "type": "object",
      "properties": {
        "PHASE_1_DISCOVERY": {"$ref": "common#/$defs/phase"},
        "PHASE_2_FOOTNOTE_EXTRACTION": {"$ref": "common#/$defs/phase"},
        "PHASE_3_GLOBAL_RENUMBERING": {"$ref": "common#/$defs/phase"},
        "PHASE_4_VALIDATION_CHECKS": {"$ref": "common#/$defs/phase"},
        "PHASE_5_OUTPUT_FILES": {"$ref": "common#/$defs/phase"},
        "PHASE_6_RETURN_STATUS": {"$ref": "common#/$defs/phase"}
      }
    },
    "sections_status": {"type": "object"}
  }
}
`,
	"assembly": `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "State of the assembly agent of a memorandum run",
  "type": "object",
  "$ref": "common#/$defs/phases",
  "properties": {
    "metrics": {"properties": {"footnote_count": {"$ref": "common#/$defs/count"}}},
    "phases": {
      "type": "object",
      "properties": {
        "PHASE_1_DISCOVERY": {"$ref": "common#/$defs/phase"},
        "PHASE_2_INITIALIZE": {"$ref": "common#/$defs/phase"},
        "PHASE_3_BASH_ASSEMBLY": {"$ref": "common#/$defs/phase"}
      }
    }
  }
}
`,
	"synthesis": `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "State of the synthesis agent of a memorandum run",
  "type": "object",
  "$ref": "common#/$defs/phases",
  "properties": {
    "metrics": {
      "properties": {"sections_integrated": {"$ref": "common#/$defs/count"}, "footnotes_included": {"$ref": "common#/$defs/count"}, "word_count": {"$ref": "common#/$defs/words"}}
    },
    "phases": {
      "type": "object",
      "properties": {
        "PHASE_1_DISCOVERY": {"$ref": "common#/$defs/phase"},
        "PHASE_2_LOADING": {"$ref": "common#/$defs/phase"},
        "PHASE_3_VERIFICATION": {"$ref": "common#/$defs/phase"},
        "PHASE_4_ASSEMBLY": {"$ref": "common#/$defs/phase"},
        "PHASE_5_QUALITY": {"$ref": "common#/$defs/phase"},
        "PHASE_6_FINAL": {"$ref": "common#/$defs/phase"}
      }
    },
    "verification_status": {"type": ["object", "null"]},
    "input_files_verified": {"type": ["object", "null"]}
  }
}
`,
	"qa-diagnostic": `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "State of the qa-diagnostic agent of a memorandum run",
  "type": "object",
  "$ref": "common#/$defs/flags",
  "properties": {
    "metrics": {"properties": {"dimensions_scored": {"$ref": "common#/$defs/count"}, "dimensions_total": {"$ref": "common#/$defs/count"}}},
    "phases_complete": {
      "type": "object",
      "properties": {
        "phase_1_prerequisite": {"$ref": "common#/$defs/flag"},
        "phase_2_dimension_scoring": {"$ref": "common#/$defs/flag"},
        "phase_3_issue_cataloging": {"$ref": "common#/$defs/flag"},
        "phase_4_remediation_planning": {"$ref": "common#/$defs/flag"},
        "phase_5_output_files": {"$ref": "common#/$defs/flag"},
        "phase_6_return_status": {"$ref": "common#/$defs/flag"}
      }
    },
    "qa_cycle": {
      "type": ["object", "null"],
      "properties": {"current_cycle": {"type": "integer", "minimum": 0}, "max_cycles": {"type": "integer", "minimum": 1}, "cycle_history": {"type": "array"}}
    },
    "gate_attempts": {
      "type": ["object", "string", "null"], "pattern": "^\\s*([Nn][Oo]([Nn][Ee])?|[Nn][Uu][Ll][Ll]|[Nn]/?[Aa]|[-–—])?\\s*$",
      "additionalProperties": {"type": "object", "properties": {"attempts": {"type": "integer"}, "max": {"type": "integer"}, "max_attempts": {"type": "integer"}, "cycles": {"type": "integer"}, "max_cycles": {"type": "integer"}, "last_failure_reason": {"$ref": "common#/$defs/text"}}}
    },
    "script_execution_tracking": {
      "type": ["object", "string", "null"], "pattern": "^\\s*([Nn][Oo]([Nn][Ee])?|[Nn][Uu][Ll][Ll]|[Nn]/?[Aa]|[-–—])?\\s*$",
      "additionalProperties": {"type": "object", "required": ["executed", "status"], "properties": {"executed": {"type": "boolean"}, "status": {"type": "string"}, "exit_code": {"type": ["integer", "null"]}, "iteration_count": {"$ref": "common#/$defs/count"}, "output_file": {"$ref": "common#/$defs/text"}, "depends_on": {"$ref": "common#/$defs/text"}}}
    },
    "dimensions_scored": {"type": "object"}
  }
}
`,
}

// Options is the schema of the options that a project may set.
const Options = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Options of the legal-memo workflow",
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "outputs": {"enum": ["auto", "tracked", "untracked"], "description": "whether reports and memoranda are kept in the repository"},
    "min_words": {"type": "object", "additionalProperties": false, "properties": {"section": {"type": "integer", "minimum": 0}, "memorandum": {"type": "integer", "minimum": 0}, "summary": {"type": "integer", "minimum": 0}, "summary_floor": {"type": "integer", "minimum": 0}}},
    "shrink": {"type": "object", "additionalProperties": false, "properties": {"lost": {"type": "number", "minimum": 0, "maximum": 1}, "short": {"type": "number", "minimum": 0, "maximum": 1}, "edited": {"type": "number", "minimum": 0, "maximum": 1}}}
  }
}
`

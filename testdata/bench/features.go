package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// features writes 200 Spec Kit features with five files each, as long as real ones: 6 to 12 KB.
func features(dir string) error {
	prose := strings.Repeat("The reader sees notes in the order in which they were written, and may turn it "+
		"around.\n\n", 60)
	var spec, tasks strings.Builder
	spec.WriteString("# Feature Specification: Export\n\n**Status**: Draft\n\n## Requirements\n\n")
	tasks.WriteString("# Tasks: Export\n\n")
	for i := range 60 {
		fmt.Fprintf(&spec, "- **FR-%03d**: The system MUST write file %d, and say where it is.\n", i+1, i+1)
		if i%15 == 0 {
			fmt.Fprintf(&tasks, "\n## Phase %d: User Story %[1]d (Priority: P1)\n\n", i/15+1)
		}
		fmt.Fprintf(&tasks, "- [%c] T%03d [P] [US%d] Add the export of notes of kind %d in "+
			"`src/export/kind%[4]d.go` (depends on T%03[5]d)\n", mark(i, 40), i+1, i/15+1, i, max(1, i))
	}
	return lay(dir, "specs", 200, map[string]string{
		"spec.md": spec.String() + prose, "plan.md": "# Implementation Plan: Export\n\n## Technical Context\n\n" +
			prose,
		"tasks.md": tasks.String(), "research.md": prose, "quickstart.md": prose,
	})
}

func specs(dir string) error {
	var requirements, tasks strings.Builder
	requirements.WriteString("# Requirements Document\n\n## Requirements\n")
	for i := range 12 {
		fmt.Fprintf(&requirements, "\n### Requirement %d: Kind %[1]d\n\n**User Story:** As a reader, I want notes "+
			"of kind %[1]d, so that I find them.\n\n#### Acceptance Criteria\n\n", i+1)
		fmt.Fprintf(&tasks, "\n- [%c] %d. Write kind %[2]d\n", mark(i, 8), i+1)
		for j := range 4 {
			fmt.Fprintf(&requirements, "%d. WHEN a note of kind %d is asked for THEN the system SHALL show it\n", j+1,
				i+1)
			fmt.Fprintf(&tasks, "  - [%c] %d.%d Create src/kind%[2]d/part%[3]d.go\n    - Read the notes, and keep "+
				"their order\n    - _Requirements: %[2]d.%[3]d_\n", mark(i, 8), i+1, j+1)
		}
	}
	return lay(dir, ".kiro/specs", 250, map[string]string{
		"requirements.md": requirements.String(), "design.md": "# Design Document\n",
		"tasks.md": "# Implementation Plan\n" + tasks.String(), "spec.json": "{}\n",
	})
}

// changes writes one state directory with 1,900 documents: 300 open OpenSpec changes with four files each, and 700
// specs.
func changes(dir string) error {
	prose := strings.Repeat("The reader sees notes in the order in which they were written, and may turn it "+
		"around.\n\n", 60)
	var tasks, spec strings.Builder
	for i := range 40 {
		fmt.Fprintf(&tasks, "- [%c] 1.%d Write part %[2]d\n", mark(i, 20), i+1)
		fmt.Fprintf(&spec, "### Requirement: Notes of kind %d\nThe system SHALL show notes of kind %[1]d.\n\n"+
			"#### Scenario: Shown\n- **WHEN** one is asked for\n- **THEN** it is shown\n\n", i+1)
	}
	err := lay(dir, "openspec/specs", 700, map[string]string{
		"spec.md": "# Export\n\n## Purpose\nNotes leave the program as files.\n\n## Requirements\n\n" + spec.String(),
	})
	return errors.Join(err, lay(dir, "openspec/changes", 300, map[string]string{
		"proposal.md": "## Why\n" + prose + "## What Changes\n- A new export\n", "design.md": "# Design\n\n" + prose,
		"tasks.md": "## 1. Export\n\n" + tasks.String(), "specs/NAME/spec.md": "## ADDED Requirements\n\n" +
			strings.ReplaceAll(spec.String(), "kind", "sort"),
	}))
}

// touch changes one document before each run: it adds a task to a change that is in progress.
func touch(dir string) func(run int) error {
	return growing(filepath.Join(dir, "openspec/changes/007-export/tasks.md"), "- [ ] 1.%d One more\n")
}

// growing adds a line with a new number to a document before each run.
func growing(path, line string) func(run int) error {
	return func(int) error {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, append(text, fmt.Sprintf(line, 41+len(text))...), 0o644)
	}
}

func mark(i, done int) byte {
	if i < done {
		return 'x'
	}
	return ' '
}

// lay writes the same documents into n directories. NAME in a path stands for the directory's name.
func lay(dir, below string, n int, documents map[string]string) (err error) {
	for i := range n {
		id := fmt.Sprintf("%03d-export", i+1)
		for name, text := range documents {
			file := filepath.Join(dir, filepath.FromSlash(below), id, strings.ReplaceAll(name, "NAME", "new-"+id))
			err = errors.Join(err, put(file, text))
		}
	}
	return err
}

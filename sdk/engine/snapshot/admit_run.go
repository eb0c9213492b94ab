package snapshot

import (
	"fmt"
	"slices"

	"github.com/stategate/stategate/sdk/wire"
)

// Files returns an error if a detection's files are invalid.
func Files(d *wire.Detection) error {
	if n := len(d.Files); n > wire.MaxFiles {
		return &LimitError{fmt.Sprintf("it has %d globs in files, the limit is %d", n, wire.MaxFiles)}
	}
	for _, g := range d.Files {
		if err := wire.CheckGlob(g); err != nil {
			return fmt.Errorf("files: %w", err)
		}
	}
	return nil
}

// siftRuns removes references to runs that the report does not have. It keeps two detections with the same subject,
// because a user's merge may cause them; only a test refuses these.
func (a *admission) siftRuns() {
	a.runs = make(map[wire.RunName]*wire.Detection, len(a.report.Detections))
	for i := range a.report.Detections {
		d := &a.report.Detections[i]
		name := wire.RunName{Lifecycle: d.Lifecycle, Subject: d.Subject}
		if a.runs[name] == nil {
			a.runs[name] = d
		} else {
			a.fault(fmt.Errorf("two detections have the lifecycle %s and the subject %q; give each run a Subject of "+
				"its own", d.Lifecycle, firstBytes(d.Subject)))
		}
	}
	for i := range a.report.Detections {
		d := &a.report.Detections[i]
		if err := a.partOf(d); err != nil {
			a.fault(fmt.Errorf("detection %d (subject %q): %w", i, firstBytes(d.Subject), err))
			d.PartOf = wire.RunName{}
		}
	}
}

// fault records a fault that a test refuses and a host tolerates.
func (a *admission) fault(err error) {
	if a.strict {
		a.refuse(err)
	}
}

// partOf returns an error if the chain of detections that contain a detection leads to a missing one, in a circle, or
// too far up.
func (a *admission) partOf(d *wire.Detection) error {
	for level := 0; d.PartOf != (wire.RunName{}); level++ {
		if level == wire.MaxParts {
			return fmt.Errorf("part_of leads through more than %d detections, or in a circle", wire.MaxParts)
		}
		of := a.runs[d.PartOf]
		if of == nil {
			return fmt.Errorf("part_of names %s, which the report does not detect", runText(d.PartOf))
		}
		d = of
	}
	return nil
}

// Chooses returns an error if the state directories that a report chooses are invalid.
func Chooses(roots []string) error {
	if n := len(roots); n > wire.MaxChooses {
		return &LimitError{fmt.Sprintf("the report chooses %d state directories, the limit is %d", n, wire.MaxChooses)}
	}
	for _, root := range roots {
		if err := wire.CheckPath(root); err != nil {
			return fmt.Errorf("the report chooses a state directory: %w", err)
		}
	}
	return nil
}

// Runs returns an error if a diagnostic names an invalid run. A run may lack a detection if it is finished or
// exists only in the base.
func Runs(m *wire.Manifest, d *wire.Diagnostic) error {
	if n := len(d.Blocks); n > wire.MaxBlocks {
		return &LimitError{fmt.Sprintf("it blocks %d runs, the limit is %d", n, wire.MaxBlocks)}
	}
	for _, r := range append(d.Blocks[:len(d.Blocks):len(d.Blocks)], d.Run) {
		known := func(l wire.Lifecycle) bool { return l.Name == r.Lifecycle }
		if r != (wire.RunName{}) && !slices.ContainsFunc(m.Lifecycles, known) {
			return fmt.Errorf("it names the run %s, whose lifecycle is not declared", runText(r))
		}
	}
	return nil
}

func runText(r wire.RunName) string { return fmt.Sprintf("%s %q", r.Lifecycle, firstBytes(r.Subject)) }

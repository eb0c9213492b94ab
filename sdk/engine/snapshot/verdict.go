package snapshot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/engine/glob"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

// Verdict combines the plugin's findings with those of the host, ordered by path, location and severity. Equal
// findings of the plugin are merged, and findings that a rule hides become notes. A declined instance has no
// findings. The report must be admitted.
func Verdict(m *wire.Manifest, request *wire.Request, report *wire.Report) []finding.Finding {
	return finding.Fold(m, Findings(m, request, report))
}

// Findings is like Verdict but keeps every finding separate, so that a configuration can drop a finding without
// dropping the findings that it hides.
func Findings(m *wire.Manifest, request *wire.Request, report *wire.Report) []finding.Finding {
	if report.Declined != "" {
		return nil
	}
	resolver := NewResolver(request.Documents)
	var list []finding.Finding
	readable := readableBefore(&request.Base)
	for i := range request.Documents {
		doc := &request.Documents[i]
		list = append(list, hostFindings(resolver, doc, report, overridesFor(m, doc, report.Overrides),
			readable)...)
	}
	for _, d := range report.Diagnostics {
		d.Severity = SeverityOf(m, &d)
		if d.Severity == wire.Off || d.Severity == wire.Inherit {
			continue
		}
		f := finding.Finding{Diagnostic: d, Place: resolver.Place(d.Range)}
		for _, r := range d.Related {
			f.RelatedPlaces = append(f.RelatedPlaces, resolver.Place(r.Range))
		}
		list = append(list, f)
	}
	list = append(append(list, emptied(request, list)...), unended(request, list)...)
	slices.SortStableFunc(list, compareFindings)
	return slices.CompactFunc(list, func(a, b finding.Finding) bool {
		return !a.Host && !b.Host &&
			equal(&a.Diagnostic, &b.Diagnostic)
	})
}

// emptied reports documents that lost all of the content that they had in the base, unless another finding reports
// a fault in the document. Empty JSON is already a syntax fault.
func emptied(request *wire.Request, list []finding.Finding) []finding.Finding {
	had := map[string]int64{}
	for i := range request.Base.Documents {
		if d := &request.Base.Documents[i]; !blank(d) {
			had[d.Path] = d.Size
		}
	}
	var found []finding.Finding
	for i := range request.Documents {
		d := &request.Documents[i]
		reported := func(f finding.Finding) bool { return f.Place.Path == d.Path && f.Severity >= wire.Warning }
		if had[d.Path] == 0 || !blank(d) || slices.ContainsFunc(list, reported) {
			continue
		}
		message := fmt.Sprintf("the document is empty; the base has %d bytes of it: restore it, or delete it if it "+
			"is not needed", had[d.Path])
		found = append(found, finding.Finding{Host: true, Place: finding.Place{Path: d.Path},
			Diagnostic: wire.Diagnostic{
				Rule: wire.RuleUnreadable, Severity: wire.Warning, Key: "emptied", Range: wire.Range{Path: d.Path},
				Message: message, Remedies: []wire.Remedy{restored(d.Path)},
			}})
	}
	return found
}

// blank reports whether a document was read and is empty.
func blank(d *wire.Document) bool {
	switch {
	case d.Dir || len(d.Faults) > 0:
		return false
	case d.Need == wire.Content:
		return strings.TrimSpace(d.Text) == ""
	}
	return (d.Need == wire.Summary || d.Need == wire.Counted) && d.Size == 0
}

// SeverityOf returns a diagnostic's own severity, or its rule's.
func SeverityOf(m *wire.Manifest, d *wire.Diagnostic) wire.Severity {
	if d.Severity != wire.Inherit {
		return d.Severity
	}
	if r := ruleOf(m, d.Rule); r != nil {
		return r.Severity
	}
	return wire.Inherit
}

// readableBefore returns the paths of the base documents that are fully readable.
func readableBefore(base *wire.Base) map[string]bool {
	paths := make(map[string]bool, len(base.Documents))
	for i := range base.Documents {
		d := &base.Documents[i]
		paths[d.Path] = d.Need == wire.Content && !slices.ContainsFunc(d.Faults,
			func(f wire.DocumentFault) bool { return damage(f.Rule) })
	}
	return paths
}

// damage reports whether a host rule means that a document is unreadable.
func damage(rule string) bool {
	return rule == wire.RuleUnreadable || rule == wire.RuleNotAFile || rule == wire.RuleTooLarge
}

// hostFindings turns a document's faults into findings and applies the plugin's overrides. A damaged document is always
// reported.
func hostFindings(resolver *Resolver, doc *wire.Document, report *wire.Report, overrides []wire.Override,
	readable map[string]bool) []finding.Finding {
	var list []finding.Finding
	for _, fault := range doc.Faults {
		severity := faultSeverity(fault, overrides)
		if damage(fault.Rule) && readable[doc.Path] || fault.Kind == kindConflict {
			severity = wire.Error
		}
		if severity == wire.Off {
			continue
		}
		list = append(list, finding.Finding{
			Host:  true,
			Place: faultPlace(resolver, doc, fault),
			Diagnostic: wire.Diagnostic{
				Rule: fault.Rule, Severity: severity, Key: fault.Key, Range: faultRange(doc.Path, fault),
				Message:  fault.Message,
				Remedies: repairs(doc, &fault, report, readable),
			},
		})
	}
	return list
}

// overridesFor returns the overrides that apply to a document. If the plugin needs its content, an unreadable
// document stays an error, because rules would draw conclusions from its absence. Off says that the file belongs to
// another tool; the finding is then an info that names the unread file.
func overridesFor(m *wire.Manifest, doc *wire.Document, overrides []wire.Override) []wire.Override {
	if len(doc.Faults) == 0 {
		return nil
	}
	content := hidesContent(m, doc.Path)
	var list []wire.Override
	for _, o := range overrides {
		switch {
		case o.Path != doc.Path:
			continue
		case content && damage(o.Rule) && o.Severity != wire.Off:
			continue
		case content && damage(o.Rule):
			o.Severity = wire.Info
		}
		list = append(list, o)
	}
	return list
}

// hidesContent reports whether the plugin needs the content of the entry at a path or, if it is not a document, of
// a document below it.
func hidesContent(m *wire.Manifest, path string) bool {
	if spec := SpecOf(m.Documents, path, Regular); spec >= 0 {
		return m.Documents[spec].Need == wire.Content
	}
	var globs []string
	for _, d := range m.Documents {
		if d.Need == wire.Content {
			globs = append(globs, d.Glob)
		}
	}
	set, err := glob.Compile(globs)
	return err == nil && set.LeadsBelow(path)
}

// faultSeverity returns error, or the lowest severity that an override sets.
func faultSeverity(fault wire.DocumentFault, overrides []wire.Override) wire.Severity {
	severity := wire.Error
	for _, o := range overrides {
		if o.Rule != fault.Rule || o.Pointer != "*" && o.Pointer != fault.Pointer {
			continue
		}
		if o.Severity != wire.Inherit && o.Severity < severity {
			severity = o.Severity
		}
	}
	return severity
}

func faultRange(path string, fault wire.DocumentFault) wire.Range {
	switch {
	case fault.Pointer != "":
		return wire.Range{Path: path, Pointer: fault.Pointer}
	case fault.Bytes:
		return wire.Range{Path: path, Bytes: true, Start: fault.Start, End: fault.End}
	}
	return wire.Range{Path: path, Line: fault.Line}
}

// faultPlace uses the byte range that the builder recorded. If the text is not available, only the line is known.
func faultPlace(resolver *Resolver, doc *wire.Document, fault wire.DocumentFault) finding.Place {
	if fault.Line == 0 {
		return finding.Place{Path: doc.Path}
	}
	t := resolver.text(doc.Path)
	if t != nil && !fault.Bytes && fault.Line > 1 {
		if place := resolver.Place(wire.Range{Path: doc.Path, Line: fault.Line}); place.Line > 0 {
			return place
		}
		t = nil // the text was not passed on, because it cannot be decoded
	}
	if t == nil || fault.Start < 0 || fault.Start > fault.End || fault.End > len(t.text) {
		return finding.Place{Path: doc.Path, Line: fault.Line, Column: 1, EndLine: fault.Line, EndColumn: 1}
	}
	return t.place(doc.Path, fault.Start, fault.End)
}

func compareFindings(a, b finding.Finding) int {
	return cmp.Or(
		cmp.Compare(a.Place.Path, b.Place.Path),
		cmp.Compare(a.Place.Start, b.Place.Start),
		cmp.Compare(a.Place.Line, b.Place.Line),
		cmp.Compare(b.Severity, a.Severity),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Subject, b.Subject),
		cmp.Compare(a.Key, b.Key),
		cmp.Compare(a.Message, b.Message),
	)
}

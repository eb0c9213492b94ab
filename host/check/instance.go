package check

import (
	"strconv"
	"unicode/utf8"

	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

// newInstance returns what a worker found the form of a result: paths from the
// anchor, rules with their plugin, ids and fingerprints, and remedies as safe as they
// are granted to be.
func newInstance(p *Party, root string, r *exchange.Reply) result.Instance {
	i := result.Instance{Plugin: p.Name, Root: root, Detections: r.Detections, Found: r.Findings}
	n := &namer{Party: p, root: root, folded: finding.Fold(p.Manifest, r.Findings), ids: map[string]int{}}
	for at := range r.Findings {
		i.Diagnostics = append(i.Diagnostics, n.diagnostic(&r.Findings[at]))
	}
	for _, remedy := range r.Recoveries {
		i.Recoveries = append(i.Recoveries, n.remedy(nil, remedy, result.ID(p.Name, root, "recovery", remedy.Subject, remedy.Title)))
	}
	return i
}

// A namer gives what was found in one instance its ids.
type namer struct {
	*Party
	root   string
	folded []finding.Finding
	ids    map[string]int // how often each was given
}

// remedy is one of a finding, or a recovery if f is nil.
func (n *namer) remedy(f *finding.Finding, r wire.Remedy, id string) result.Remedy {
	out := result.Remedy{ID: distinct(n.ids, id), Remedy: r, Doubt: finding.Doubt(f, &r, n.folded)}
	if out.Doubt != "" {
		out.Safety = wire.Review
	}
	return out
}

func (n *namer) diagnostic(f *finding.Finding) result.Diagnostic {
	plugin, root := n.Name, n.root
	d := result.Diagnostic{
		Rule: plugin + "/" + f.Rule, Severity: f.Severity, Subject: f.Subject, Key: f.Key,
		Place: newPlace(root, f.Place), Message: f.Message,
		Fingerprint: result.ID(plugin, f.Rule, slashpath.Join(root, f.Place.Path), f.Subject, f.Key),
		Found:       f,
	}
	for at, r := range f.Related {
		d.Related = append(d.Related, result.Related{Place: newPlace(root, f.RelatedPlaces[at]), Message: r.Message})
	}
	for _, r := range f.Remedies {
		d.Remedies = append(d.Remedies, n.remedy(f, r, result.ID(d.Fingerprint, r.Title)))
	}
	return d
}

// distinct keeps two remedies of one instance from sharing an id.
func distinct(ids map[string]int, id string) string {
	ids[id]++
	if n := ids[id]; n > 1 {
		return id + "-" + strconv.Itoa(n)
	}
	return id
}

func newPlace(root string, p finding.Place) result.Place {
	out := result.Place{
		Path: slashpath.Join(root, p.Path), Line: p.Line, Column: p.Column,
		EndLine: p.EndLine, EndColumn: p.EndColumn, Excerpt: p.Excerpt,
	}
	out.ExcerptFrom = byteOf(p.Excerpt, p.Column)
	out.ExcerptEnd = len(p.Excerpt)
	if p.EndLine == p.Line {
		out.ExcerptEnd = max(byteOf(p.Excerpt, p.EndColumn), out.ExcerptFrom)
	}
	return out
}

// byteOf returns the byte at which the 1-based column of a line begins.
func byteOf(line string, column int) int {
	at := 0
	for ; column > 1 && at < len(line); column-- {
		_, n := utf8.DecodeRuneInString(line[at:])
		at += n
	}
	return at
}

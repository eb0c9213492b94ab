package host

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/host/examine"
	"github.com/stategate/stategate/sdk/snapshot"
	"github.com/stategate/stategate/sdk/wire"
)

// newInstance gives what a worker found the form of a result: paths from the
// anchor, rules with their plugin, ids and fingerprints, and remedies as safe as they
// are granted to be.
func newInstance(p *party, root string, r *examine.Reply) Instance {
	i := Instance{Plugin: p.Name, Root: root, Detections: r.Detections, found: r.Findings}
	n := &namer{party: p, root: root, folded: snapshot.Fold(p.Manifest, r.Findings), ids: map[string]int{}}
	for at := range r.Findings {
		i.Diagnostics = append(i.Diagnostics, n.diagnostic(&r.Findings[at]))
	}
	for _, remedy := range r.Recoveries {
		i.Recoveries = append(i.Recoveries, n.remedy(nil, remedy, hash(p.Name, root, "recovery", remedy.Subject, remedy.Title)))
	}
	return i
}

// A namer gives what was found in one instance its ids.
type namer struct {
	*party
	root   string
	folded []snapshot.Finding
	ids    map[string]int // how often each was given
}

// remedy is one of a finding, or a recovery if f is nil.
func (n *namer) remedy(f *snapshot.Finding, r wire.Remedy, id string) Remedy {
	out := Remedy{ID: distinct(n.ids, id), Remedy: r, Doubt: snapshot.Doubt(f, &r, n.folded)}
	if out.Doubt != "" {
		out.Safety = wire.Review
	}
	return out
}

func (n *namer) diagnostic(f *snapshot.Finding) Diagnostic {
	plugin, root := n.Name, n.root
	d := Diagnostic{
		Rule: plugin + "/" + f.Rule, Severity: f.Severity, Subject: f.Subject, Key: f.Key,
		Place: newPlace(root, f.Place), Message: f.Message,
		Fingerprint: hash(plugin, f.Rule, join(root, f.Place.Path), f.Subject, f.Key),
		found:       f,
	}
	for at, r := range f.Related {
		d.Related = append(d.Related, Related{Place: newPlace(root, f.RelatedPlaces[at]), Message: r.Message})
	}
	for _, r := range f.Remedies {
		d.Remedies = append(d.Remedies, n.remedy(f, r, hash(d.Fingerprint, r.Title)))
	}
	return d
}

// hash is short, so that a person can type it, and holds no line, message or
// time, so that it stays while the fault stays.
func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// distinct keeps two remedies of one instance from sharing an id.
func distinct(ids map[string]int, id string) string {
	ids[id]++
	if n := ids[id]; n > 1 {
		return id + "-" + strconv.Itoa(n)
	}
	return id
}

func newPlace(root string, p snapshot.Place) Place {
	out := Place{
		Path: join(root, p.Path), Line: p.Line, Column: p.Column,
		EndLine: p.EndLine, EndColumn: p.EndColumn, Excerpt: p.Excerpt,
	}
	out.ExcerptFrom = byteOf(p.Excerpt, p.Column)
	out.ExcerptEnd = len(p.Excerpt)
	if p.EndLine == p.Line {
		out.ExcerptEnd = max(byteOf(p.Excerpt, p.EndColumn), out.ExcerptFrom)
	}
	return out
}

// short is the name of a rule without its workflow.
func short(rule string) string {
	_, name, _ := strings.Cut(rule, "/")
	return name
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

// join keeps the slash that ends a directory's name.
func join(root, name string) string {
	if root == "." {
		root = ""
	}
	joined := path.Join(root, name)
	if strings.HasSuffix(name, "/") && joined != "" {
		joined += "/"
	}
	return joined
}

package check

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/host/source/tree"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

// hostFinding returns a finding that the host itself reports, not a plugin.
func hostFinding(plugin, rule string, severity wire.Severity, at, message string) result.Diagnostic {
	return result.Diagnostic{
		Rule: plugin + "/" + rule, Severity: severity, Place: result.Place{Path: at}, Message: message,
		Fingerprint: result.ID(plugin, rule, at, "", ""),
	}
}

func withFinding(plugin, rule string, severity wire.Severity, at, message string) result.Instance {
	return result.Instance{Plugin: plugin, Root: at,
		Diagnostics: []result.Diagnostic{hostFinding(plugin, rule, severity, at, message)}}
}

// unreadable fails the whole instance, because a plugin that saw only some documents would draw wrong conclusions.
func unreadable(i *statefiles.Instance, source wire.Source) *fault.Failure {
	names := enumerated(i.Unseen, 1)
	switch {
	case !i.Pointers:
		return fault.Newf(fault.Source, "read %s: this clone does not have the bytes, so nothing here was "+
			"checked; %s", names, tree.FetchBytes)
	case source != wire.Worktree:
		return fault.Newf(fault.Source, "read %s: the document is a Git LFS pointer, as always in the %s; check the "+
			"working tree, or remove the document from LFS", names, source)
	}
	return fault.Newf(fault.Source, "read %s: the document is a Git LFS pointer: fetch its content (git lfs pull), "+
		"or write the document", names)
}

// maxFailedRules limits how many rules one failure names.
const maxFailedRules = 5

// ruleFailures returns one message per cause. Rules that share one of the plugin's passes fail together.
func ruleFailures(list []wire.RuleFailure) []string {
	var messages []string
	rules := map[string][]string{}
	for _, f := range list {
		if rules[f.Message] == nil {
			messages = append(messages, f.Message)
		}
		rules[f.Message] = append(rules[f.Message], f.Rule)
	}
	for i, m := range messages {
		word := "rule "
		if len(rules[m]) > 1 {
			word = "rules "
		}
		messages[i] = word + enumerated(rules[m], maxFailedRules) + ": " + m
	}
	return messages
}

// newInstance turns a worker's reply into a result: paths are relative to the workspace, rules include their plugin's
// name, findings and remedies get ids and fingerprints, and the host decides how safe each remedy is.
func newInstance(p *ActivePlugin, root string, r *exchange.Reply) *result.Instance {
	i := &result.Instance{Plugin: p.Name, Root: root, Lifecycles: p.Manifest.Lifecycles, Detections: r.Detections,
		Chooses: r.Chooses, Found: r.Findings}
	n := &namer{ActivePlugin: p, root: root, folded: finding.Fold(p.Manifest, r.Findings), ids: map[string]int{}}
	for at := range r.Findings {
		i.Diagnostics = append(i.Diagnostics, n.diagnostic(&r.Findings[at]))
	}
	for _, remedy := range r.Recoveries {
		i.Recoveries = append(i.Recoveries, n.remedy(nil, remedy,
			result.ID(p.Name, root, "recovery", remedy.Subject, remedy.Title)))
	}
	return i
}

// A namer assigns ids to the findings and remedies of one state directory.
type namer struct {
	*ActivePlugin
	root   string
	folded []finding.Finding
	ids    map[string]int // number of times that each id was assigned
}

// remedy converts a remedy of f, or a recovery if f is nil. Two remedies never share an id.
func (n *namer) remedy(f *finding.Finding, r wire.Remedy, id string) result.Remedy {
	if n.ids[id]++; n.ids[id] > 1 {
		id += "-" + strconv.Itoa(n.ids[id])
	}
	out := result.Remedy{ID: id, Remedy: r, ReviewReason: finding.ReviewReason(f, &r, n.folded)}
	if out.ReviewReason != "" {
		out.Safety = wire.Review
	}
	return out
}

func (n *namer) diagnostic(f *finding.Finding) result.Diagnostic {
	id := func(rule string) string {
		return result.ID(n.Name, rule, slashpath.Join(n.root, f.Place.Path), f.Subject, f.Key)
	}
	d := result.Diagnostic{
		Rule: n.Name + "/" + f.Rule, Severity: f.Severity, Subject: f.Subject, Run: f.Run, Blocks: f.Blocks,
		Key: f.Key, Place: newPlace(n.root, f.Place), Message: f.Message, Fingerprint: id(f.Rule), Found: f,
	}
	for _, former := range n.formerNames(f.Rule) {
		d.Former = append(d.Former, id(former))
	}
	for at, r := range f.Related {
		d.Related = append(d.Related, result.Related{Place: newPlace(n.root, f.RelatedPlaces[at]), Message: r.Message})
	}
	for _, r := range f.Remedies {
		out := n.remedy(f, r, result.ID(d.Fingerprint, r.Title))
		for _, former := range d.Former {
			out.Former = append(out.Former, result.ID(former, r.Title))
		}
		d.Remedies = append(d.Remedies, out)
	}
	return d
}

func (n *namer) formerNames(rule string) []string {
	for i := range n.Manifest.Rules {
		if r := &n.Manifest.Rules[i]; r.Name == rule {
			return r.Replaces
		}
	}
	return nil
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

func byteOf(line string, column int) int {
	at := 0
	for ; column > 1 && at < len(line); column-- {
		_, n := utf8.DecodeRuneInString(line[at:])
		at += n
	}
	return at
}

func enumerated(list []string, most int) string {
	text := strings.Join(list[:min(len(list), most)], ", ")
	if more := len(list) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

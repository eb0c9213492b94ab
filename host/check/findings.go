package check

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/slashpath"
	"github.com/stategate/stategate/host/source/discover"
	"github.com/stategate/stategate/host/source/statefiles"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/wire"
)

// hostFinding is a finding that the host makes without asking a plugin.
func hostFinding(plugin, rule string, severity wire.Severity, at, message string) result.Diagnostic {
	return result.Diagnostic{
		Rule: plugin + "/" + rule, Severity: severity, Place: result.Place{Path: at}, Message: message,
		Fingerprint: result.ID(plugin, rule, at, "", ""),
	}
}

// withFinding is an instance of which nothing is known but one finding.
func withFinding(plugin, rule string, severity wire.Severity, at, message string) result.Instance {
	return result.Instance{Plugin: plugin, Root: at,
		Diagnostics: []result.Diagnostic{hostFinding(plugin, rule, severity, at, message)}}
}

// unreadable is the failure of documents that are there by name only: what
// the plugin finds in the others says nothing about them.
func unreadable(i *statefiles.Instance, source wire.Source) *fault.Failure {
	names := enumerated(i.Unseen, 1)
	switch {
	case !i.Pointers:
		return fault.Newf(fault.Source, "read %s: this clone does not have the bytes: fetch them (git fetch "+
			"--refetch --no-filter), or check the work tree", names)
	case source != wire.Worktree:
		return fault.Newf(fault.Source, "read %s: the document is a Git LFS pointer, as always in the %s: check the "+
			"work tree, or take the document out of LFS", names, source)
	}
	return fault.Newf(fault.Source, "read %s: the document is a Git LFS pointer: fetch its content (git lfs pull), "+
		"or write the document", names)
}

// nameOf returns the last component of a root; of the workspace itself, that of its directory.
func (s *Session) nameOf(root string) string {
	if root == "." {
		return filepath.Base(s.Workspace.Path)
	}
	return path.Base(root)
}

// maxFailedRules bounds how many rules one failure names.
const maxFailedRules = 5

// ruleFailures says why rules failed, once for all that failed for one reason:
// rules that one pass of the plugin serves fail together.
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

// newInstance makes a result of what a worker found: paths from the workspace, rules with their plugin, ids and
// fingerprints, and remedies as safe as they are granted to be.
func newInstance(p *ActivePlugin, root string, r *exchange.Reply) *result.Instance {
	i := &result.Instance{Plugin: p.Name, Root: root, Detections: r.Detections, Found: r.Findings}
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

// A namer assigns ids to what was found in one state directory.
type namer struct {
	*ActivePlugin
	root   string
	folded []finding.Finding
	ids    map[string]int // how often each was given
}

// remedy is one of a finding, or a recovery if f is nil. Two remedies never share an id.
func (n *namer) remedy(f *finding.Finding, r wire.Remedy, id string) result.Remedy {
	if n.ids[id]++; n.ids[id] > 1 {
		id += "-" + strconv.Itoa(n.ids[id])
	}
	out := result.Remedy{ID: id, Remedy: r, Doubt: finding.Doubt(f, &r, n.folded)}
	if out.Doubt != "" {
		out.Safety = wire.Review
	}
	return out
}

func (n *namer) diagnostic(f *finding.Finding) result.Diagnostic {
	d := result.Diagnostic{
		Rule: n.Name + "/" + f.Rule, Severity: f.Severity, Subject: f.Subject, Key: f.Key,
		Place: newPlace(n.root, f.Place), Message: f.Message,
		Fingerprint: result.ID(n.Name, f.Rule, slashpath.Join(n.root, f.Place.Path), f.Subject, f.Key),
		Found:       f,
	}
	for at, r := range f.Related {
		d.Related = append(d.Related, result.Related{Place: newPlace(n.root, f.RelatedPlaces[at]), Message: r.Message})
	}
	for _, r := range f.Remedies {
		d.Remedies = append(d.Remedies, n.remedy(f, r, result.ID(d.Fingerprint, r.Title)))
	}
	return d
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

// intersect makes one reply of those against several bases, of which a merge has one for each parent: a finding stands
// if it stands against every base, as mildly as it does against any. What could not be checked against one was not
// checked. Everything else is as the first base has it.
func intersect(replies []*exchange.Reply) *exchange.Reply {
	all := *replies[0]
	for _, r := range replies[1:] {
		all.Findings = shared(all.Findings, r.Findings)
		all.RuleFailures = union(all.RuleFailures, r.RuleFailures)
		all.Refused = union(all.Refused, r.Refused)
		all.Failure = cmp.Or(all.Failure, r.Failure)
	}
	return &all
}

func union[T comparable](a, b []T) []T {
	a = slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(a, x) {
			a = append(a, x)
		}
	}
	return a
}

// A findingKey tells what is found in a state directory from anything else that is found there.
type findingKey struct{ rule, path, subject, key string }

func keyOf(f *finding.Finding) findingKey {
	return findingKey{f.Rule, f.Place.Path, f.Subject, f.Key}
}

// shared keeps of list what others have as well, as often as they have it.
func shared(list, others []finding.Finding) (kept []finding.Finding) {
	has := map[findingKey][]wire.Severity{}
	for i := range others {
		k := keyOf(&others[i])
		has[k] = append(has[k], others[i].Severity)
	}
	for _, f := range list {
		if k := keyOf(&f); len(has[k]) > 0 {
			f.Severity = min(f.Severity, has[k][0])
			has[k] = has[k][1:]
			kept = append(kept, f)
		}
	}
	return kept
}

// A runID is the run that a state directory says it is.
type runID struct{ plugin, identity string }

// An identified is a state directory that says which run it is.
type identified struct {
	discover.Instance
	id      runID
	isNew   bool // there is a base, and no base has it
	inScope bool // it is part of the check
	mayCopy bool // and the change, or its first check, may have made it a copy of another one
}

func newIdentified(i discover.Instance, identity string, list []*comparison) *identified {
	run := &identified{Instance: i, id: runID{i.Plugin, identity}, isNew: true}
	for _, c := range list {
		run.isNew = run.isNew && c.Past.State == wire.BaseNew
		run.mayCopy = run.mayCopy || c.Past.State != wire.BaseAt
	}
	return run
}

// duplicates reports runs that are kept in two places. Where not everything is checked, the other places are
// examined, too, if a run that is checked may be a copy.
func (s *Session) duplicates(ctx context.Context, list []*identified) error {
	if len(list) > 0 && s.partial() {
		others, err := s.others(ctx, list)
		if err != nil {
			return err
		}
		list = append(list, others...)
	}
	slices.SortFunc(list, func(a, b *identified) int { return discover.ComparePaths(a.Root, b.Root) })
	same := map[runID][]*identified{}
	for _, run := range list {
		same[run.id] = append(same[run.id], run)
	}
	for _, copies := range same {
		if len(copies) > 1 {
			s.duplicate(copies)
		}
	}
	return nil
}

// partial reports whether there may be state directories that are not checked.
func (s *Session) partial() bool { return s.Options.Changed || !s.Workspace.IsWhole() }

// duplicate reports the copies of a run, sorted by path, but for the one that stays: the first that is not new. If no
// other is part of the check, it is reported itself.
func (s *Session) duplicate(copies []*identified) {
	stays := max(0, slices.IndexFunc(copies, func(run *identified) bool { return !run.isNew }))
	reported := false
	for i, run := range copies {
		if i != stays && run.inScope {
			s.reportDuplicate(run, copies[stays])
			reported = true
		}
	}
	if run := copies[stays]; !reported && run.inScope && run.mayCopy {
		s.reportDuplicate(run, copies[(stays+1)%len(copies)])
	}
}

func (s *Session) reportDuplicate(run, other *identified) {
	noun := s.Plugins[run.Plugin].Manifest.Identity
	d := hostFinding(run.Plugin, wire.RuleDuplicate, wire.Error, run.Root,
		fmt.Sprintf("this is the %s %q, and so is %s: keep one of the two directories, or make this one a %s of its "+
			"own", noun, run.id.identity, other.Root, noun))
	d.Related = []result.Related{{Place: result.Place{Path: other.Root}, Message: "the same " + noun}}
	for n := range s.result.Instances {
		if i := &s.result.Instances[n]; i.Plugin == run.Plugin && i.Root == run.Root {
			i.Diagnostics = append(i.Diagnostics, d)
			return
		}
	}
}

// others examines the state directories that are not checked, of plugins of which a run that is checked may be a copy.
func (s *Session) others(ctx context.Context, list []*identified) (others []*identified, err error) {
	known, wanted := map[discover.Instance]bool{}, map[string]bool{}
	for _, run := range list {
		known[run.Instance] = true
		wanted[run.Plugin] = wanted[run.Plugin] || run.mayCopy
	}
	q := s.query(s.tree)
	q.Only, q.Ignores = nil, s.rules
	q.Plugins = slices.DeleteFunc(q.Plugins, func(p discover.Plugin) bool { return !wanted[p.Name] })
	if len(q.Plugins) == 0 {
		return nil, nil
	}
	found, err := discover.Find(ctx, q)
	if err != nil {
		return nil, err
	}
	var lock sync.Mutex
	rest := slices.DeleteFunc(found.Instances, func(i discover.Instance) bool { return known[i] })
	s.each(rest, func(i discover.Instance) {
		run, err := s.identify(ctx, i)
		lock.Lock()
		defer lock.Unlock()
		if err != nil {
			s.note(fmt.Sprintf("%s could not be examined, so it is unknown whether it is also the %s of another "+
				"directory: %v", i.Root, s.Plugins[i.Plugin].Manifest.Identity, err))
		} else if run.id.identity != "" {
			others = append(others, run)
		}
	})
	return others, nil
}

// identify asks a state directory for its identity and nothing else.
func (s *Session) identify(ctx context.Context, i discover.Instance) (*identified, error) {
	p := s.Plugins[i.Plugin]
	now, err := s.collector.Read(ctx, p.specs, i.Root)
	if err != nil {
		return nil, err
	}
	list, err := s.comparisons(ctx, p, now)
	if err != nil {
		return nil, err
	}
	reply, err := s.verdict(ctx, list[0])
	if err != nil {
		return nil, err
	}
	return newIdentified(i, reply.Identity, list), nil
}

// identified returns what a checked state directory says it is, nil if it does not.
func (s *Session) identified(ctx context.Context, i discover.Instance, identity string,
	list []*comparison) *identified {
	if identity == "" {
		return nil
	}
	run := newIdentified(i, identity, list)
	run.inScope = true
	run.mayCopy = run.mayCopy || s.partial() && s.renamed(ctx, identity, list[0])
	return run
}

// renamed reports whether a state directory that the base has says that it is another run now.
func (s *Session) renamed(ctx context.Context, identity string, c *comparison) bool {
	if c.Past.Unchanged(c.Now) {
		return false
	}
	reply, err := s.alone(ctx, c.ActivePlugin, &c.Past.Instance)
	return err == nil && reply.Identity != identity
}

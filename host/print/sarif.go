package print

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// notLookedAt is the id of the result that stands for a failure. A consumer
// that reads results alone must not take their absence for an open gate.
const notLookedAt = "stategate/not-looked-at"

const sarifBase = "%SRCROOT%"

// SARIF writes a result as SARIF 2.1.0. A failure is a notification of an
// execution that was not successful, and a result of kind open.
func SARIF(w io.Writer, r *result.Result, o Options) error {
	s := &sarif{how: o, index: map[string]int{}}
	s.declare(r)
	return encode(w, sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0",
		Runs: []sarifRun{{
			Tool:        s.tool(r, o),
			Invocations: []sarifInvocation{sarifInvoked(r, o)},
			OriginalURIBaseIDs: map[string]sarifDescription{
				sarifBase: {sarifText{Text: "the top of the git repository, or the directory that was checked"}},
			},
			Results:    s.results(r),
			ColumnKind: "unicodeCodePoints",
			Properties: sarifRunProperties{string(r.Gate(o.FailOn)), r.Source.String(), r.Revision, list(r.Base), r.Policy},
		}},
	})
}

// sarif gathers the rules of a log.
type sarif struct {
	how   Options
	rules []sarifRule
	index map[string]int // in rules, by id
}

// declare takes in the rules of every plugin that accepted an instance.
func (s *sarif) declare(r *result.Result) {
	for _, p := range r.Plugins {
		if !slices.ContainsFunc(r.Instances, func(i result.Instance) bool { return i.Plugin == p.Name }) {
			continue
		}
		for _, rule := range slices.Concat(p.Manifest.Rules, result.Rules()) {
			s.add(p.Name, rule)
		}
	}
	if len(r.Failures) > 0 {
		s.add("stategate", wire.Rule{Name: "not-looked-at", Severity: wire.Error, Doc: "Something could not be checked, so nothing is known about it.\n\nThis is not a finding about the repository. It is listed among the results so that an incomplete report is never read as clean."})
	}
}

func (s *sarif) add(plugin string, r wire.Rule) {
	id := plugin + "/" + r.Name
	s.index[id] = len(s.rules)
	s.rules = append(s.rules, sarifRule{
		ID: id, Name: pascal(r.Name),
		ShortDescription: sarifText{Text: Safe(title(r.Doc))},
		FullDescription:  sarifText{Text: safeText(r.Doc)},
		Help:             sarifText{Text: safeText(r.Doc), Markdown: markdown(r.Doc)},
		Default:          sarifConfiguration{sarifLevel(r.Severity)},
		Properties:       sarifRuleProperties{[]string{"workflow-state", plugin}, "very-high", sarifProblem(r.Severity)},
	})
}

func (s *sarif) tool(r *result.Result, o Options) sarifTool {
	t := sarifTool{Driver: sarifComponent{
		Name: "stategate", Version: strings.TrimPrefix(o.Version, "v"), InformationURI: "https://github.com/stategate/stategate", Rules: s.rules,
	}}
	for _, p := range r.Plugins {
		t.Extensions = append(t.Extensions, sarifComponent{
			Name: Safe(p.Name), Version: Safe(p.Manifest.Version), ShortDescription: &sarifText{Text: Safe(title(p.Manifest.Doc))},
			Properties: &sarifComponentProperties{p.SHA256()},
		})
	}
	return t
}

func (s *sarif) results(r *result.Result) []sarifResult {
	out := []sarifResult{}
	for n := range r.Instances {
		i := &r.Instances[n]
		for at := range i.Diagnostics {
			out = append(out, s.result(i, &i.Diagnostics[at]))
		}
		for _, d := range i.Suppressed {
			res := s.result(i, &d.Diagnostic)
			res.Suppressions = &[]sarifSuppression{{"external", "accepted", justification(&d)}}
			out = append(out, res)
		}
	}
	for _, f := range r.Failures {
		out = append(out, s.unknown(&f))
	}
	if r.Summary().Suppressed > 0 {
		sayUnsuppressed(out)
	}
	return out
}

func justification(d *result.Suppressed) string {
	if d.Why == result.Known {
		return "in the baseline"
	}
	return safeText(d.Reason)
}

// sayUnsuppressed: the standard wants all results of a run to say whether they are
// suppressed, or none.
func sayUnsuppressed(results []sarifResult) {
	for i := range results {
		if results[i].Suppressions == nil {
			results[i].Suppressions = &[]sarifSuppression{}
		}
	}
}

func (s *sarif) result(i *result.Instance, d *result.Diagnostic) sarifResult {
	out := sarifResult{
		RuleID: d.Rule, RuleIndex: s.indexOf(d.Rule), Kind: "fail", Level: sarifLevel(d.Severity),
		Message:             s.message(i, d),
		Locations:           []sarifLocation{sarifPlace(d.Place)},
		PartialFingerprints: map[string]string{"stategate/v1": d.Fingerprint},
		Properties:          sarifResultProperties{Plugin: i.Plugin, Root: Safe(i.Root), Subject: Safe(d.Subject)},
	}
	for n, rel := range d.Related {
		at := sarifPlace(rel.Place)
		at.ID, at.Message = n+1, &sarifText{Text: unlinked(Safe(rel.Message))}
		out.RelatedLocations = append(out.RelatedLocations, at)
	}
	for n := range d.Remedies {
		rem := &d.Remedies[n]
		out.Properties.Remedies = append(out.Properties.Remedies, s.how.remedy(rem))
		if text, ok := d.Patch(rem); ok {
			out.Fixes = append(out.Fixes, sarifFixed(d.Place, rem.Title, text))
		}
	}
	for _, rec := range recoveriesOf(i, d) {
		out.Properties.Recoveries = append(out.Properties.Recoveries, s.how.remedy(&rec))
	}
	return out
}

// sarifFixed is a fix that puts a text in a place.
func sarifFixed(at result.Place, title, text string) sarifFix {
	place := sarifPlace(at).Physical
	return sarifFix{
		Description: sarifText{Text: unlinked(Safe(title))},
		Changes: []sarifChange{{
			Artifact:     place.Artifact,
			Replacements: []sarifReplacement{{Deleted: *place.Region, Inserted: sarifContent{text}}},
		}},
	}
}

// unknown is the result that stands for a failure.
func (s *sarif) unknown(f *result.Failure) sarifResult {
	return sarifResult{
		RuleID: notLookedAt, RuleIndex: s.indexOf(notLookedAt), Kind: "open", Level: "none",
		Message:             sarifText{Text: unlinked(failureText(f))},
		Locations:           []sarifLocation{sarifPlace(result.Place{Path: f.Root})}, // code scanning wants one, if only the top
		PartialFingerprints: map[string]string{"stategate/v1": failureFingerprint(f)},
		Properties:          sarifResultProperties{Plugin: Safe(f.Plugin), Root: Safe(f.Root)},
	}
}

// indexOf returns where a rule stands among the declared ones, -1 for nowhere.
func (s *sarif) indexOf(rule string) int {
	if i, ok := s.index[rule]; ok {
		return i
	}
	return -1
}

// message says what is wrong, where else to look, and how to repair it. Some
// viewers show related places only where the message links to them.
func (s *sarif) message(i *result.Instance, d *result.Diagnostic) sarifText {
	var b strings.Builder
	b.WriteString(unlinked(Safe(d.Message)))
	for n, rel := range d.Related {
		b.WriteString("\n[see](" + strconv.Itoa(n+1) + ") " + unlinked(Safe(rel.Place.String())+": "+Safe(rel.Message)))
	}
	for _, cure := range s.how.cures(i, d) {
		b.WriteString("\n" + unlinked(cure))
	}
	return sarifText{Text: b.String()}
}

// unlinked keeps a text from being read as a link, whose form is "[text](id)".
func unlinked(s string) string { return strings.ReplaceAll(s, "](", "] (") }

func sarifInvoked(r *result.Result, o Options) sarifInvocation {
	v := sarifInvocation{ExecutionSuccessful: len(r.Failures) == 0, ToolExecutionNotifications: []sarifNotification{}}
	switch r.Gate(o.FailOn) {
	case result.Closed:
		v.ExitCode = 1
	case result.Broken:
		v.ExitCode = 3
	}
	for _, f := range r.Failures {
		n := sarifNotification{
			Descriptor: sarifReference{"stategate/" + Safe(string(f.Kind))},
			Locations:  sarifFailurePlace(&f), Message: sarifText{Text: unlinked(failureText(&f))}, Level: "error",
			Properties: &sarifNotificationProperties{Safe(f.Plugin), safeText(f.Stderr)},
		}
		v.ToolExecutionNotifications = append(v.ToolExecutionNotifications, n)
	}
	for _, text := range o.notes(r) {
		n := sarifNotification{Descriptor: sarifReference{"stategate/left-out"}, Message: sarifText{Text: unlinked(text)}, Level: "note"}
		v.ToolExecutionNotifications = append(v.ToolExecutionNotifications, n)
	}
	return v
}

func sarifPlace(p result.Place) sarifLocation {
	at := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{relativeURI(p.Path), sarifBase}}}
	if p.Line > 0 {
		at.Physical.Region = &sarifRegion{p.Line, p.Column, p.EndLine, p.EndColumn}
	}
	return at
}

func sarifFailurePlace(f *result.Failure) []sarifLocation {
	if f.Root == "" {
		return nil
	}
	return []sarifLocation{sarifPlace(result.Place{Path: f.Root})}
}

func sarifLevel(s wire.Severity) string {
	switch s {
	case wire.Error:
		return "error"
	case wire.Warning:
		return "warning"
	}
	return "note"
}

// sarifProblem is the word that GitHub sorts alerts by.
func sarifProblem(s wire.Severity) string {
	if s == wire.Info {
		return "recommendation"
	}
	return s.String()
}

// pascal spells a rule's name as the standard asks for: round-gap is RoundGap.
func pascal(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "-") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return Safe(b.String())
}

// relativeURI returns a slash-separated path as a relative reference of RFC 3986.
// Bytes other than unreserved ones are percent-encoded, those of names that are
// not UTF-8 and a colon, which would read as a scheme, too.
func relativeURI(path string) string {
	if path == "" || path == "." {
		return "./"
	}
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(path) {
		if c := path[i]; unreserved(c) || c == '/' {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}

func unreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

package print

import (
	"io"
	"net/url"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// notChecked is the id of the result for a failure. A consumer that reads only results must not take their absence
// for an open gate.
const notChecked = "stategate/not-checked"

const sarifBase = "%SRCROOT%"

// An object is a SARIF 2.1.0 object. Its keys come from the standard.
type object = map[string]any

// SARIF writes a result as SARIF 2.1.0. A failure appears twice: as a notification of an unsuccessful execution, and
// as a result of kind open.
func SARIF(w io.Writer, r *result.Result, o Options) error {
	s := &sarif{how: o, index: map[string]int{}, known: rulesByID(r.Plugins)}
	s.known[notChecked] = wire.Rule{Severity: wire.Error,
		Doc: "Something could not be checked, so nothing is known about it.\n\nThis is not a finding about the " +
			"repository. It is listed among the results so that an incomplete report is never read as clean."}
	results := s.results(r)
	properties := object{"gate": r.Gate(o.FailOn), "source": r.Source.String(), "base": some(r.Base),
		"scope": r.Scope()}
	setText(properties, "revision", r.Revision)
	setText(properties, "policy", r.Policy)
	return encode(w, object{
		"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		"version": "2.1.0",
		"runs": []object{{
			"tool":        s.tool(r),
			"invocations": []object{s.invocation(r)},
			"originalUriBaseIds": object{sarifBase: object{"description": message("the git repository's top " +
				"directory, or the checked directory")}},
			"results":    results,
			"columnKind": "unicodeCodePoints",
			"properties": properties,
		}},
	})
}

// sarif collects the rules that results name. Listing all rules of all plugins would make up most of the log.
type sarif struct {
	how   Options
	known map[string]wire.Rule // by id
	rules []object
	index map[string]int // index in rules, by id
}

func setText(o object, name, text string) {
	if text != "" {
		o[name] = Safe(text)
	}
}

func setList[T any](o object, name string, list []T) {
	if len(list) > 0 {
		o[name] = list
	}
}

func message(text string) object { return object{"text": text} }

// indexOf returns a rule's index in the log, or -1 if no plugin declares it.
func (s *sarif) indexOf(id string) int {
	if i, ok := s.index[id]; ok {
		return i
	}
	r, ok := s.known[id]
	if !ok {
		return -1
	}
	plugin, _, _ := strings.Cut(id, "/")
	s.index[id] = len(s.rules)
	level := object{"level": sarifLevel(r.Severity)}
	if r.OffByDefault {
		level["enabled"] = false
	}
	rule := object{
		"id":                   id,
		"shortDescription":     message(Safe(title(r.Doc))),
		"fullDescription":      message(safeText(r.Doc)),
		"help":                 message(safeText(r.Doc)),
		"defaultConfiguration": level,
		"properties": object{"tags": []string{"workflow-state", plugin}, "precision": "very-high",
			"problem.severity": worded(r.Severity, "error", "warning", "recommendation")},
	}
	if r.URL != "" {
		rule["helpUri"] = Safe(r.URL)
	}
	s.rules = append(s.rules, rule)
	return s.index[id]
}

func (s *sarif) tool(r *result.Result) object {
	driver := object{"name": "stategate", "version": strings.TrimPrefix(s.how.Version, "v"),
		"informationUri": "https://github.com/stategate/stategate"}
	setList(driver, "rules", s.rules)
	tool := object{"driver": driver}
	setList(tool, "extensions", each(r.Plugins, func(p **plugin.Plugin) object {
		m := (*p).Manifest
		return object{"name": Safe((*p).Name), "version": Safe(m.Version),
			"shortDescription": message(Safe(title(m.Doc))), "properties": object{"sha256": (*p).SHA256()}}
	}))
	return tool
}

// results returns the SARIF results. The standard requires that either all or none of them state whether they are
// suppressed.
func (s *sarif) results(r *result.Result) []object {
	out := []object{}
	add := func(res object, suppressions ...object) {
		if r.Summary().Suppressed > 0 {
			res["suppressions"] = append([]object{}, suppressions...)
		}
		out = append(out, res)
	}
	for n := range r.Instances {
		i := &r.Instances[n]
		for at := range i.Diagnostics {
			add(s.result(i, &i.Diagnostics[at]))
		}
		for _, d := range i.Suppressed {
			why := "in the baseline"
			if d.Why != result.InBaseline {
				why = safeText(d.Reason)
			}
			add(s.result(i, &d.Diagnostic), object{"kind": "external", "status": "accepted", "justification": why})
		}
	}
	for _, f := range r.Failures {
		add(s.unknown(&f))
	}
	return out
}

func (s *sarif) result(i *result.Instance, d *result.Diagnostic) object {
	properties := object{"plugin": i.Plugin, "root": Safe(i.Root)}
	setText(properties, "subject", d.Subject)
	out := s.about(d.Rule, "fail", sarifLevel(d.Severity), s.message(i, d), d.Place, d.Fingerprint, properties)
	var places []object
	for n, rel := range d.Related {
		at := sarifPlace(rel.Place)
		at["id"], at["message"] = n+1, message(unlinked(Safe(rel.Message)))
		places = append(places, at)
	}
	setList(out, "relatedLocations", places)
	setList(properties, "remedies", each(d.Remedies, s.how.jsonRemedy))
	setList(properties, "recoveries", each(i.RecoveriesOf(d), s.how.jsonRemedy))
	return out
}

func (s *sarif) about(rule, kind, level, text string, at result.Place, fingerprint string, properties object) object {
	return object{
		"ruleId": rule, "ruleIndex": s.indexOf(rule), "kind": kind, "level": level, "message": message(text),
		"locations":           []object{sarifPlace(at)}, // code scanning requires a location, if only the top directory
		"partialFingerprints": object{"stategate/v1": fingerprint},
		"properties":          properties,
	}
}

func (s *sarif) unknown(f *result.Failure) object {
	properties := object{"plugin": Safe(f.Plugin), "root": Safe(f.Root)}
	return s.about(notChecked, "open", "none", unlinked(failureText(f)), result.Place{Path: f.Root},
		failureFingerprint(f), properties)
}

// message describes the problem, related locations and the fixes. Some viewers show related locations only if the
// message links to them.
func (s *sarif) message(i *result.Instance, d *result.Diagnostic) string {
	var b strings.Builder
	b.WriteString(unlinked(Safe(d.Message)))
	for n, rel := range d.Related {
		b.WriteString("\n[see](" + strconv.Itoa(n+1) + ") " + unlinked(Safe(rel.Place.String())+": "+Safe(rel.Message)))
	}
	for _, text := range s.how.fixTexts(i, d) {
		b.WriteString("\n" + unlinked(text))
	}
	return b.String()
}

// unlinked keeps a text from being read as a link, which has the form "[text](id)".
func unlinked(s string) string { return strings.ReplaceAll(s, "](", "] (") }

func (s *sarif) invocation(r *result.Result) object {
	notifications := []object{}
	for _, f := range r.Failures {
		n := object{"descriptor": object{"id": "stategate/" + Safe(string(f.Kind))},
			"message": message(unlinked(failureText(&f))), "level": "error"}
		if f.Root != "" {
			n["locations"] = []object{sarifPlace(result.Place{Path: f.Root})}
		}
		properties := object{}
		setText(properties, "plugin", f.Plugin)
		if f.Stderr != "" {
			properties["stderr"] = safeText(f.Stderr)
		}
		n["properties"] = properties
		notifications = append(notifications, n)
	}
	for _, text := range s.how.notes(r) {
		notifications = append(notifications, object{"descriptor": object{"id": "stategate/left-out"},
			"message": message(unlinked(text)), "level": "note"})
	}
	return object{
		"exitCode":                   r.Gate(s.how.FailOn).ExitCode(),
		"toolExecutionNotifications": notifications,
		"executionSuccessful":        len(r.Failures) == 0,
	}
}

func sarifPlace(p result.Place) object {
	at := object{"artifactLocation": object{"uri": relativeURI(p.Path), "uriBaseId": sarifBase}}
	if p.Line > 0 {
		region := object{"startLine": p.Line}
		for name, n := range map[string]int{"startColumn": p.Column, "endLine": p.EndLine, "endColumn": p.EndColumn} {
			if n > 0 {
				region[name] = n
			}
		}
		at["region"] = region
	}
	return object{"physicalLocation": at}
}

func sarifLevel(s wire.Severity) string { return worded(s, "error", "warning", "note") }

// relativeURI returns a slash-separated path as an RFC 3986 relative reference. An unescaped colon would be read as a
// scheme.
func relativeURI(name string) string {
	if name == "" || name == "." {
		return "./"
	}
	return strings.ReplaceAll((&url.URL{Path: name}).EscapedPath(), ":", "%3A")
}

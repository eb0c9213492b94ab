package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

func printedAs(t *testing.T, format string, r *result.Result) string {
	t.Helper()
	var b strings.Builder
	f, err := checkFormats.named(format)
	if err != nil {
		t.Fatal(err)
	}
	if err := printAs(&b, f, r, print.Options{FailOn: wire.Error, Version: "1"}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// samples contains a result for every state of the gate.
func samples(t *testing.T) map[string]*result.Result {
	t.Helper()
	closed := full(t)
	closed.Failures = nil
	closed.Instances[0].Diagnostics[0].Severity = wire.Error
	accepted := full(t)
	for _, d := range accepted.Instances[0].Diagnostics {
		accepted.Instances[0].Suppressed = append(accepted.Instances[0].Suppressed,
			result.Suppressed{Diagnostic: d, Why: result.Ignored, Reason: hostile},
			result.Suppressed{Diagnostic: d, Why: result.InBaseline})
	}
	return map[string]*result.Result{"accepted": accepted, "empty": {}, "closed": closed, "broken": full(t),
		"broken alone":      {Failures: full(t).Failures},
		"broken as a whole": {Failures: []result.Failure{{Failure: fault.Failure{Kind: fault.Source, Message: "m"}}}}}
}

// TestFormats: whatever a result contains, no format emits terminal or CI commands, and the same result always gives
// the same bytes.
func TestFormats(t *testing.T) {
	for name, r := range samples(t) {
		for _, format := range checkFormats.names() {
			text := printedAs(t, format, r)
			if fault := commanding(withoutAnnotations(format, text)); fault != "" {
				t.Errorf("%s as %s holds %s", name, format, fault)
			}
			if again := printedAs(t, format, r); again != text {
				t.Errorf("%s as %s differs the second time", name, format)
			}
		}
	}
	var b strings.Builder
	if err := print.GitHubSummary(&b, full(t), print.Options{}); err != nil {
		t.Fatal(err)
	}
	if fault := commanding(b.String()); fault != "" {
		t.Errorf("the summary of the job holds %s", fault)
	}
}

// withoutAnnotations removes the lines that the github format writes as runner commands.
func withoutAnnotations(format, text string) string {
	if format != formatGitHub {
		return text
	}
	var rest strings.Builder
	for line := range strings.Lines(text) {
		if _, err := parseAnnotation(line); err != nil {
			rest.WriteString(line)
		}
	}
	return rest.String()
}

// TestFailuresShow: every format shows a failed check.
func TestFailuresShow(t *testing.T) {
	alone := &result.Result{Failures: full(t).Failures}
	marks := map[string]string{
		formatText: "the check is incomplete", "concise": "the check is incomplete",
		formatJSON: `"gate": "incomplete"`, formatGitHub: "::error ",
		"gitlab": `"severity": "blocker"`,
		"junit":  `errors="1"`, "sarif": `"executionSuccessful": false`,
	}
	skipped := &result.Result{Skipped: []result.Declined{{Plugin: "toy", Why: "git ignores all of it"}}}
	for _, format := range checkFormats.names() {
		if marks[format] == "" {
			t.Errorf("say in marks how %s shows a failure", format)
		}
		if text := printedAs(t, format, alone); !strings.Contains(text, marks[format]) {
			t.Errorf("%s does not hold %q:\n%s", format, marks[format], text)
		}
		if text := printedAs(t, format, skipped); !strings.Contains(text, "git ignores all of it") {
			t.Errorf("%s does not say what was not checked:\n%s", format, text)
		}
	}
}

// command is one workflow command, parsed like the GitHub Actions runner does.
type command struct {
	name, data string
	properties map[string]string
}

func parseAnnotation(line string) (*command, error) {
	rest, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "::")
	head, data, found := strings.Cut(rest, "::")
	if !ok || !found {
		return nil, fmt.Errorf("no command: %q", line)
	}
	name, list, _ := strings.Cut(head, " ")
	if !slices.Contains([]string{"error", "warning", "notice"}, name) {
		return nil, fmt.Errorf("the command %q", name)
	}
	unescape := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
	c := &command{name: name, data: unescape.Replace(data), properties: map[string]string{}}
	for p := range strings.SplitSeq(list, ",") {
		key, value, _ := strings.Cut(p, "=")
		c.properties[key] = unescape.Replace(value)
	}
	return c, nil
}

// TestGitHubEscapes: a hostile name or message cannot leave its annotation.
func TestGitHubEscapes(t *testing.T) {
	r := &result.Result{Instances: []result.Instance{{Plugin: "toy", Root: "a", Diagnostics: []result.Diagnostic{{
		Rule: "toy/wrong", Severity: wire.Error, Message: "50%0A::error::x\n::stop-commands::y",
		Place: result.Place{Path: "a,line=9::b%.md", Line: 2, Column: 3, EndLine: 3, EndColumn: 1},
	}}}}}
	first, _, _ := strings.Cut(printedAs(t, formatGitHub, r), "\n")
	c, err := parseAnnotation(first)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"file": "a,line=9::b%.md", "line": "2", "endLine": "3", "title": "toy/wrong"}
	if fmt.Sprint(c.properties) != fmt.Sprint(want) {
		t.Errorf("the properties are %q, expected %q", c.properties, want)
	}
	if want := `50%0A::error::x\n::stop-commands::y`; c.data != want {
		t.Errorf("the message is %q, expected %q", c.data, want)
	}
}

// TestGitHubLimits: no level has more than ten annotations, and the most severe come first. The others are counted and
// listed in the log.
func TestGitHubLimits(t *testing.T) {
	r := &result.Result{Instances: []result.Instance{{Plugin: "toy", Root: "a"}}}
	for n := range 45 {
		r.Instances[0].Diagnostics = append(r.Instances[0].Diagnostics, result.Diagnostic{
			Rule: "toy/wrong", Severity: []wire.Severity{wire.Info, wire.Warning, wire.Error}[n%3],
			Place: result.Place{Path: fmt.Sprintf("f%d", n)}, Message: "m",
		})
	}
	text := printedAs(t, formatGitHub, r)
	levels := map[string]int{}
	last := ""
	for line := range strings.Lines(text) {
		if c, err := parseAnnotation(line); err == nil {
			levels[c.name]++
			last = c.data
			if levels["warning"] > 0 && c.name == "error" {
				t.Errorf("an error after a warning: %s", line)
			}
		}
	}
	if levels["error"] != 10 || levels["warning"] != 10 || levels["notice"] != 10 {
		t.Errorf("the levels have %v, expected ten each", levels)
	}
	if !strings.Contains(last, "; 16 more are in this step's log") {
		t.Errorf("the last annotation is %q, expected the number left out", last)
	}
	for n := range 45 {
		annotated, logged := strings.Contains(text, fmt.Sprintf("file=f%d,", n)),
			strings.Contains(text, fmt.Sprintf("\nf%d: ", n))
		if !annotated && !logged {
			t.Errorf("f%d is missing", n)
		}
	}
}

// TestSummaryIsLimited: a summary has at most 1 MiB, because GitHub rejects larger ones.
func TestSummaryIsLimited(t *testing.T) {
	d := result.Diagnostic{Rule: "toy/wrong", Severity: wire.Error, Message: strings.Repeat("[x](y)", 700)}
	r := &result.Result{Instances: []result.Instance{{Plugin: "toy",
		Diagnostics: slices.Repeat([]result.Diagnostic{d}, 2000)}}}
	var b strings.Builder
	if err := print.GitHubSummary(&b, r, print.Options{}); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 1<<20 || !strings.Contains(b.String(), "more findings: see the step's log") ||
		strings.Contains(b.String(), "[x](") {
		t.Errorf("the summary has %d bytes and ends in %q", b.Len(), b.String()[b.Len()-100:])
	}
}

// TestSARIFSchema checks the output against the standard's schema, which is not part of this project.
func TestSARIFSchema(t *testing.T) {
	file := os.Getenv("STATEGATE_SARIF_SCHEMA")
	if file == "" {
		t.Skip("STATEGATE_SARIF_SCHEMA names no copy of sarif-schema-2.1.0.json")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat = true
	if err := c.AddResource("sarif.json", bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	schema := c.MustCompile("sarif.json")
	for name, r := range samples(t) {
		var v any
		if err := json.Unmarshal([]byte(printedAs(t, "sarif", r)), &v); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %#v", name, err)
		}
	}
}

// TestSARIF checks what the standard's schema cannot express.
func TestSARIF(t *testing.T) {
	for name, r := range samples(t) {
		var log struct {
			Schema  string `json:"$schema"`
			Version string
			Runs    []struct {
				Tool struct {
					Driver struct {
						Rules []struct {
							ID   string
							Help struct{ Text string }
						}
					}
				}
				Invocations []struct {
					ExecutionSuccessful        bool
					ToolExecutionNotifications []struct{ Level string }
				}
				ColumnKind string
				Results    []struct {
					RuleID              string
					RuleIndex           int
					Kind, Level         string
					PartialFingerprints map[string]string
					Suppressions        []struct{ Kind, Status, Justification string }
					Message             struct{ Text string }
					Locations           []struct {
						PhysicalLocation struct {
							ArtifactLocation struct{ URI, URIBaseID string }
						}
					}
					RelatedLocations []struct{ ID int }
				}
			}
		}
		if err := json.Unmarshal([]byte(printedAs(t, "sarif", r)), &log); err != nil {
			t.Fatal(err)
		}
		run := log.Runs[0]
		if log.Version != "2.1.0" || !strings.HasSuffix(log.Schema, "sarif-schema-2.1.0.json") ||
			run.ColumnKind != "unicodeCodePoints" {
			t.Errorf("%s: version %q, schema %q, columns of %q", name, log.Version, log.Schema, run.ColumnKind)
		}
		if run.Invocations[0].ExecutionSuccessful != (len(r.Failures) == 0) || len(r.Failures) > 0 &&
			run.Invocations[0].ToolExecutionNotifications[0].Level != "error" {
			t.Errorf("%s: the invocation is %+v", name, run.Invocations[0])
		}
		if s := r.Summary(); len(run.Results) != s.Errors+s.Warnings+s.Infos+s.Failures+s.Suppressed {
			t.Errorf("%s: %d results of %+v", name, len(run.Results), s)
		}
		for _, rule := range run.Tool.Driver.Rules {
			if rule.Help.Text == "" {
				t.Errorf("%s: %s has no help", name, rule.ID)
			}
		}
		suppressed := 0
		for _, result := range run.Results {
			suppressed += len(result.Suppressions)
			if (result.Suppressions != nil) != (r.Summary().Suppressed > 0) {
				t.Errorf("%s: a result says whether it is suppressed, another does not", name)
			}
			if i := result.RuleIndex; i >= 0 && run.Tool.Driver.Rules[i].ID != result.RuleID {
				t.Errorf("%s: rule %d is %s, expected %s", name, i, run.Tool.Driver.Rules[i].ID, result.RuleID)
			}
			if (result.Kind == "fail") == (result.Level == "none") || result.PartialFingerprints["stategate/v1"] == "" {
				t.Errorf("%s: %+v", name, result)
			}
			for n, rel := range result.RelatedLocations {
				if rel.ID != n+1 || !strings.Contains(result.Message.Text, fmt.Sprintf("[see](%d)", rel.ID)) {
					t.Errorf("%s: the message does not lead to related location %d: %q", name, rel.ID,
						result.Message.Text)
				}
			}
			if len(result.Locations) != 1 {
				t.Errorf("%s: a result has %d places, expected 1: code scanning refuses it", name,
					len(result.Locations))
			}
			for _, at := range result.Locations {
				u, err := url.Parse(at.PhysicalLocation.ArtifactLocation.URI)
				if err != nil || u.IsAbs() || u.Host != "" || strings.HasPrefix(u.Path, "/") ||
					u.RawQuery+u.Fragment != "" {
					t.Errorf("%s: the URI %q is no relative path: %v", name, at.PhysicalLocation.ArtifactLocation.URI,
						err)
				}
			}
		}
		if want := r.Summary().Suppressed; suppressed != want {
			t.Errorf("%s: %d results are suppressed, expected %d", name, suppressed, want)
		}
	}
}

// TestPlacesSurviveURIs: a path can be recovered from its URI.
func TestPlacesSurviveURIs(t *testing.T) {
	for _, path := range []string{"a b/c%20d.md", "x:y/z", "ü/日本.md", "a?b#c", "raw\xff\xfe", "a\\b", "-", "d/"} {
		r := &result.Result{Instances: []result.Instance{{Diagnostics: []result.Diagnostic{{Rule: "toy/wrong",
			Place: result.Place{Path: path}}}}}}
		text := printedAs(t, "sarif", r)
		_, text, _ = strings.Cut(text, `"uri": "`)
		text, _, _ = strings.Cut(text, `"`)
		if got, err := url.PathUnescape(text); err != nil || got != path || strings.ContainsAny(text, ": ?#\\") {
			t.Errorf("%q became %q, which is read as %q: %v", path, text, got, err)
		}
	}
}

// TestGitLabFingerprints: fingerprints are unique, because GitLab keeps only one issue per fingerprint.
func TestGitLabFingerprints(t *testing.T) {
	r := full(t)
	r.Instances[0].Diagnostics = slices.Repeat(r.Instances[0].Diagnostics, 3)
	var issues []struct {
		Description, Fingerprint, Severity string
		CheckName                          string `json:"check_name"`
		Location                           struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	if err := json.Unmarshal([]byte(printedAs(t, "gitlab", r)), &issues); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, i := range issues {
		if seen[i.Fingerprint] || i.Description == "" || i.CheckName == "" || i.Location.Path == "" ||
			i.Location.Lines.Begin < 1 {
			t.Errorf("%+v", i)
		}
		seen[i.Fingerprint] = true
	}
	if len(issues) != 4 {
		t.Errorf("%d issues, expected 4", len(issues))
	}
}

// TestJUnit: the counts match the cases, and no two cases share a name.
func TestJUnit(t *testing.T) {
	r := samples(t)["closed"]
	r.Failures = full(t).Failures
	r.Instances[0].Diagnostics = slices.Repeat(r.Instances[0].Diagnostics, 3)
	r.Instances = append(r.Instances, result.Instance{Plugin: "toy", Root: "well"})
	var top struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
		Suites   []struct {
			Cases []struct {
				ClassName string     `xml:"classname,attr"`
				Name      string     `xml:"name,attr"`
				Failure   []struct{} `xml:"failure"`
				Error     []struct{} `xml:"error"`
				Skipped   []struct{} `xml:"skipped"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(printedAs(t, "junit", r)), &top); err != nil {
		t.Fatal(err)
	}
	var tests, failures, errs, skipped int
	seen := map[string]bool{}
	for _, s := range top.Suites {
		for _, c := range s.Cases {
			tests, failures, errs, skipped = tests+1, failures+len(c.Failure), errs+len(c.Error), skipped+len(c.Skipped)
			if seen[c.ClassName+c.Name] || c.Name == "" {
				t.Errorf("two cases are named %q", c.Name)
			}
			seen[c.ClassName+c.Name] = true
		}
	}
	if top.Tests != tests || top.Failures != failures || top.Errors != errs || top.Skipped != skipped ||
		failures != 3 || errs != 1 || tests != 7 {
		t.Errorf("it says %d, %d, %d, %d; it has %d, %d, %d, %d", top.Tests, top.Failures, top.Errors, top.Skipped,
			tests, failures, errs, skipped)
	}
}

// TestBrokenOutputs: a failed check also writes a document to stdout, but a usage error does not.
func TestBrokenOutputs(t *testing.T) {
	how := print.Options{FailOn: wire.Error}
	for _, format := range checkFormats.names() {
		var b strings.Builder
		f, err := checkFormats.named(format)
		if err != nil {
			t.Fatal(err)
		}
		o := &outputs{format: f}
		if err := o.broken(&b, fmt.Errorf("the base is not in this shallow clone"),
			how); problemOf(err).code != exitBroken {
			t.Errorf("%s: it returns %v", format, err)
		}
		said := strings.Contains(b.String(), "the base is not in this shallow clone")
		if said == (format == formatText) {
			t.Errorf("%s prints %q", format, b.String())
		}
		b.Reset()
		if err := o.broken(&b, usagef("no such flag"), how); problemOf(err).code != exitUsage || b.String() != "" {
			t.Errorf("%s: it returns %v and prints %q", format, err, b.String())
		}
	}
}

// FuzzFormats: hostile texts neither break a format nor send commands to the program that shows it.
func FuzzFormats(f *testing.F) {
	f.Add("a/b.md", "message", "subject", "stderr", 3)
	f.Add(hostile, hostile, hostile, hostile, -1)
	f.Add("::error::x\n", "]]>\x00&<", "](1)", "%0A::", 0)
	f.Fuzz(func(t *testing.T, path, message, subject, stderr string, line int) {
		at := result.Place{Path: path, Line: max(line, 0), Column: 1, EndLine: max(line, 0), EndColumn: 2,
			Excerpt: message, ExcerptEnd: len(message)}
		d := result.Diagnostic{
			Rule: "toy/wrong", Severity: wire.Error, Subject: subject, Place: at, Message: message, Fingerprint: "f",
			Related:  []result.Related{{Place: at, Message: subject}},
			Remedies: []result.Remedy{{ID: "1", Remedy: wire.Remedy{Title: message, Steps: []string{stderr}}}},
		}
		r := &result.Result{
			Instances: []result.Instance{{Plugin: "toy", Root: path, Diagnostics: []result.Diagnostic{d},
				Suppressed: []result.Suppressed{{Diagnostic: d, Why: result.Ignored, Reason: stderr}}}},
			Declined: []result.Declined{{Plugin: "other", Root: path, Why: message}},
			Skipped:  []result.Declined{{Plugin: subject, Why: stderr}},
			Failures: []result.Failure{{Plugin: subject, Root: path,
				Failure: fault.Failure{Kind: fault.Trap, Message: message, Stderr: stderr}}},
		}
		for _, format := range checkFormats.names() {
			text := printedAs(t, format, r)
			if ft := commanding(withoutAnnotations(format, text)); ft != "" {
				t.Errorf("%s holds %s", format, ft)
			}
			switch format {
			case formatJSON, "sarif", "gitlab":
				if !json.Valid([]byte(text)) {
					t.Errorf("%s is no JSON: %s", format, text)
				}
			case "junit":
				if err := xml.Unmarshal([]byte(text), new(struct{})); err != nil {
					t.Errorf("%s is no XML: %v: %s", format, err, text)
				}
			case formatGitHub:
				annotates(t, text, d)
			}
		}
	})
}

// annotates checks that there are two annotations with the expected content.
func annotates(t *testing.T, text string, d result.Diagnostic) {
	t.Helper()
	var list []*command
	for line := range strings.Lines(text) {
		if c, err := parseAnnotation(line); err == nil {
			list = append(list, c)
		}
	}
	if len(list) != 2 || list[0].name != "error" || list[1].properties["title"] != d.Rule {
		t.Fatalf("the annotations are %v:\n%s", list, text)
	}
	if want := print.Safe(d.Place.Path); want != "" && want != "." && list[1].properties["file"] != want {
		t.Errorf("the annotation is about %q, expected %q", list[1].properties["file"], want)
	}
}

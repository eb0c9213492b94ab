package print

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// maxAnnotations is the number of annotations per level that GitHub shows for a step.
const maxAnnotations = 10

// GitHub writes workflow commands, which GitHub Actions shows as annotations: failures first, then findings by
// severity. Findings beyond GitHub's limit for a step follow as text, and a notice counts them.
func GitHub(w io.Writer, r *result.Result, o Options) error {
	o.Color = false
	p, annotated, more, log := newPrinter(w, o), map[string]int{}, 0, ""
	annotate := func(level, title, message string, at result.Place, text string) {
		most := maxAnnotations
		if level == "notice" {
			most-- // the last one announces the rest
		}
		if annotated[level]++; annotated[level] > most {
			more, log = more+1, log+text
			return
		}
		p.line("::", level, " ", properties(title, at), "::", escapeData(message))
	}
	for _, f := range r.Failures {
		text := failureText(&f)
		annotate("error", "stategate could not check", text, result.Place{Path: f.Root}, "failure: "+text+"\n")
		for _, line := range safeLines(f.Stderr) {
			log += "    | " + line + "\n"
		}
	}
	for i, d := range r.Severest() {
		if d.Severity < min(o.Show, o.FailOn) {
			continue // the verdict counts it, and the job summary lists it
		}
		lines := []string{Safe(d.Message)}
		for _, rel := range d.Related {
			lines = append(lines, "see "+Safe(rel.Place.String())+": "+Safe(rel.Message))
		}
		lines = append(lines, o.fixTexts(i, d)...)
		annotate(worded(d.Severity, "error", "warning", "notice"), Safe(d.Rule), strings.Join(lines, "\n"), d.Place,
			o.detail(i, d))
	}
	p.w.WriteString(log)
	p.lines(o.notes(r))
	if more > 0 {
		p.line("::notice title=stategate::", escapeData(fmt.Sprintf("GitHub shows %d annotations per level and "+
			"step; %d more are in this step's log", maxAnnotations, more)))
	}
	p.line(verdict(r, o.FailOn))
	return p.w.Flush()
}

// properties returns the location of an annotation. GitHub accepts columns only if the range is within one line.
func properties(title string, at result.Place) string {
	text := ""
	set := func(name, value string) { text += name + "=" + escapeProperty(value) + "," }
	if at.Path != "" && at.Path != "." {
		set("file", Safe(at.Path))
		if at.Line > 0 {
			set("line", strconv.Itoa(at.Line))
			set("endLine", strconv.Itoa(max(at.EndLine, at.Line)))
		}
		if at.Line > 0 && at.Column > 0 && at.EndLine <= at.Line {
			set("col", strconv.Itoa(at.Column))
			set("endColumn", strconv.Itoa(max(at.EndColumn, at.Column)))
		}
	}
	return text + "title=" + escapeProperty(title)
}

// escapeData escapes the message of a workflow command, which must be one line.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func escapeProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

// maxSummary limits a summary's bytes, because GitHub rejects a step's summary of more than 1 MiB.
const maxSummary = 900 << 10

// GitHubSummary writes a result as Markdown for the GitHub Actions job summary: every failure and finding, most
// severe first.
func GitHubSummary(w io.Writer, r *result.Result, o Options) error {
	s, rows := newSummary(r, o, ""), []string(nil)
	for _, f := range r.Failures {
		rows = append(rows, cells("failure", f.Root, f.Message,
			strings.TrimPrefix(f.Plugin+": "+string(f.Kind), ": "))+"| | |\n")
	}
	for i, d := range r.Severest() {
		rows = append(rows, s.finding(i, d))
	}
	s.findings(rows, "findings: see the step's log")
	for _, text := range o.notes(r) {
		s.add("\n" + markdown(text) + "\n")
	}
	_, err := io.WriteString(w, s.text.String()+"\n")
	return err
}

type summary struct {
	text  strings.Builder
	how   Options
	most  int                  // the most bytes, without the lines that count what does not fit
	rules map[string]wire.Rule // by id
}

// newSummary begins a summary with the gate's state, the number of findings and, if they are known, the runs' states.
func newSummary(r *result.Result, o Options, states string) *summary {
	o.short = shortIDs(r)
	s := &summary{how: o, most: maxSummary, rules: rulesByID(r.Plugins)}
	s.add("### stategate: " + gateWords[r.Gate(o.FailOn)] + "\n\n" +
		markdown(strings.TrimSuffix(counts(r, wire.Inherit)+" · "+states, " · ")) + "\n")
	return s
}

func (s *summary) finding(i *result.Instance, d *result.Diagnostic) string {
	fixes := each(s.how.fixes(i, d), func(x *fix) string { return x.written(code, withCode, "<br>") })
	return cells(d.Severity.String(), d.Place.String(), d.Message) + "| " + s.rule(d.Rule) + " " +
		cells(s.how.short[d.Fingerprint]) + strings.TrimRight("| "+strings.Join(fixes, "<br>"), " ") + " |\n"
}

// rule returns a rule's name, with a link to its documentation if there is one.
func (s *summary) rule(name string) string {
	if link := s.rules[name].URL; link != "" {
		return "[" + markdown(name) + "](" + linkMarks.Replace(link) + ")"
	}
	return markdown(name)
}

func (s *summary) findings(rows []string, rest string) {
	s.table(rows, rest, "severity", "place", "finding", "rule", "id",
		"remedies")
}

// add appends text if it fits, and reports whether it fit.
func (s *summary) add(text string) bool {
	if s.text.Len()+len(text) > s.most {
		return false
	}
	s.text.WriteString(text)
	return true
}

// table adds rows below heads. If some do not fit, it adds a line with their number, followed by rest.
func (s *summary) table(rows []string, rest string, heads ...string) {
	if len(rows) > 0 {
		rows[0] = "\n| " + strings.Join(heads, " | ") + " |\n|" + strings.Repeat("---|", len(heads)) + "\n" + rows[0]
	}
	s.list(rows, rest)
}

// list adds list items. If some do not fit, it adds a line with their number, followed by rest.
func (s *summary) list(texts []string, rest string) {
	for n, text := range texts {
		if !s.add(text) {
			s.text.WriteString("\n… and " + strconv.Itoa(len(texts)-n) + " more " + rest + "\n")
			break
		}
	}
}

func cells(list ...string) (text string) {
	for _, c := range list {
		text += "| " + markdown(c) + " "
	}
	return text
}

var marks = regexp.MustCompile("[\\\\`*_\\[\\]<>|~&!@#$:.]")

// linkMarks escapes characters that must not be in a link's address.
var linkMarks = strings.NewReplacer("(", "%28", ")", "%29", ">", "%3E", "|", "%7C", `\`, "%5C", "`", "%60")

// markdown escapes a text so that Markdown shows it literally in a table cell or after a word. Links, images, HTML
// and code from a hostile file have no effect.
func markdown(text string) string { return marks.ReplaceAllString(Safe(text), `\$0`) }

// code quotes a command in a code span. A table would end the cell at a "|" in it, so such a command is only escaped.
func code(command string) string {
	if command == "" || strings.Contains(command, "|") {
		return markdown(command)
	}
	return span(command)
}

// withCode is like markdown, but keeps code spans in backticks.
func withCode(text string) string {
	if strings.Contains(text, "|") || strings.Contains(text, "``") {
		return markdown(text)
	}
	return withSpans(text, span, markdown)
}

// withSpans formats the parts of a text that are between backticks with code, and the others with plain.
func withSpans(text string, code, plain func(string) string) string {
	parts := strings.Split(text, "`")
	if len(parts)%2 == 0 { // a backtick without its counterpart
		return plain(text)
	}
	for n := range parts {
		if n%2 == 0 {
			parts[n] = plain(parts[n])
		} else {
			parts[n] = code(parts[n])
		}
	}
	return strings.Join(parts, "")
}

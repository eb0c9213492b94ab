package print

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/stategate/stategate/host/result"
)

// maxAnnotations is how many annotations of one level GitHub shows for a step.
const maxAnnotations = 10

// GitHub writes workflow commands that GitHub Actions shows as annotations, failures and the most severe findings
// first. What exceeds its limit for a step follows as text, and a notice says how much that is.
func GitHub(w io.Writer, r *result.Result, o Options) error {
	o.Color = false
	p, annotated, more, log := newPrinter(w, o), map[string]int{}, 0, ""
	annotate := func(level, title, message string, at result.Place, text string) {
		most := maxAnnotations
		if level == "notice" {
			most-- // the last one is for what is left out
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
			continue // the verdict counts it, and the summary of the job has it
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
		p.line("::notice title=stategate::", escapeData(fmt.Sprintf("GitHub shows %d annotations of a level for a "+
			"step: %d more are in the log of this step", maxAnnotations, more)))
	}
	p.line(verdict(r, o.FailOn))
	return p.w.Flush()
}

// properties are where GitHub shows an annotation. It takes columns only where a place is within one line.
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

// escapeData escapes the message of a workflow command, which is one line.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// escapeProperty escapes a value among the properties of a workflow command.
func escapeProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

// maxSummary is how large a summary becomes, in bytes: GitHub refuses one of a step beyond 1 MiB whole.
const maxSummary = 900 << 10

// GitHubSummary writes a result as the Markdown that GitHub Actions shows as the
// summary of a job: every failure and finding, the most severe first.
func GitHubSummary(w io.Writer, r *result.Result, o Options) error {
	s, rows := newSummary(r, o), []string(nil)
	for _, f := range r.Failures {
		rows = append(rows, cells("failure", f.Root, f.Message,
			strings.TrimPrefix(f.Plugin+": "+string(f.Kind), ": "))+"| | |\n")
	}
	for i, d := range r.Severest() {
		rows = append(rows, s.finding(i, d))
	}
	s.findings(rows, " more do not fit here; the log of the step has them.")
	for _, text := range o.notes(r) {
		s.add("\n" + markdown(text) + "\n")
	}
	_, err := io.WriteString(w, s.text.String()+"\n")
	return err
}

// A summary is Markdown that stops growing at maxSummary.
type summary struct {
	text  strings.Builder
	how   Options
	short map[string]string // the ids that are shown, by whole ids
	links map[string]string // to the documentation of rules
}

func newSummary(r *result.Result, o Options) *summary {
	s := &summary{how: o, short: shortIDs(r), links: ruleLinks(r.Plugins)}
	s.add("### stategate: the gate is " + string(r.Gate(o.FailOn)) + "\n\n" + markdown(verdict(r, o.FailOn)) + "\n")
	return s
}

// finding is the row of a finding.
func (s *summary) finding(i *result.Instance, d *result.Diagnostic) string {
	rule := markdown(d.Rule)
	if link := s.links[d.Rule]; link != "" {
		rule = "[" + rule + "](" + linkMarks.Replace(link) + ")"
	}
	fixes := each(s.how.fixTexts(i, d), func(c *string) string { return markdown(strings.ReplaceAll(*c, "\n", " ")) })
	return cells(d.Severity.String(), d.Place.String(), d.Message) + "| " + rule + " " +
		cells(s.short[d.Fingerprint]) + strings.TrimRight("| "+strings.Join(fixes, "<br>"), " ") + " |\n"
}

// findings adds the table of such rows.
func (s *summary) findings(rows []string, rest string) {
	s.table(rows, rest, "severity", "place", "finding", "rule", "id",
		"remedies")
}

// add reports whether there was room.
func (s *summary) add(text string) bool {
	if s.text.Len()+len(text) > maxSummary {
		return false
	}
	s.text.WriteString(text)
	return true
}

// table adds rows below heads; rest follows the number of those that do not fit.
func (s *summary) table(rows []string, rest string, heads ...string) {
	if len(rows) > 0 {
		s.add("\n| " + strings.Join(heads, " | ") + " |\n|" + strings.Repeat("---|", len(heads)) + "\n")
	}
	for n, row := range rows {
		if !s.add(row) {
			s.text.WriteString("\n" + strconv.Itoa(len(rows)-n) + rest + "\n")
			break
		}
	}
}

// cells begins the row of a table.
func cells(list ...string) (text string) {
	for _, c := range list {
		text += "| " + markdown(c) + " "
	}
	return text
}

var marks = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("[\\\\`*_\\[\\]<>|~&!@#$:.]") })

// linkMarks are what may not be in the address of a link.
var linkMarks = strings.NewReplacer("(", "%28", ")", "%29", ">", "%3E", "|", "%7C", `\`, "%5C", "`", "%60")

// markdown returns a text as Markdown that shows it in the cell of a table, or behind a word: links, images, HTML and
// code of a hostile text are shown, not obeyed.
func markdown(text string) string { return marks().ReplaceAllString(Safe(text), `\$0`) }

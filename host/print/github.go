package print

import (
	"io"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// maxAnnotations is how many annotations of one level GitHub shows for a step.
const maxAnnotations = 10

// GitHub writes workflow commands that GitHub Actions shows as annotations,
// failures and the most severe findings first. What exceeds its limit for a
// step follows as text, and a notice says how much that is.
func GitHub(w io.Writer, r *result.Result, o Options) error {
	o.Color = false
	g := &github{printer: newPrinter(w, o)}
	g.failures(r.Failures)
	for _, f := range severest(r) {
		g.annotate(o.annotationOf(f), o.detail(f.instance, f.Diagnostic))
	}
	g.rest(r)
	g.line(verdict(r, o.FailOn))
	return g.w.Flush()
}

type github struct {
	*printer
	said   map[string]int // annotations by level
	silent []string       // texts of what is not annotated
}

// An annotation is one workflow command. Its texts are not escaped yet.
type annotation struct {
	level, title, message string
	place                 result.Place
}

func (g *github) failures(list []result.Failure) {
	for _, f := range list {
		text := failureText(&f)
		a := annotation{level: "error", title: "stategate could not check", message: text, place: result.Place{Path: f.Root}}
		g.annotate(a, "failure: "+text+"\n")
		for line := range strings.Lines(f.Stderr) {
			g.silent = append(g.silent, "    | "+Safe(strings.TrimRight(line, "\r\n"))+"\n")
		}
	}
}

// annotationOf leaves the place to GitHub, which shows it.
func (o *Options) annotationOf(d located) annotation {
	a := annotation{level: githubLevel(d.Severity), title: Safe(d.Rule), place: d.Place}
	lines := []string{Safe(d.Message)}
	for _, rel := range d.Related {
		lines = append(lines, "see "+Safe(rel.Place.String())+": "+Safe(rel.Message))
	}
	a.message = strings.Join(append(lines, o.cures(d.instance, d.Diagnostic)...), "\n")
	return a
}

func githubLevel(s wire.Severity) string {
	switch s {
	case wire.Error:
		return "error"
	case wire.Warning:
		return "warning"
	}
	return "notice"
}

// annotate writes a workflow command, or keeps the text for the end of the log.
// The last notice is for what is left out.
func (g *github) annotate(a annotation, text string) {
	most := maxAnnotations
	if a.level == "notice" {
		most--
	}
	if g.said[a.level] >= most {
		g.silent = append(g.silent, text)
		return
	}
	if g.said == nil {
		g.said = map[string]int{}
	}
	g.said[a.level]++
	g.line("::", a.level, " ", strings.Join(a.properties(), ","), "::", escapeData(a.message))
}

// properties are where GitHub shows an annotation. It takes columns only where
// a place is within one line.
func (a annotation) properties() []string {
	var list []string
	set := func(name, value string) { list = append(list, name+"="+escapeProperty(value)) }
	if p := a.place; p.Path != "" && p.Path != "." {
		set("file", Safe(p.Path))
		if p.Line > 0 {
			set("line", strconv.Itoa(p.Line))
			set("endLine", strconv.Itoa(max(p.EndLine, p.Line)))
		}
		if p.Line > 0 && p.Column > 0 && p.EndLine <= p.Line {
			set("col", strconv.Itoa(p.Column))
			set("endColumn", strconv.Itoa(max(p.EndColumn, p.Column)))
		}
	}
	set("title", a.title)
	return list
}

// rest writes what is not annotated, as text.
func (g *github) rest(r *result.Result) {
	n := 0
	for _, text := range g.silent {
		if !strings.HasPrefix(text, "    | ") {
			n++
		}
		g.w.WriteString(text)
	}
	g.lines(g.how.notes(r))
	if n > 0 {
		message := "GitHub shows " + strconv.Itoa(maxAnnotations) + " annotations of a level for a step: " +
			strconv.Itoa(n) + " more stand in the log of this step"
		g.line("::notice title=stategate::", escapeData(message))
	}
}

// escapeData escapes the message of a workflow command, which is one line.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// escapeProperty escapes a value among the properties of a workflow command.
func escapeProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

package print

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/stategate/stategate/host/result"
)

type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	junitCounts
	Suites []*junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name string `xml:"name,attr"`
	junitCounts
	Cases []junitCase `xml:"testcase"`
}

type junitCounts struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
}

type junitCase struct {
	ClassName string        `xml:"classname,attr"`
	Name      string        `xml:"name,attr"`
	File      string        `xml:"file,attr,omitempty"`
	Error     *junitProblem `xml:"error"`
	Failure   *junitProblem `xml:"failure"`
	Skipped   *junitProblem `xml:"skipped"`
	Output    string        `xml:"system-out,omitempty"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// JUnit writes a result as JUnit XML. Every plugin is a suite. Every passing instance, every finding that closes the
// gate and every failure is a test case. JUnit readers show one problem per case, so each finding has its own. Less
// severe findings are the output of their instance's first case. Anything that was deliberately not checked is a
// skipped case.
func JUnit(w io.Writer, r *result.Result, o Options) error {
	j := &junit{top: junitSuites{Name: "stategate"}, suites: map[string]*junitSuite{}, names: map[string]int{}}
	for _, f := range r.Failures {
		j.add(cmp.Or(f.Plugin, "stategate"), cmp.Or(f.Root, "everything"),
			junitCase{File: Safe(f.Root), Error: &junitProblem{failureText(&f), Safe(string(f.Kind)),
				safeText(f.Stderr)}})
	}
	for i := range r.Instances {
		j.instance(&r.Instances[i], o)
	}
	skip := func(plugin, root, why string) {
		j.add(plugin, root, junitCase{Skipped: &junitProblem{Message: Safe(why)}})
	}
	for _, u := range r.Skipped {
		skip(u.Plugin, "everything", u.Why)
	}
	for _, d := range r.Declined {
		if !inside(d, r.Instances) {
			skip(d.Plugin, d.Root, d.Why)
		}
	}
	for _, path := range r.Excluded {
		skip("stategate", path, "excluded by the configuration")
	}
	for _, name := range slices.Sorted(maps.Keys(j.suites)) {
		j.top.Suites = append(j.top.Suites, j.suites[name])
	}
	text, err := xml.MarshalIndent(j.top, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the output: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}

type junit struct {
	top    junitSuites
	suites map[string]*junitSuite // by name
	names  map[string]int         // number of cases with each name
}

// instance adds one case for each finding that closes the gate, or a single passing case.
func (j *junit) instance(i *result.Instance, o Options) {
	cases, names := []junitCase{{}}, []string{i.Root}
	mild := ""
	for n := range i.Diagnostics {
		d := &i.Diagnostics[n]
		if d.Severity < o.FailOn {
			mild += o.detail(i, d)
			continue
		}
		names = append(names, strings.TrimSpace(i.Root+": "+result.RuleName(d.Rule)+" "+d.Subject))
		cases = append(cases, junitCase{File: Safe(d.Place.Path),
			Failure: &junitProblem{Safe(d.Message), Safe(d.Rule), o.detail(i, d)}})
	}
	if len(cases) > 1 {
		cases, names = cases[1:], names[1:]
	}
	cases[0].Output = mild
	for n, c := range cases {
		j.add(i.Plugin, names[n], c)
	}
}

// add names a case. If the name is taken, it appends a number.
func (j *junit) add(suite, name string, c junitCase) {
	c.ClassName, c.Name = Safe(suite), Safe(name)
	id := c.ClassName + "\x00" + c.Name
	if j.names[id]++; j.names[id] > 1 {
		c.Name += " (" + strconv.Itoa(j.names[id]) + ")"
	}
	s := j.suites[c.ClassName]
	if s == nil {
		s = &junitSuite{Name: c.ClassName}
		j.suites[c.ClassName] = s
	}
	s.Cases = append(s.Cases, c)
	for _, n := range []*junitCounts{&s.junitCounts, &j.top.junitCounts} {
		n.Tests++
		switch {
		case c.Error != nil:
			n.Errors++
		case c.Failure != nil:
			n.Failures++
		case c.Skipped != nil:
			n.Skipped++
		}
	}
}

package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
)

// verdicts holds the ledger's verdicts: right, wrong or taste.
type verdicts map[string]string // by key of the finding

// of returns the verdict about a finding in a repository, or "" if it was not judged.
func (v verdicts) of(f *finding, repo string) string {
	for _, key := range f.keys(repo) {
		if v[key] != "" {
			return v[key]
		}
	}
	return ""
}

// readLedger reads files of judged findings with the columns repository, commit, path, rule, severity, fingerprint,
// verdict and reason.
func readLedger(dir string) (verdicts, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.tsv"))
	if err != nil {
		return nil, err
	}
	all := verdicts{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(data)) {
			if cells := strings.Split(strings.TrimRight(line, "\n"), "\t"); len(cells) >= 7 && cells[6] != "verdict" {
				all[cells[0]+" "+cells[5]] = cells[6]
			}
		}
	}
	return all, nil
}

// A tally holds the counts for one rule at one severity.
type tally struct {
	severity, rule            string
	repos                     map[string]bool
	findings, added, gone     int
	right, wrong, taste, open int
}

// report prints the findings by rule. It reports whether nothing failed and no error is wrong.
func report(w io.Writer, now, then []look, judged verdicts, o options) (ok bool) {
	ok = true
	before, after := keys(then), keys(now)
	rules := map[string]*tally{}
	of := func(f *finding) *tally {
		k := f.Severity + " " + f.Rule
		if rules[k] == nil {
			rules[k] = &tally{severity: f.Severity, rule: f.Rule, repos: map[string]bool{}}
		}
		return rules[k]
	}
	runs, withRuns, closed := 0, 0, 0
	for i := range now {
		l := &now[i]
		runs += l.runs
		if l.runs > 0 {
			withRuns++
		}
		if l.gate == "closed" {
			closed++
		}
		for _, p := range l.problems {
			ok = false
			fmt.Fprintf(w, "FAILURE %s: %s\n", l.name, p)
		}
		for n := range l.findings {
			f := &l.findings[n]
			t := of(f)
			t.findings++
			t.repos[l.name] = true
			if isNew := then != nil && !before.has(f, l.name); isNew {
				t.added++
				fmt.Fprintf(w, "NEW %s %s\n  %s\n  %s\n", f.Severity, f.Rule, l.link(f), f.Message)
			}
			t.judge(judged.of(f, l.name))
			if o.show == "all" || strings.HasSuffix(f.Rule, "/"+o.show) || f.Rule == o.show {
				fmt.Fprintf(w, "%s %s [%s] %s\n  %s\n  %s\n", f.Severity, f.Rule, f.Fingerprint, judged.of(f, l.name),
					l.link(f), f.Message)
			}
		}
	}
	for i := range then {
		for n := range then[i].findings {
			if f := &then[i].findings[n]; !after.has(f, then[i].name) {
				of(f).gone++
				fmt.Fprintf(w, "GONE %s %s\n  %s\n  %s\n", f.Severity, f.Rule, then[i].link(f), f.Message)
			}
		}
	}
	fmt.Fprintf(w, "%d repositories, %d of them with %d state directories; the gate is closed in %d\n\n", len(now),
		withRuns, runs, closed)
	return printTallies(w, rules) && ok
}

func (t *tally) judge(verdict string) {
	switch verdict {
	case "right":
		t.right++
	case "wrong":
		t.wrong++
	case "taste":
		t.taste++
	default:
		t.open++
	}
}

type keySet map[string]bool

func keys(looks []look) keySet {
	set := keySet{}
	for i := range looks {
		for n := range looks[i].findings {
			for _, key := range looks[i].findings[n].keys(looks[i].name) {
				set[key] = true
			}
		}
	}
	return set
}

func (s keySet) has(f *finding, repo string) bool {
	return slices.ContainsFunc(f.keys(repo), func(key string) bool { return s[key] })
}

func printTallies(w io.Writer, rules map[string]*tally) (ok bool) {
	list := make([]*tally, 0, len(rules))
	for _, t := range rules {
		list = append(list, t)
	}
	order := map[string]int{"error": 0, "warning": 1, "info": 2}
	slices.SortFunc(list, func(a, b *tally) int {
		return cmp.Or(cmp.Compare(order[a.severity], order[b.severity]), -cmp.Compare(a.findings, b.findings),
			cmp.Compare(a.rule, b.rule))
	})
	ok = true
	errors := map[string]*tally{} // by workflow
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "severity\trule\trepositories\tfindings\tnew\tgone\tright\twrong\ttaste\tnot judged")
	for _, t := range list {
		fmt.Fprintf(tw, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", t.severity, t.rule, len(t.repos), t.findings,
			t.added, t.gone, t.right, t.wrong, t.taste, t.open)
		if t.severity != "error" {
			continue
		}
		workflow, _, _ := strings.Cut(t.rule, "/")
		if errors[workflow] == nil {
			errors[workflow] = &tally{repos: map[string]bool{}}
		}
		e := errors[workflow]
		e.right, e.wrong, e.open = e.right+t.right, e.wrong+t.wrong, e.open+t.open
		for r := range t.repos {
			e.repos[r] = true
		}
		ok = ok && t.wrong == 0
	}
	tw.Flush()
	for _, workflow := range slices.Sorted(maps.Keys(errors)) {
		e := errors[workflow]
		fmt.Fprintf(w, "\n%s: %d errors judged in %d repositories, %d wrong, %d not judged; lower bound of those "+
			"that are right %.2f\n",
			workflow, e.right+e.wrong, len(e.repos), e.wrong, e.open, wilson(e.right, e.right+e.wrong))
	}
	return ok
}

// wilson returns the lower bound of the success rate, with 95% confidence.
func wilson(successes, n int) float64 {
	if n == 0 {
		return 0
	}
	const z = 1.96
	p, m := float64(successes)/float64(n), float64(n)
	return (p + z*z/(2*m) - z*math.Sqrt(p*(1-p)/m+z*z/(4*m*m))) / (1 + z*z/m)
}

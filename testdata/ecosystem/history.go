package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// statePaths lists the paths where workflows keep state. Commits that touch none of them are not checked.
var statePaths = []string{
	":(glob)**/openspec/**", ":(glob)**/.planning/**", ":(glob)**/.specify/**", ":(glob)**/specs/**",
	":(glob)**/.kiro/specs/**",
	":(glob)**/.taskmaster/**", ":(glob)**/backlog/**", ":(glob)**/.backlog/**", ":(glob)**/sprint-status*.yaml",
	":(glob)**/implementation-artifacts/**", ":(glob)**/sprint-artifacts/**", ":(glob)**/tasks/tasks.json",
}

// A past holds the results for one repository's commits.
type past struct {
	commits, closing, problems int
	lines                      []string
}

// history checks the last commits that touch state, each with its parents as the base. It prints how many commits
// introduce a finding that closes the gate: an error that the first parent, checked alone, does not have. It
// reports whether at most a tenth of the commits do.
func history(w io.Writer, o options, repos []repository) (ok bool) {
	bare := slices.DeleteFunc(slices.Clone(repos), func(r repository) bool { return !r.bare })
	var total past
	for _, p := range each(bare, func(r repository) past { return pastOf(o, r) }) {
		for _, line := range p.lines {
			fmt.Fprintln(w, line)
		}
		total.commits, total.closing, total.problems = total.commits+p.commits, total.closing+p.closing,
			total.problems+p.problems
	}
	fmt.Fprintf(w, "\n%d commits that touch state: %d newly close the gate (%.1f %%), %d failures\n",
		total.commits, total.closing, 100*float64(total.closing)/float64(max(1, total.commits)), total.problems)
	return total.problems == 0 && total.closing*10 <= total.commits
}

func pastOf(o options, r repository) (p past) {
	args := append([]string{"log", "--format=%H", "--first-parent", "--no-merges", fmt.Sprintf("-%d", o.history),
		"HEAD", "--"}, statePaths...)
	list, code, err := command(r.dir, "git", args...)
	if err != nil || code != 0 {
		return p
	}
	for _, id := range strings.Fields(string(list)) {
		if _, code, _ := command(r.dir, "git", "rev-parse", "--verify", "-q", id+"^1"); code != 0 {
			continue
		}
		r.commit = id
		is, was := look{repository: r}, look{repository: r}
		is.check(o.bin, o.plugin, "check", "--format", "json", "--rev", id, "--base", id+"^@")
		was.check(o.bin, o.plugin, "check", "--format", "json", "--rev", id+"^1")
		p.commits++
		p.problems += len(is.problems)
		for _, problem := range is.problems {
			p.lines = append(p.lines, fmt.Sprintf("FAILURE %s %s: %s", r.name, id[:12], problem))
		}
		known := keys([]look{was})
		if i := slices.IndexFunc(is.findings, func(f finding) bool {
			return f.Severity == "error" &&
				!known.has(&f, r.name)
		}); i >= 0 {
			p.closing++
			p.lines = append(p.lines, fmt.Sprintf("CLOSES %s %s\n  %s\n  %s", r.name, is.findings[i].Rule,
				is.link(&is.findings[i]), is.findings[i].Message))
		}
	}
	return p
}

package main

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/shell"
)

// rangeOf splits A..B. Like in git, a missing side means HEAD.
func rangeOf(rev string) (from, to string, ok bool) {
	from, to, ok = strings.Cut(rev, "..")
	return cmp.Or(from, "HEAD"), cmp.Or(to, "HEAD"), ok
}

// checkRange checks each commit in --rev A..B, like git rebase --exec, and returns the worst exit code.
func checkRange(c *cobra.Command, a *app, f *checkFlags, paths []string) error {
	from, to, _ := rangeOf(f.rev)
	format, err := checkFormats.named(f.format)
	switch {
	case err != nil:
		return err
	case strings.HasPrefix(to, "."):
		return usagef("--rev %s: a symmetric difference is not a range; write A..B", f.rev)
	case !format.People || len(f.reports) > 0:
		return usagef("--rev %s checks several commits, but a report covers one; run git rev-list --reverse %s | "+
			"xargs -I{} stategate check --rev {}%s", f.rev, shell.Word(f.rev), f.reportsEach())
	}
	repo := a.repository(a.env.dir)
	if repo == nil {
		return usagef("--rev needs a git repository; %s is not in one", a.env.dir)
	}
	ids, err := repo.Between(c.Context(), from, to)
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		return a.say("%s has no commits", f.rev)
	}
	worst := exitOpen
	for _, id := range ids {
		one, to, head := *f, *a, fmt.Sprintf("commit %.12s", id)
		if f.quiet { // an open gate prints nothing; without --quiet, the terminal keeps its colors
			to.stdout = &headed{a.stdout, head + "\n"}
		} else if err := a.say("%s", head); err != nil {
			return err
		}
		one.rev, one.keepWorkers = id, true
		if err := checkRuns(c, &to, &one, paths); err != nil {
			p := problemOf(err)
			if c.Context().Err() != nil || p.code == exitUsage {
				return err
			}
			if p.message != "" {
				a.complain(p)
			}
			worst = max(worst, p.code)
		}
	}
	return exit(worst)
}

// reportsEach returns the flags that write the requested reports for each commit, whose id xargs puts in place of {}.
func (f *checkFlags) reportsEach() (flags string) {
	if f.format != formatText {
		flags = " --format " + f.format
	}
	for _, report := range f.reports {
		format, file, _ := strings.Cut(report, "=")
		dir, name := path.Split(filepath.ToSlash(file))
		flags += " --report " + shell.Word(format+"="+dir+"{}-"+name)
	}
	return flags
}

// headed writes a head before the first output, and nothing without output.
type headed struct {
	io.Writer
	head string
}

func (h *headed) Write(data []byte) (int, error) {
	if _, err := io.WriteString(h.Writer, h.head); err != nil {
		return 0, err
	}
	h.head = ""
	return h.Writer.Write(data)
}

package main

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
)

// The output formats of check and status; the others are of check alone.
const (
	formatText    = "text"
	formatConcise = "concise"
	formatJSON    = "json"
	formatSARIF   = "sarif"
	formatGitHub  = "github"
	formatGitLab  = "gitlab"
	formatJUnit   = "junit"
	formatNames   = formatText + ", " + formatJSON
)

// statistics is text that --statistics chooses.
const statistics = "statistics"

// checkFormats are what check prints and writes to files.
var checkFormats = [...]string{formatText, formatConcise, formatJSON, formatSARIF, formatGitHub, formatGitLab, formatJUnit}

func printAs(w io.Writer, format string, r *result.Result, o print.Options) error {
	if !slices.Contains([]string{formatText, formatConcise, statistics}, format) {
		o.Path = nil // programs know the repository
	}
	switch format {
	case formatConcise:
		return print.Concise(w, r, o)
	case statistics:
		return print.Statistics(w, r, o)
	case formatJSON:
		return print.JSON(w, r, o)
	case formatSARIF:
		return print.SARIF(w, r, o)
	case formatGitHub:
		return print.GitHub(w, r, o)
	case formatGitLab:
		return print.GitLab(w, r, o)
	case formatJUnit:
		return print.JUnit(w, r, o)
	}
	return print.Text(w, r, o)
}

func (a *app) printing(w io.Writer) print.Options {
	return print.Options{Color: a.env.color(w), Version: version(), Width: widthOf(w)}
}

// page is how documentation is printed to stdout: as wide as the terminal, or as a page of help.
func (a *app) page() print.Options {
	how := a.printing(a.stdout)
	how.Width = cmp.Or(how.Width, helpWidth)
	return how
}

// widthOf is how many columns w has, 0 unless it is a terminal.
func widthOf(w io.Writer) int {
	if isTerminal(w) {
		width, _ := terminalSize(w)
		return width
	}
	return 0
}

// lines is print.Lines in the columns of w.
func lines(w io.Writer, first, rest, text string) error {
	return print.Lines(w, widthOf(w), first, rest, text)
}

func known(format string) error { return oneFormat(format, formatText, formatJSON) }

func oneFormat(format string, all ...string) error {
	if slices.Contains(all, format) {
		return nil
	}
	return usagef("--format %q is not known; available: %s", format, strings.Join(all, ", "))
}

// printed says what a failed write to stdout means: whoever reads it has not seen the verdict.
func (a *app) printed(err error) error {
	if err != nil {
		return brokenf("write the output: %v", err)
	}
	return nil
}

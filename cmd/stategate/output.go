package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/atomicfile"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/suggest"
)

// These are the formats that some command treats specially. print.Formats contains all formats.
const (
	formatText     = "text"
	formatJSON     = "json"
	formatMarkdown = "markdown"
	formatHTML     = "html"
	formatGitHub   = "github"
)

// formats is the subset of the format table that a command offers.
type formats []print.Format

func formatsWith(writer func(print.Format) bool) formats {
	return slices.DeleteFunc(slices.Clone(print.Formats), func(f print.Format) bool { return !writer(f) })
}

var (
	checkFormats   = formatsWith(func(f print.Format) bool { return f.Check != nil })
	statusFormats  = formatsWith(func(f print.Format) bool { return f.Status != nil })
	resumeFormats  = formatsWith(func(f print.Format) bool { return f.Resume != nil })
	recoverFormats = formatsWith(func(f print.Format) bool { return f.Recover != nil })
	explainFormats = formatsWith(func(f print.Format) bool { return f.Explain != nil })
	listFormats    = formatsWith(func(f print.Format) bool { return f.List != nil })
	inspectFormats = formatsWith(func(f print.Format) bool { return f.Inspect != nil })
)

func (l formats) names() (list []string) {
	for _, f := range l {
		list = append(list, f.Name)
	}
	return list
}

// flag registers --format.
func (l formats) flag(c *cobra.Command, group flagGroup, name *string) {
	words := l.names()
	for i, f := range l {
		if f.Hint != "" {
			words[i] += " (" + f.Hint + ")"
		}
	}
	*name = formatText
	addFlag(c, group, name, "format", "print as `FORMAT`: "+strings.Join(words, ", ")).completed(fixed(l.names()))
}

// named returns the format that --format chooses.
func (l formats) named(name string) (print.Format, error) {
	for _, f := range l {
		if f.Name == name {
			return f, nil
		}
	}
	return print.Format{}, usagef("invalid value %q for --format; %s", name, suggest.OneOf(name, l.names()))
}

func printAs(w io.Writer, f print.Format, r *result.Result, how print.Options) error {
	if !f.People {
		how.Path = nil // programs know the repository
	}
	return f.Check(w, r, how)
}

func (a *app) printing(w io.Writer) print.Options {
	return print.Options{Color: a.env.color(w), Version: version(), Width: widthOf(w)}
}

// page returns the settings for printing documentation to stdout: as wide as the terminal, or as a help page.
func (a *app) page() print.Options {
	how := a.printing(a.stdout)
	how.Width = cmp.Or(how.Width, helpWidth)
	return how
}

// widthOf returns the width of w in columns, or 0 if it is not a terminal.
func widthOf(w io.Writer) int {
	if isTerminal(w) {
		width, _ := terminalSize(w)
		return width
	}
	return 0
}

// lines is print.Lines with the width of w.
func lines(w io.Writer, first, rest, text string) error {
	return print.Lines(w, widthOf(w), first, rest, text)
}

// printed turns a failed write to stdout into an error, because the reader has not seen the result.
func printed(err error) error {
	if err != nil {
		return fault.Newf(fault.IO, "write the output: %v", err)
	}
	return nil
}

// outputs holds the destinations of one check's result.
type outputs struct {
	format  print.Format // for stdout
	summary string       // GitHub's job summary file, or ""
	reports []report
}

// A report is a file that --report names.
type report struct {
	format print.Format
	file   string
	mode   fs.FileMode // of the previous report, or of a new file
}

// outputs reads --format and --report. It removes an earlier call's reports, so that no one mistakes them for the
// result of this call, however it ends.
func (a *app) outputs(f *checkFlags) (*outputs, error) {
	format, err := checkFormats.named(f.format)
	if err != nil {
		return nil, err
	}
	o := &outputs{format: format}
	if f.statistics {
		o.format.Check = print.Statistics
	}
	if f.format == formatGitHub {
		o.summary = a.env.summary
	}
	seen := map[string]bool{}
	for _, value := range f.reports {
		r, err := parseReport(value)
		if err != nil {
			return nil, err
		}
		if seen[filepath.Clean(r.file)] {
			return nil, usagef("--report %q: another report is written to this file; use a different one", value)
		}
		seen[filepath.Clean(r.file)] = true
		o.reports = append(o.reports, r)
	}
	for i := range o.reports {
		if err := cmp.Or(a.outsideGit("report", o.reports[i].file), a.unlinked(&o.reports[i])); err != nil {
			return nil, err
		}
		if err := o.reports[i].clear(); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// has reports whether some output uses a format.
func (o *outputs) has(format string) bool {
	return o.format.Name == format ||
		slices.ContainsFunc(o.reports, func(r report) bool { return r.format.Name == format })
}

func parseReport(value string) (report, error) {
	name, file, ok := strings.Cut(value, "=")
	if !ok || file == "" {
		return report{}, usagef("invalid value %q for --report; use a format and a file, such as "+
			"--report sarif=stategate.sarif", value)
	}
	format, err := checkFormats.named(name)
	if err != nil {
		return report{}, usagef("--report %q: unknown format %q; %s", value, name,
			suggest.OneOf(name, checkFormats.names()))
	}
	return report{format, file, 0o666}, nil
}

// repository returns the repository that contains a directory, or nil if there is none.
func (a *app) repository(dir string) *git.Repo {
	return git.Find(dir, git.Settings{Environ: a.env.all, Dir: a.env.dir})
}

// outsideGit rejects a flag's output file in a git directory, where it could break the repository or become a hook.
func (a *app) outsideGit(flag, file string) error {
	dir := git.Resolved(filepath.Dir(a.absolute(file)))
	repo := a.repository(dir)
	if repo != nil && (repo.Holds(dir) || filepath.Base(file) == ".git") {
		return usagef("--%s: %s is in a git directory; use another file", flag, file)
	}
	return nil
}

// unlinked rejects a report whose path contains a symbolic link in the repository, which may lead anywhere.
func (a *app) unlinked(rep *report) error {
	top, file := git.Resolved(a.env.dir), a.absolute(rep.file)
	if !filepath.IsAbs(rep.file) {
		file = filepath.Join(top, rep.file)
	}
	if repo := a.repository(top); repo != nil {
		top = repo.Top
	}
	for at := file; strings.HasPrefix(at, top+string(filepath.Separator)); at = filepath.Dir(at) {
		info, err := os.Lstat(at)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		if to, err := os.Stat(at); at != file || err == nil && !to.Mode().IsRegular() && !to.IsDir() {
			return usagef("--report %s=%s: %s is a symbolic link in the repository, which may lead anywhere; use "+
				"its target or another file", rep.format.Name, rep.file, at)
		}
	}
	return nil
}

// clear removes an existing report. It keeps a file that is not regular, such as /dev/stdout.
func (rep *report) clear() error {
	info, err := os.Stat(rep.file)
	switch {
	case err == nil && info.IsDir():
		return usagef("--report %s=%s: this is a directory; use a file", rep.format.Name, rep.file)
	case err == nil && info.Mode().IsRegular():
		rep.mode, err = info.Mode().Perm(), os.Remove(rep.file)
	case errors.Is(err, fs.ErrNotExist):
		dir := filepath.Dir(rep.file) // not created, because a typo in its name would create a directory
		if _, err = os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			return usagef("--report %s=%s: directory %s does not exist; create it, or use another one",
				rep.format.Name, rep.file, dir)
		}
	}
	if err != nil {
		return fault.Newf(fault.IO, "write the report %s=%s: %v", rep.format.Name, rep.file, err)
	}
	return nil
}

// write prints the result to stdout, unless that is nil, and writes the reports. A failed write is an error,
// because the report's reader has not seen the result.
func (o *outputs) write(stdout io.Writer, r *result.Result, how print.Options) error {
	if stdout != nil {
		if err := printAs(stdout, o.format, r, how); err != nil {
			return fault.Newf(fault.IO, "write the output: %v", err)
		}
	}
	how.Color, how.Width, how.Path, how.Link = false, 0, nil, nil
	if o.summary != "" {
		if err := appendTo(o.summary, r, how); err != nil {
			return fault.Newf(fault.IO, "write the job summary: %v", err)
		}
	}
	for _, rep := range o.reports {
		if err := rep.write(r, how); err != nil {
			return fault.Newf(fault.IO, "write the report %s=%s: %v", rep.format.Name, rep.file, err)
		}
	}
	return nil
}

// broken writes the outputs of a check that failed because of err, and returns err. In text format, err appears only on
// stderr. A usage error produces no result, so it writes no report.
func (o *outputs) broken(stdout io.Writer, err error, how print.Options) error {
	p := problemOf(err)
	if p.code != exitBroken {
		return err
	}
	fail := fault.Failure{Kind: fault.IO, Message: p.message, Stderr: p.detail}
	var known *fault.Failure
	if errors.As(err, &known) {
		fail.Kind = known.Kind
	}
	if o.format.Name == formatText {
		stdout = nil
	}
	return errors.Join(err, o.write(stdout, &result.Result{Failures: []result.Failure{{Failure: fail}}}, how))
}

func appendTo(file string, r *result.Result, how print.Options) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE|syscall.O_NONBLOCK, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(print.GitHubSummary(f, r, how), f.Close())
}

// readerPatience is how long to wait for a named pipe's reader.
const readerPatience = 2 * time.Second

// openSpecial opens a file that is not regular. It fails for a named pipe without a reader.
func openSpecial(file string) (f *os.File, err error) {
	for start := time.Now(); time.Since(start) < readerPatience; time.Sleep(10 * time.Millisecond) {
		if f, err = os.OpenFile(file, os.O_WRONLY|syscall.O_NONBLOCK, 0); !errors.Is(err, syscall.ENXIO) {
			return f, err
		}
	}
	return nil, fmt.Errorf("%s is a named pipe, and nothing reads it", file)
}

// write replaces the file atomically, so that a partial report is never read.
func (rep report) write(r *result.Result, how print.Options) error {
	if info, err := os.Stat(rep.file); err == nil && !info.Mode().IsRegular() {
		f, err := openSpecial(rep.file)
		if err != nil {
			return err
		}
		return errors.Join(printAs(f, rep.format, r, how), f.Close())
	}
	var text bytes.Buffer
	if err := printAs(&text, rep.format, r, how); err != nil {
		return err
	}
	return atomicfile.Write(rep.file, text.Bytes(), rep.mode)
}

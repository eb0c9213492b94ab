package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
)

const formatMarkdown = "markdown"

type resumeFlags struct {
	lookFlags
	format   string
	run      string
	workflow string
}

func (a *app) resumeCommand() *cobra.Command {
	f := &resumeFlags{}
	c := &cobra.Command{
		Use:   "resume [PATH]",
		Short: "Print the brief for continuing a run",
		Long: `resume prints what a person or an agent needs to continue a run: what must be
settled, checked and read first, what is done and not to be repeated, what
remains, and the next action. PATH is where to search, the current directory if it
is left out; the root of a run names that run.

Where several runs are in progress it chooses none: it lists them with the command
that names each, and exits with 1.
With --format markdown the brief is ready to be an agent's context: whatever
comes from files is quoted as data.

Exit codes: 0 a brief, or nothing is in progress; 1 a run must be named, or an
error hides whether there is one; 2 the call is wrong; 3 something could not be
checked.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, paths []string) error { return a.resume(c, f, paths) },
	}
	f.register(a, c)
	c.Flags().StringVar(&f.format, "format", formatText, "print as `FORMAT`: text, json, markdown")
	c.Flags().StringVar(&f.run, "run", "", "continue the run `NAME`, where a root holds several")
	c.Flags().StringVar(&f.workflow, "workflow", "", "continue a run of the workflow `NAME`")
	completeWords(c, "format", formatText, formatJSON, formatMarkdown)
	completeFlag(c, "workflow", a.workflows(noFiles))
	c.ValidArgsFunction = inOrder(c.ValidArgsFunction)
	return c
}

func (a *app) resume(c *cobra.Command, f *resumeFlags, paths []string) error {
	if err := oneFormat(f.format, formatText, formatJSON, formatMarkdown); err != nil {
		return err
	}
	if err := refuseEmpty(c, "run", "workflow"); err != nil {
		return err
	}
	o, p, err := a.options(c, &f.lookFlags, paths)
	if err != nil {
		return err
	}
	if err := knownWorkflow(f.workflow, p); err != nil {
		return err
	}
	r, err := a.look(c.Context(), o, f.noCache)
	if err != nil {
		return err
	}
	x, err := a.resumption(r, f, paths)
	if err != nil {
		return err
	}
	a.code = resumeCode(x)
	how := a.printing(a.stdout)
	how.FailOn = f.closes()
	return a.printed(resumePrinters[f.format](a.stdout, x, how))
}

// resumeCode is 3 if something could not be checked, and 1 if a run must be
// named or an error hides whether there is one.
func resumeCode(x *print.Resumption) int {
	switch {
	case len(x.Failures) > 0:
		return exitBroken
	case x.Run == nil && len(x.Choices)+len(x.Hidden) > 0:
		return exitClosed
	}
	return exitOpen
}

func (a *app) resumption(r *result.Result, f *resumeFlags, paths []string) (*print.Resumption, error) {
	x := &print.Resumption{Failures: r.Failures}
	if !a.isHere(r.Workspace) {
		x.Workspace = r.Workspace
	}
	all := meantBy(r.Runs(), a.anchored(r.Workspace, paths), len(paths) > 0)
	all = slices.DeleteFunc(all, func(run result.Run) bool { return f.workflow != "" && run.Instance.Plugin != f.workflow })
	choices := a.commands(all, r.Workspace, &f.lookFlags)
	if f.run != "" {
		return x, f.named(x, choices)
	}
	for _, c := range choices {
		if c.InProgress() {
			x.Choices = append(x.Choices, c)
		} else {
			x.Over = append(x.Over, c)
		}
	}
	x.Hidden = hidden(r)
	if len(x.Choices) == 1 && certain(x.Choices[0].Run, r.Failures) {
		chosen(x, x.Choices[0])
	}
	return x, nil
}

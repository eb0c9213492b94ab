package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stategate/stategate/cmd/stategate/internal/agent"
	"github.com/stategate/stategate/host/atomicfile"
	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/git"
)

// hookBudget is how many tokens of a context a brief takes, if that is possible.
const hookBudget = 2000

// The exit codes of a hook are not those of the other subcommands: 2 is what agents take for a closed gate.
const (
	exitFailed  = 1 // the agent goes on, and its user sees a line
	exitBlocked = 2
)

func (a *app) hookCommand() *cobra.Command {
	c := &cobra.Command{
		Use:               "hook AGENT",
		Short:             "Answer an event of a coding agent's hooks",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: inOrder(cobra.FixedCompletions(agent.Names(), noFiles)),
		RunE: func(c *cobra.Command, args []string) (err error) {
			defer func() {
				if p := recover(); p != nil { // a panic exits with 2, which would lock the agent out
					err = hookFailed(fmt.Errorf("internal error: %v", p))
				}
			}()
			if err := a.hook(c, args); err != nil {
				return hookFailed(err)
			}
			return nil
		},
	}
	c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return hookFailed(err) })
	return c
}

// hookFailed is a failure of stategate in a hook: one line, and an exit code that no agent takes for a closed gate.
func hookFailed(err error) error {
	line, _, _ := strings.Cut(problemOf(err).message, "\n")
	return &problem{code: exitFailed, message: line + " (the hook checked nothing; commits and CI stay gated)"}
}

func (a *app) hook(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef("wrong number of arguments: %d; write `%s`", len(args), c.UseLine())
	}
	by := agent.Find(args[0])
	if by == nil {
		return usagef("no agent is called %q; %s", args[0], oneOf(args[0], agent.Names()))
	}
	if isTerminal(a.stdin) {
		return usagef("stategate hook is for the settings of an agent, which writes an event to its standard input; `stategate init --agent %s` sets it up", by.Name)
	}
	event, err := agent.Read(a.stdin)
	if err != nil {
		return err
	}
	in := *a
	in.stderr = io.Discard // notes are for people
	defer func() { a.code = in.code }()
	if dir := event.At(); dir != "" {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			in.env.dir, in.env.here = dir, dir
		}
	}
	h := &hookCall{app: &in, by: by, event: event, blocked: a.stderr}
	switch kind := by.Kind(event); {
	case kind == agent.Start:
		return h.begin(c)
	case kind == agent.Compact:
		return h.remember("")
	case kind == agent.Stop && event.Repeats(), kind == agent.Other:
		return nil
	}
	return h.judge(c)
}

// hookCall is one call by an agent.
type hookCall struct {
	*app
	by      *agent.Agent
	event   *agent.Event
	blocked io.Writer // what an agent reads that may not go on
}

// look checks the repository that the agent works in, or its directory where there is none.
func (h *hookCall) look(c *cobra.Command, changed bool) (*result.Result, *lookFlags, []string, error) {
	l := &lookFlags{}
	o := h.hostOptions(limits.Default(), false)
	o.Now = time.Now()
	if repo := git.Find(h.env.dir, git.Settings{Environ: h.env.all, Dir: h.env.dir}); repo != nil && !repo.Bare {
		if rel, err := filepath.Rel(git.Resolved(h.env.dir), repo.Top); err != nil {
			o.Paths = []string{repo.Top}
		} else if rel != "." {
			o.Paths = []string{rel}
		}
		o.Changed, o.Predecessors = changed, changed
	}
	if _, err := h.configured(c, l, &o); err != nil {
		return nil, nil, nil, err
	}
	r, err := check.Check(c.Context(), o)
	if err == nil {
		err = context.Cause(c.Context())
	}
	return r, l, o.Paths, err
}

// begin gives the agent the brief of the run that is in progress, or all runs in short; nothing where there is nothing to say.
func (h *hookCall) begin(c *cobra.Command) error {
	if err := h.remember(""); err != nil {
		return err
	}
	r, l, paths, err := h.look(c, false)
	if err != nil {
		return err
	}
	x, err := h.resumption(r, &resumeFlags{lookFlags: *l}, paths)
	if err != nil || x.Run == nil && len(x.Choices)+len(x.Hidden)+len(x.Failures) == 0 {
		return err
	}
	h.dated(c.Context(), r, x, time.Now())
	var text strings.Builder
	text.WriteString("Runs of workflows are in progress in this repository. That matters where your task is to continue one.\n\n")
	how := h.printing(&text)
	how.FailOn, how.Budget = l.closes(), hookBudget
	if err := print.ResumeMarkdown(&text, x, how); err != nil {
		return err
	}
	return h.answer(text.String())
}

// judge says what closes the gate in runs that changed since the last commit, unless it was said to this agent before. An
// agent that wants to end hears it again, once.
func (h *hookCall) judge(c *cobra.Command) error {
	r, l, paths, err := h.look(c, true)
	if err != nil {
		return err
	}
	failOn := l.closes()
	findings := *r
	findings.Failures = nil
	if findings.Gate(failOn) == result.Open {
		if len(r.Failures) > 0 {
			f := r.Failures[0]
			return fmt.Errorf("plugin %s: %s", f.Plugin, f.Message)
		}
		return h.remember("")
	}
	var said []string
	for i := range r.Instances {
		for _, d := range (result.Run{Instance: &r.Instances[i]}).Closing(failOn) {
			said = append(said, d.Fingerprint)
		}
	}
	slices.Sort(said)
	stop := h.by.Kind(h.event) == agent.Stop
	digest := result.ID(append(said, fmt.Sprint(stop))...)
	if (!stop || !h.by.Counts()) && h.remembers(digest) {
		return nil
	}
	var text strings.Builder
	how := h.printing(&text)
	how.FailOn, how.Recover = failOn, h.fixCommand(l, paths, r)
	h.placed(&how, r.Workspace)
	again := shellWords(append([]string{program(), "check", "--changed"}, paths...))
	if err := print.Feedback(&text, r, again, how); err != nil {
		return err
	}
	if err := h.remember(digest); err != nil {
		return err
	}
	return h.answer(text.String())
}

// answer gets a text to the agent.
func (h *hookCall) answer(text string) error {
	reply, err := h.by.Answer(h.event, text)
	switch {
	case err != nil:
		return err
	case reply == nil:
		h.code = exitBlocked
		_, err = io.WriteString(h.blocked, text)
		return err
	}
	_, err = h.stdout.Write(append(reply, '\n'))
	return h.printed(err)
}

// memory is the file that holds what agents were told last, a line for each session; "" where nothing is remembered.
func (h *hookCall) memory() string {
	if h.env.cacheDir == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(h.env.cacheDir), "hooks", result.ID(h.env.dir))
}

const maxMemory = 50 // sessions

func (h *hookCall) told() (others []string, last string) {
	data, _ := os.ReadFile(h.memory())
	for line := range strings.FieldsSeq(string(data)) {
		if digest, ok := strings.CutPrefix(line, result.ID(h.event.Conversing())+"="); ok {
			last = digest
		} else {
			others = append(others, line)
		}
	}
	return others[max(len(others)-maxMemory, 0):], last
}

// remembers reports whether this session heard the same last. Without a memory it is taken to have, so that no hook keeps an
// agent going for ever.
func (h *hookCall) remembers(digest string) bool {
	_, last := h.told()
	return h.memory() == "" || last == digest
}

// remember keeps what this session is told; "" forgets it.
func (h *hookCall) remember(digest string) error {
	others, last := h.told()
	if h.memory() == "" || last == digest {
		return nil
	}
	if digest != "" {
		others = append(others, result.ID(h.event.Conversing())+"="+digest)
	}
	if err := os.MkdirAll(filepath.Dir(h.memory()), 0o700); err != nil {
		return err
	}
	return atomicfile.Write(h.memory(), []byte(strings.Join(others, "\n")+"\n"), 0o600)
}

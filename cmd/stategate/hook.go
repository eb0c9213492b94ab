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
	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source/git"
	"github.com/stategate/stategate/host/suggest"
)

// hookBudget is the target size of a brief in the agent's context, in tokens.
const hookBudget = 2000

// eventWait limits how long an agent may take to write an event. Otherwise the agent and the hook could wait for each
// other forever.
const eventWait = 5 * time.Second

// A hook's exit codes differ from those of the other subcommands, because agents read 2 as a closed gate.
const (
	exitFailed  = 1 // the agent continues, and its user sees one line
	exitBlocked = 2
)

func hookCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:               "hook AGENT",
		Short:             "Answer an event from a coding agent's hooks",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: inOrder(fixed(agent.Names())),
		RunE: func(c *cobra.Command, args []string) (err error) {
			defer func() {
				if p := recover(); p != nil { // a panic exits with 2, which would block the agent
					err = hookFailed(fmt.Errorf("internal error: %v", p))
				}
			}()
			if err := hook(c, a, args); err != nil {
				return hookFailed(err)
			}
			return nil
		},
	}
	c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return hookFailed(err) })
	return c
}

// hookFailed returns the problem for a failure of stategate in a hook: one line, and an exit code that agents do not
// read as a closed gate.
func hookFailed(err error) error {
	if problemOf(err).message == "" {
		return err // it carries the answer's exit code
	}
	line, _, _ := strings.Cut(problemOf(err).message, "\n")
	return &problem{code: exitFailed, message: line + " (this hook checked nothing; commits and CI are still gated)"}
}

func hook(c *cobra.Command, a *app, args []string) error {
	if len(args) != 1 {
		return usagef("found %s; write `%s`", print.Count(len(args), "argument"), c.UseLine())
	}
	by := agent.Find(args[0])
	if by == nil {
		return usagef("no agent is called %q; %s", args[0], suggest.OneOf(args[0], agent.Names()))
	}
	if isTerminal(a.stdin) {
		return usagef("stategate hook is called by an agent, which writes an event to its standard input; "+
			"`stategate init --agent %s` sets it up", by.Name)
	}
	waiting, stop := context.WithTimeoutCause(c.Context(), eventWait,
		fmt.Errorf("no event on standard input within %s", eventWait))
	defer stop()
	event, err := agent.Read(waiting, a.stdin)
	if err != nil {
		return err
	}
	in := *a
	in.stderr = io.Discard // notes are for people
	if dir := event.At(); dir != "" {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return fmt.Errorf("the agent's working directory, %s, does not exist", dir)
		}
		in.env.dir, in.env.here = dir, dir
	}
	h := &hookCall{app: &in, by: by, event: event, blocked: a.stderr}
	h.follow()
	switch kind := by.Kind(event); {
	case kind == agent.Start:
		return h.begin(c.Context())
	case kind == agent.Compact:
		return h.remember(nil)
	case kind == agent.Stop && (event.Repeats() || event.Abandoned()), kind == agent.Other:
		return nil
	case kind != agent.Stop && h.workTree() == nil:
		return nil // a check would read everything each time, and it is unknown what changed
	}
	return h.judge(c.Context())
}

type hookCall struct {
	*app
	by      *agent.Agent
	event   *agent.Event
	blocked io.Writer // read by an agent that must not continue
	partly  bool      // only one file's run was checked
	enter   string    // the checked repository if it is not the agent's own, or ""
	begun   []string  // what is compared with, if the session has commits; see sessionBegan
}

// follow switches to the repository of the file that a tool wrote. It may be a different worktree from the agent's.
func (h *hookCall) follow() {
	file := h.event.Input.File
	if h.by.Kind(h.event) != agent.Tool || !filepath.IsAbs(file) {
		return
	}
	if repo := h.repository(filepath.Dir(file)); repo != nil && !repo.Bare {
		if here := h.workTree(); here == nil || here.Top != repo.Top {
			h.env.dir, h.env.here, h.enter = repo.Top, repo.Top, repo.Top
		}
	}
}

// workTree returns the repository that the agent works in, or nil if there is none.
func (h *hookCall) workTree() *git.Repo {
	if repo := h.repository(h.env.dir); repo != nil && !repo.Bare {
		return repo
	}
	return nil
}

// examine checks the agent's repository, or its directory if there is no repository.
func (h *hookCall) examine(ctx context.Context, changed bool) (*result.Result, *request, error) {
	o := hostOptions(h.app, false)
	o.Now, o.NoResume, o.Predecessors = time.Now(), changed, true
	if repo := h.workTree(); repo != nil {
		if changed {
			h.begun = h.sessionBegan(ctx, repo)
			o.Heads, o.Predecessors = h.begun, !slices.Contains(h.begun, baseNone)
		}
		o.Changed = changed
		if file := h.written(repo.Top); file != "" {
			o.Paths, h.partly = []string{file}, true
		}
	}
	q, err := configured(ctx, h.app, &examineFlags{}, o)
	if err != nil {
		return nil, nil, err
	}
	q.FailOn = closesAt(q.settings.Config)
	r, err := check.Check(ctx, q.Options)
	if err == nil {
		err = context.Cause(ctx)
	}
	return r, q, err
}

// call returns the flags that printed commands repeat.
func (h *hookCall) call() *advice.Call {
	c := (&examineFlags{}).call(h.app, nil)
	c.Enter = h.enter
	for _, id := range h.begun {
		if id == baseNone {
			c.Bases = []string{id}
			break
		}
		c.Exact = append(c.Exact, fmt.Sprintf("%.12s", id))
	}
	return c
}

// written returns the file below top that a tool reports having written, or "". Because the agent waits, only the run
// that contains this file is checked. When the agent wants to end, all runs are checked.
func (h *hookCall) written(top string) string {
	file := h.event.Input.File
	if h.by.Kind(h.event) != agent.Tool || file == "" {
		return ""
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(h.env.dir, file)
	}
	dir := git.Resolved(filepath.Dir(file))
	rel, err := filepath.Rel(top, filepath.Join(dir, filepath.Base(file)))
	info, missing := os.Lstat(file)
	if err != nil || missing != nil || !info.Mode().IsRegular() || !filepath.IsLocal(rel) ||
		slices.Contains(strings.Split(filepath.ToSlash(rel), "/"), ".git") {
		return ""
	}
	return file
}

// begin sends the agent the brief for the run in progress, or a short list if several runs are in progress. It
// sends nothing if there are none.
func (h *hookCall) begin(ctx context.Context) error {
	if err := h.beginSession(ctx); err != nil {
		return err
	}
	r, q, err := h.examine(ctx, false)
	if err != nil {
		return err
	}
	x, err := resumption(h.app, r, h.call(), "", "")
	if err != nil || x.Run == nil && len(x.Choices)+len(x.ErrorsWithoutRun)+len(x.Failures) == 0 {
		return err
	}
	addDate(ctx, h.app, r, x, time.Now())
	var text strings.Builder
	text.WriteString("Workflow runs are in progress in this repository. Read this if your task is to continue one.\n\n")
	how := h.printing(&text)
	how.FailOn, how.Budget = q.FailOn, hookBudget
	if !h.startedAt(r.Workspace) {
		how.Workspace = r.Workspace
	}
	if err := print.ResumeMarkdown(&text, x, how); err != nil {
		return err
	}
	return h.answer(text.String())
}

// judge reports what closes the gate in runs that changed since the last commit, unless it has already reported all of
// it to this agent. When the agent wants to end, judge reports everything once more.
func (h *hookCall) judge(ctx context.Context) error {
	r, q, err := h.examine(ctx, true)
	if err != nil {
		return err
	}
	failOn := q.FailOn
	findings := *r
	findings.Failures = nil
	if findings.Gate(failOn) == result.Open {
		if len(r.Failures) > 0 {
			f := r.Failures[0]
			return fmt.Errorf("plugin %s: %s", f.Plugin, f.Message)
		}
		if h.partly {
			return nil
		}
		return h.askAboutLoosened(ctx, r, q)
	}
	stop, mark := h.by.Kind(h.event) == agent.Stop, ""
	if stop {
		mark = "!" // reported when the agent wanted to end
	}
	var said []string
	for _, d := range r.Findings() {
		if d.Severity >= failOn {
			said = append(said, mark+d.Fingerprint)
		}
	}
	_, before := h.remembered()
	news := h.memory() != "" &&
		slices.ContainsFunc(said, func(s string) bool { return !slices.Contains(before.told, s) })
	if (!stop || !h.by.Counts()) && !news {
		return nil // without memory, a hook could keep an agent going forever
	}
	var text strings.Builder
	how := h.printing(&text)
	how.FailOn, how.Recover = failOn, h.call().Recover(r)
	placed(h.app, &how, r.Workspace)
	if err := print.Feedback(&text, r, h.call().CheckChanged(), how); err != nil {
		return err
	}
	if err := h.remember(append(before.told, said...)); err != nil {
		return err
	}
	return h.answer(text.String())
}

// askAboutLoosened tells the agent once, when it wants to end, that the session loosens the gate, because an agent
// may loosen it in order to end. Then it forgets what it reported.
func (h *hookCall) askAboutLoosened(ctx context.Context, r *result.Result, q *request) error {
	list := loosenedBy(ctx, h.app, &examineFlags{}, q, r)
	if len(list) == 0 || h.by.Kind(h.event) != agent.Stop || h.memory() == "" {
		return h.remember(nil)
	}
	mark := "!" + result.ID(append([]string{"loosened"}, list...)...)
	_, before := h.remembered()
	if err := h.remember([]string{mark}); err != nil || slices.Contains(before.told, mark) {
		return err
	}
	return h.answer("stategate: this session loosens the gate: " + print.Safe(strings.Join(list, "; ")) +
		".\nIf the user did not ask for that, undo it. Otherwise, tell the user, and end.\n")
}

func (h *hookCall) answer(text string) error {
	reply, err := h.by.Answer(h.event, text)
	switch {
	case err != nil:
		return err
	case reply == nil:
		if _, err = io.WriteString(h.blocked, text); err != nil {
			return err
		}
		return exit(exitBlocked)
	}
	_, err = h.stdout.Write(append(reply, '\n'))
	return printed(err)
}

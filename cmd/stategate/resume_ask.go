package main

import (
	"context"
	"fmt"
	"time"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
)

// chooseRun lets the user choose, at a terminal that both shows the question and takes
// the answer. The question goes to stderr, so that the brief alone is on stdout.
func (a *app) chooseRun(ctx context.Context, r *result.Result, x *print.Resumption, f *resumeFlags, now time.Time) error {
	if len(x.Choices) < 2 || len(x.Failures) > 0 || f.format == formatJSON || a.env.dumb {
		return nil
	}
	p := a.newPrompt(a.stderr)
	if p == nil {
		return nil
	}
	var runs []result.Run
	for _, c := range x.Choices {
		runs = append(runs, c.Run)
	}
	a.touched(ctx, r, runs, now)
	how, n := a.printing(a.stderr), len(x.Choices)
	how.FailOn = f.closes()
	if err := print.Choices(a.stderr, x.Choices, now, how); err != nil {
		return a.printed(err)
	}
	at, err := p.number(ctx, fmt.Sprintf("%d runs are in progress. Continue which? [1-%d, q to quit]", n, n), n)
	if err != nil {
		return err
	}
	if at == 0 {
		return &problem{code: exitClosed, message: "no run was chosen; `stategate resume PATH` names one"}
	}
	chosen(x, x.Choices[at-1])
	return nil
}

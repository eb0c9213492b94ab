package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/stategate/stategate/host/print"
)

// chooseRun lets the user choose, at a terminal that both shows the question and takes
// the answer. The question goes to stderr, so that the brief alone is on stdout.
func (a *app) chooseRun(ctx context.Context, x *print.Resumption, f *resumeFlags) error {
	if len(x.Choices) < 2 || len(x.Failures) > 0 || f.format == formatJSON || a.env.dumb {
		return nil
	}
	p := a.newPrompt(a.stderr)
	if p == nil {
		return nil
	}
	n := len(x.Choices)
	width, _ := terminalSize(a.stderr)
	digits := len(strconv.Itoa(n))
	for i, line := range print.RunLines(x.Choices, width-digits-len("  ")) {
		fmt.Fprintf(a.stderr, "%*d  %s\n", digits, i+1, line)
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

package main

import (
	"cmp"
	"context"
	"slices"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// unjudged says how to judge the commits that a check of an unchanged working tree compares with nothing: those that
// the upstream branch, or else the default branch, lacks. It is "" if there are none.
func unjudged(ctx context.Context, a *app, q *request, r *result.Result, call *advice.Call) string {
	if r.Source != wire.Worktree || !q.Predecessors || len(r.Base) != 1 || len(r.Instances) == 0 ||
		slices.ContainsFunc(r.Instances, func(i result.Instance) bool { return i.Touched }) {
		return ""
	}
	repo := a.repository(a.env.dir)
	if repo == nil {
		return ""
	}
	branches, err := repo.Branches(ctx)
	if err != nil {
		return ""
	}
	branch := cmp.Or(branches.Upstream, branches.DefaultRev())
	if branch == "" || branch == branches.Current {
		return ""
	}
	n := repo.Ahead(ctx, branch)
	if n == 0 {
		return ""
	}
	are := " are not on "
	if n == 1 {
		are = " is not on "
	}
	judge := *call
	judge.Bases = []string{branch}
	return "nothing changed since HEAD; " + print.Count(n, "commit") + are + print.Safe(branch) + ": " +
		judge.CheckAll(r)
}

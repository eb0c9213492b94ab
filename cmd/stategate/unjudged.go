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

// unjudged returns a note on how to check commits that are not yet on the upstream branch, or on the default branch if
// there is no upstream, because a check of an unchanged working tree does not compare them. It returns "" if there are
// none.
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
	branch = repo.BranchName(ctx, branch)
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

package main

import (
	"context"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/host/source"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/sdk/words"
)

// staged returns the files to stage if the working tree no longer contains what a remedy fixes, but the index does.
func (r *recovery) staged(ctx context.Context, id string) []string {
	o := r.request.Options
	o.Source = wire.Index
	index, err := check.Check(ctx, o)
	if err != nil {
		return nil // not in a repository, so there is no index
	}
	return index.Fixed(id)
}

// lookUp finds a remedy that recover does not list, because its finding is in the baseline, but that can still be
// applied. For any other id, it returns an error that says why the id is not listed.
func (r *recovery) lookUp(ctx context.Context, id string, all []result.Offer) (*result.Offer, error) {
	if r.request.Policy.Baseline != nil || len(r.request.Policy.Ignore) > 0 {
		o := r.request.Options
		o.Policy.Baseline = nil
		if f, err := offerIn(ctx, o, id); f != nil || err != nil {
			return f, err
		}
		o.Policy.Ignore = nil
		if f, err := offerIn(ctx, o, id); f != nil || err != nil {
			if err == nil {
				err = usagef("remedy %s is for a finding that the configuration accepts (%s); remove the ignore first",
					id, f.Finding.Place)
			}
			return nil, err
		}
	}
	for _, other := range otherBases(ctx, r.app, r.request) {
		o := r.request.Options
		o.Policy.Baseline, o.Compare = nil, other
		switch f, err := offerIn(ctx, o, id); {
		case err != nil:
			return nil, err // the id is ambiguous
		case f != nil:
			call := *r.call
			call.Bases, call.Exact = other.Bases, other.Exact
			return nil, usagef("remedy %s is for a finding with another base; run %s", id,
				advice.Apply(call.Recover(&result.Result{Workspace: r.say.Result.Workspace}), id))
		}
	}
	return nil, unknownOffer(id, all)
}

// offerIn runs a separate check and finds the remedy with the given id. It returns nil if there is none, or if nothing
// could be checked.
func offerIn(ctx context.Context, o check.Options, id string) (*result.Offer, error) {
	found, err := check.Check(ctx, o)
	if err != nil {
		return nil, nil
	}
	return offerOf(id, found.Offers())
}

// otherBases returns the bases that a printed command may have used: HEAD, its parents, and the merge base with the
// default branch.
func otherBases(ctx context.Context, a *app, q *request) (list []source.Compare) {
	repo := a.repository(a.env.dir)
	if repo == nil {
		return nil
	}
	if !q.Predecessors {
		list = append(list, source.Compare{Predecessors: true})
	}
	list = append(list, source.Compare{Bases: []string{parents}})
	if branches, err := repo.Branches(ctx); err == nil && branches.DefaultRev() != "" {
		list = append(list, source.Compare{Bases: []string{repo.BranchName(ctx, branches.DefaultRev())}})
	}
	return list
}

func unknownOffer(id string, all []result.Offer) error {
	ids := make([]string, len(all))
	for i := range all {
		ids[i] = all[i].ID
	}
	if near := words.Nearest(id, ids); near != "" {
		return usagef("no remedy here has the id %q; did you mean %s?", id, near)
	}
	if len(all) == 0 {
		return usagef("no remedy has the id %q: no finding has a remedy now", id)
	}
	return usagef("no remedy has the id %q, perhaps because its finding is fixed; `stategate recover` lists the "+
		"ids", id)
}

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

// staged returns what to stage where the index still has what a remedy fixes, and the working tree does not.
func (r *recovery) staged(ctx context.Context, id string) []string {
	o := r.request.Options
	o.Source = wire.Index
	index, err := check.Check(ctx, o)
	if err != nil {
		return nil // there is no index
	}
	return index.Fixed(id)
}

// lookUp finds the remedy with an id that recover does not list: of a finding in the baseline, which may be repaired.
// Anything else is refused, and the error says why it is not listed.
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
				err = usagef("remedy %s is for a finding that the configuration accepts: %s; remove the ignore first",
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
			return nil, usagef("remedy %s is for a finding against another base; type %s", id,
				advice.Apply(call.Recover(&result.Result{Workspace: r.say.Result.Workspace}), id))
		}
	}
	return nil, unknownOffer(id, all)
}

// offerIn finds the remedy with an id in a check of its own; nil if there is none, or if nothing could be checked.
func offerIn(ctx context.Context, o check.Options, id string) (*result.Offer, error) {
	found, err := check.Check(ctx, o)
	if err != nil {
		return nil, nil
	}
	return offerOf(id, found.Offers())
}

// otherBases are those that a printed command may have compared with: HEAD, its parents, and the merge base with the
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
		list = append(list, source.Compare{Bases: []string{branches.DefaultRev()}})
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
		return usagef("no remedy has the id %q: its finding is gone, and no other finding has one", id)
	}
	return usagef("no remedy has the id %q: its finding is gone; `stategate recover` lists the ids", id)
}

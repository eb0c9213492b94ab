package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/repair"
	"github.com/stategate/stategate/host/suggest"
	"github.com/stategate/stategate/sdk/wire"
)

// offers finds what --apply names, each once. What is applied already, so that it is
// only to be staged, is said and left out.
func (r *recovery) offers(ctx context.Context) ([]print.Offer, error) {
	all := print.Offers(r.say.Result)
	var named []print.Offer
	for _, id := range r.f.apply {
		f, err := offerOf(id, all)
		if err != nil {
			return nil, err
		}
		if f == nil && r.narrow() {
			if err := r.widen(ctx); err != nil {
				return nil, err
			}
			return r.offers(ctx)
		}
		if f == nil {
			if staged := r.staged(ctx, id); staged == nil {
				return nil, unknownOffer(id, all)
			} else if err := r.then("already fixed in the work tree: ", staged); err != nil {
				return nil, err
			}
			continue
		}
		if !slices.ContainsFunc(named, func(other print.Offer) bool { return other.ID == f.ID }) {
			named = append(named, *f)
		}
	}
	return named, nil
}

// narrow reports whether only a part of the repository was checked, because of the
// directory of the call.
func (r *recovery) narrow() bool {
	return len(r.o.Paths) == 0 && !r.o.Workspace.IsWhole()
}

// widen checks the whole repository: an id is printed by hooks, too, which do.
func (r *recovery) widen(ctx context.Context) error {
	r.o.Workspace = r.o.Workspace.Whole()
	wide, err := repair.OpenRepair(ctx, r.o)
	if err != nil {
		return err
	}
	r.repair.Close()
	r.repair = wide
	return r.look(ctx)
}

// shortestID is how many characters of an id are printed, and to be typed, at least. A number that is typed out of
// habit is none.
const shortestID = 4

// offerOf finds the remedy with an id, or the only one whose id begins so; nil if
// there is none.
func offerOf(id string, all []print.Offer) (*print.Offer, error) {
	var found []*print.Offer
	for i := range all {
		switch {
		case all[i].ID == id:
			return &all[i], nil
		case strings.HasPrefix(all[i].ID, id):
			found = append(found, &all[i])
		}
	}
	switch {
	case len(id) < shortestID:
		return nil, usagef("the id %q is too short: give its first %d characters or more", id, shortestID)
	case len(found) == 0:
		return nil, nil
	case len(found) == 1:
		return found[0], nil
	}
	message := fmt.Sprintf("the id %q is ambiguous; available:", id)
	for _, f := range found {
		message += fmt.Sprintf("\n%s  %s", f.ID, f.Title)
	}
	return nil, usagef("%s", message)
}

func unknownOffer(id string, all []print.Offer) error {
	if near := suggest.Nearest(id, idsOf(all)); near != "" {
		return usagef("no remedy here has the id %q; did you mean %s?", id, near)
	}
	if len(all) == 0 {
		return usagef("no remedy has the id %q: what it would fix is gone, and nothing else here has one", id)
	}
	return usagef("no remedy has the id %q: what it would fix is gone, or it needs another PATH or --base; `stategate recover` lists the ids", id)
}

// staged returns what to stage where the index still has what a remedy fixes, and the
// work tree does not.
func (r *recovery) staged(ctx context.Context, id string) []string {
	o := r.o
	o.Source, o.Last = wire.Index, false
	if len(o.Bases) == 0 {
		o.Predecessors = true
	}
	index, err := check.Check(ctx, o)
	if err != nil {
		return nil // there is no index
	}
	return index.Fixed(id)
}

// then says what stages paths.
func (r *recovery) then(first string, paths []string) error {
	r.say.Then = r.gitAdd(r.say.Result.Workspace, paths)
	return r.text(func() error { return lines(r.stdout, first, "", r.say.Then) })
}

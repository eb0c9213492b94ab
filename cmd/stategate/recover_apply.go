package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

func (r *recovery) named(ctx context.Context) error {
	offers, err := r.offers(ctx)
	if err != nil || len(offers) == 0 {
		return err
	}
	is := func(safety wire.Safety) func(result.Offer) bool {
		return func(f result.Offer) bool { return f.Safety == safety }
	}
	if slices.ContainsFunc(offers, is(wire.Manual)) {
		r.closeGate()
		byHand := slices.DeleteFunc(offers, func(f result.Offer) bool { return f.Safety != wire.Manual })
		return printed(print.ByHand(r.out, byHand, r.how))
	}
	_, err = r.apply(ctx, offers, r.ask != nil && slices.ContainsFunc(offers, is(wire.Review)))
	return err
}

// offers returns the remedies that --apply names, each once. If a remedy is already applied and only needs staging, it
// prints that and leaves the remedy out.
func (r *recovery) offers(ctx context.Context) ([]result.Offer, error) {
	all := r.say.Result.Offers()
	var named []result.Offer
	add := func(list ...result.Offer) {
		for _, f := range list {
			if !slices.ContainsFunc(named, func(other result.Offer) bool { return other.ID == f.ID }) {
				named = append(named, f)
			}
		}
	}
	for _, id := range r.f.apply {
		f, err := offerOf(id, all)
		if f == nil {
			list, known, refused := ofRule(id, r.request.plugins.list, r.say.Result)
			if refused != nil {
				return nil, refused
			}
			if add(list...); known {
				continue
			}
		}
		if err != nil {
			return nil, err
		}
		if f == nil {
			staged := r.staged(ctx, id)
			if staged == nil {
				if f, err = r.lookUp(ctx, id, all); err != nil {
					return nil, err
				}
				add(*f)
				continue
			}
			r.say.NextCommand = r.shell(r.say.Result.Workspace).Add(staged)
			if err := printed(lines(r.out, "already fixed in the working tree: ", "", r.say.NextCommand)); err != nil {
				return nil, err
			}
		} else {
			add(*f)
		}
	}
	return named, nil
}

// shortestID is the minimum length of an id, both printed and typed. It is long enough that a list number that a user
// types out of habit is not read as an id.
const shortestID = 4

// offerOf returns the remedy with the given id, or the only one whose id begins with id, or nil if there is none.
func offerOf(id string, all []result.Offer) (*result.Offer, error) {
	var found []*result.Offer
	id = strings.ToLower(id) // users may type it in upper case
	for i := range all {
		switch {
		case all[i].ID == id || slices.Contains(all[i].Former, id):
			return &all[i], nil
		case slices.ContainsFunc(append([]string{all[i].ID}, all[i].Former...),
			func(known string) bool { return strings.HasPrefix(known, id) }):
			found = append(found, &all[i])
		}
	}
	switch {
	case len(id) < shortestID:
		return nil, usagef("the id %q is too short; use its first %d characters or more", id, shortestID)
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

// choose asks on the terminal for one remedy after another, until no offers are left or the user quits.
func (r *recovery) choose(ctx context.Context) error {
	for {
		if err := print.Recover(r.stdout, r.say, r.how); err != nil {
			return printed(err)
		}
		offers := r.say.Result.Offers()
		if len(offers) == 0 {
			r.remains()
			return nil
		}
		for made := false; !made; {
			chosen, err := r.chosen(ctx, offers)
			if err != nil || len(chosen) == 0 {
				r.closeGate()
				return err
			}
			if made, err = r.apply(ctx, chosen, true); err != nil {
				return err
			}
		}
		r.repair.Release() // the user may take a long time
		if _, err := fmt.Fprintln(r.stdout); err != nil {
			return printed(err)
		}
	}
}

const chosenHelp = `ID    show what a remedy changes, then ask; its first 4 characters are enough
RULE  the same, with one remedy for each finding of a rule
a     apply all safe remedies, after showing what they change
q     quit

What is kept as it is on purpose: stategate accept ID --reason TEXT
What may be undone: stategate recover --undo
`

// chosen asks until the answer is a remedy that can be applied, or all safe remedies. It returns none if the user
// quits.
func (r *recovery) chosen(ctx context.Context, offers []result.Offer) ([]result.Offer, error) {
	safe, all := result.Safe(offers), ""
	if len(safe) > 0 {
		all = ", a for all safe ones"
	}
	for {
		answer, ok, err := r.ask.ask(ctx, "Which remedy? [ID"+all+", ? for help, q to quit]")
		switch {
		case err != nil || !ok || answer == "" || strings.EqualFold(answer, "q"):
			return nil, err
		case all != "" && strings.EqualFold(answer, "a"):
			return safe, nil
		case answer == "?" || strings.EqualFold(answer, "help"):
			fmt.Fprint(r.stdout, chosenHelp)
			continue
		}
		offer, err := offerOf(answer, offers)
		var chosen []result.Offer
		if offer != nil {
			chosen = []result.Offer{*offer}
		} else if list, known, refused := ofRule(answer, r.request.plugins.list, r.say.Result); known {
			chosen, err = list, refused
		}
		if err != nil {
			fmt.Fprintln(r.stdout, problemOf(err).message)
		} else if len(chosen) > 0 && chosen[0].Safety != wire.Manual {
			return chosen, nil
		}
		fmt.Fprintf(r.stdout, "Type an id from the list, such as %.4s%s, or q.\n", offers[0].ID, all)
	}
}

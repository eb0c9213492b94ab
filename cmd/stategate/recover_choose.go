package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// choose asks on the terminal, one remedy after the other, until nothing is
// offered or wanted. Ids stay hidden behind numbers.
func (r *recovery) choose(ctx context.Context) error {
	for {
		if err := print.Recover(r.stdout, r.say.Result, &r.numbers, r.how); err != nil {
			return r.printed(err)
		}
		offers := print.Offers(r.say.Result)
		if len(offers) == 0 {
			r.remains()
			return nil
		}
		for made := false; !made; {
			chosen, err := r.chosen(ctx, offers)
			if err != nil || len(chosen) == 0 {
				r.decide()
				return err
			}
			if made, err = r.one(ctx, chosen); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintln(r.stdout); err != nil {
			return r.printed(err)
		}
	}
}

// chosen asks until the answer is a remedy that can be applied, or all safe ones. It
// returns none if none is wanted.
func (r *recovery) chosen(ctx context.Context, offers []print.Offer) ([]print.Offer, error) {
	safe := safeOnes(offers)
	numbers, word := "1", ""
	if r.numbers.Len() > 1 {
		numbers = fmt.Sprintf("1-%d", r.numbers.Len())
	}
	if len(safe) > 0 {
		numbers, word = numbers+", a for all safe ones", "a"
	}
	for {
		n, all, err := r.ask.number(ctx, "Which one? ["+numbers+", q to quit]", r.numbers.Len(), word)
		if all {
			return safe, err
		}
		if err != nil || n == 0 {
			return nil, err
		}
		id := r.numbers.ID(n)
		at := slices.IndexFunc(offers, func(f print.Offer) bool { return f.ID == id })
		switch {
		case at < 0:
			fmt.Fprintf(r.stdout, "%d is not needed any more.\n", n)
		case offers[at].Safety != wire.Manual:
			return offers[at : at+1], nil
		default:
			if err := print.ByHand(r.stdout, offers[at:at+1], r.how); err != nil {
				return nil, r.printed(err)
			}
		}
	}
}

// safeOnes lists the first safe remedy of every finding, and every safe recovery.
func safeOnes(offers []print.Offer) []print.Offer {
	var list []print.Offer
	seen := map[*result.Diagnostic]bool{}
	for _, f := range offers {
		if f.Safety == wire.Safe && (f.Finding == nil || !seen[f.Finding]) {
			seen[f.Finding] = true
			list = append(list, f)
		}
	}
	return list
}

// one shows, asks and applies. It reports whether it did: then there is another
// look.
func (r *recovery) one(ctx context.Context, chosen []print.Offer) (made bool, err error) {
	plan, err := r.plan(ctx, idsOf(chosen))
	if err != nil {
		return false, err
	}
	yes, err := r.agreed(ctx, plan)
	if err != nil || !yes {
		return false, err
	}
	defer r.repair.Release()
	if err := r.make(ctx, plan); err != nil {
		return true, err
	}
	for _, p := range plan.Instances {
		done := func(i result.Repaired) bool {
			return i.Plugin == p.Plugin && i.Root == p.Root && i.Done == result.Applied
		}
		if !slices.ContainsFunc(r.say.Outcome.Instances, done) {
			continue
		}
		for _, c := range p.Chosen {
			r.numbers.Applied(c.ID)
		}
	}
	return true, nil
}

func idsOf(offers []print.Offer) []string {
	ids := make([]string, len(offers))
	for i, f := range offers {
		ids[i] = f.ID
	}
	return ids
}

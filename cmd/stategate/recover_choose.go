package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// choose asks on the terminal, one remedy after the other, until nothing is
// offered or wanted.
func (r *recovery) choose(ctx context.Context) error {
	for {
		if err := print.Recover(r.stdout, r.say.Result, r.how); err != nil {
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
	safe, all := safeOnes(offers), ""
	if len(safe) > 0 {
		all = ", a for all safe ones"
	}
	for {
		answer, ok, err := r.ask.ask(ctx, "Which one? [ID"+all+", q to quit]")
		switch {
		case err != nil || !ok || answer == "" || strings.EqualFold(answer, "q"):
			return nil, err
		case all != "" && strings.EqualFold(answer, "a"):
			return safe, nil
		}
		offer, err := offerOf(answer, offers)
		switch {
		case err != nil:
			fmt.Fprintln(r.stdout, problemOf(err).message)
		case offer != nil && offer.Safety != wire.Manual:
			return []print.Offer{*offer}, nil
		}
		fmt.Fprintf(r.stdout, "Give an id of the list, such as %.4s%s, or q.\n", offers[0].ID, all)
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
	return true, r.make(ctx, plan)
}

func idsOf(offers []print.Offer) []string {
	ids := make([]string, len(offers))
	for i, f := range offers {
		ids[i] = f.ID
	}
	return ids
}

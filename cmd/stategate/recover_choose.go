package main

import (
	"context"
	"fmt"

	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/sdk/wire"
)

// choose asks on the terminal, one remedy after the other, until nothing is
// offered or wanted. Ids stay hidden behind numbers that hold for one listing.
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
			if err != nil || chosen == nil {
				r.decide()
				return err
			}
			if made, err = r.one(ctx, *chosen); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintln(r.stdout); err != nil {
			return r.printed(err)
		}
	}
}

// chosen asks for a number until it is one of a remedy that can be applied. It
// returns nil if none is wanted.
func (r *recovery) chosen(ctx context.Context, offers []print.Offer) (*print.Offer, error) {
	for {
		numbers := "1"
		if len(offers) > 1 {
			numbers = fmt.Sprintf("1-%d", len(offers))
		}
		n, err := r.ask.number(ctx, "Which one? ["+numbers+", q to quit]", len(offers))
		if err != nil || n == 0 {
			return nil, err
		}
		f := &offers[n-1]
		if f.Safety != wire.Manual {
			return f, nil
		}
		if err := print.ByHand(r.stdout, []print.Offer{*f}, r.how); err != nil {
			return nil, r.printed(err)
		}
	}
}

// one shows, asks and applies. It reports whether it did: then there is another
// look, and the numbers hold no longer.
func (r *recovery) one(ctx context.Context, f print.Offer) (made bool, err error) {
	plan, err := r.plan(ctx, []string{f.ID})
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

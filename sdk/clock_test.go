package sdk_test

import (
	"testing"
	"time"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/internal/hook"
	"github.com/stategate/stategate/sdk/sdktest"
	"github.com/stategate/stategate/sdk/wire"
)

// TestSince checks that an answer is the same at both ends of its interval and differs just outside it, even for
// times that are too far apart for a Duration.
func TestSince(t *testing.T) {
	now := instant.Of(time.Date(2026, 3, 10, 12, 0, 0, 5, time.UTC))
	since := func(at, then instant.Time) (days int, from, until instant.Time) {
		p := sdktest.Pass(&sdk.Workflow{}, &wire.Request{Now: at})
		days = p.Since(then, instant.Day)
		from, until = hook.Of(p).Valid()
		return days, from, until
	}
	for then, want := range map[string]int{
		"2026-03-10T12:00:00Z": 0, "2026-03-09T12:00:01Z": 0, "2026-03-09T12:00:00Z": 1, "2026-03-10T12:00:01Z": -1,
		"2026-03-12T12:00:01Z": -3, "0001-01-01T00:00:00Z": 106750, "9999-12-31T23:59:59Z": -106750,
	} {
		then, ok := instant.Parse(then)
		if !ok {
			t.Fatal("no time")
		}
		days, from, until := since(now, then)
		if days != want {
			t.Errorf("%s is %d days ago, want %d", then, days, want)
		}
		if now.Before(from) || !until.IsZero() && !now.Before(until) {
			t.Errorf("%s: now is not within %s to %s", then, from, until)
		}
		if !from.IsZero() {
			if at, _, _ := since(from, then); at != days {
				t.Errorf("%s is %d days ago at %s, want %d like now", then, at, from, days)
			}
		}
		if !until.IsZero() {
			if at, _, _ := since(until.Add(-1), then); at != days {
				t.Errorf("%s is %d days ago just before %s, want %d like now", then, at, until, days)
			}
		}
	}
}

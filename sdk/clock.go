package sdk

import (
	"github.com/stategate/stategate/sdk/instant"
)

// A clock answers comparisons with the current time. It records the interval in which all its answers hold, so that
// the host can cache a verdict until one of the answers would change.
type clock struct {
	now         instant.Time
	from, until instant.Time // the answers hold from `from` up to, but not including, `until`; zero means unbounded
}

// Now returns the time of this evaluation. Using it ties the verdict to this exact instant, so prefer Before,
// After, Since and Until.
func (p *Pass) Now() instant.Time {
	p.clock.holdFrom(p.clock.now)
	p.clock.holdUntil(p.clock.now.Add(instant.Nanosecond))
	return p.clock.now
}

// Before reports whether now is before t.
func (p *Pass) Before(t instant.Time) bool {
	if p.clock.now.Before(t) {
		p.clock.holdUntil(t)
		return true
	}
	p.clock.holdFrom(t)
	return false
}

// After reports whether now is after t.
func (p *Pass) After(t instant.Time) bool { return !p.Before(t.Add(instant.Nanosecond)) }

// Since returns the number of whole units that have passed since t; it is negative if t is in the future. Since(t,
// instant.Day) is an age in days. The result is capped at about 290 years.
func (p *Pass) Since(t instant.Time, unit instant.Duration) int {
	const longest = instant.Duration(1<<63 - 1)
	switch gone := p.clock.now.Sub(t); {
	case gone > longest-unit:
		p.clock.holdFrom(t.Add(longest - unit + 1))
		return int((longest - unit) / unit)
	case gone < unit-longest:
		p.clock.holdUntil(t.Add(unit - longest))
		return int((unit - longest) / unit)
	}
	n := int(p.clock.now.Sub(t) / unit)
	if t.Add(instant.Duration(n) * unit).After(p.clock.now) {
		n--
	}
	p.clock.holdFrom(t.Add(instant.Duration(n) * unit))
	p.clock.holdUntil(t.Add(instant.Duration(n+1) * unit))
	return n
}

func (c *clock) holdFrom(t instant.Time) {
	if c.from.IsZero() || t.After(c.from) {
		c.from = t
	}
}

func (c *clock) holdUntil(t instant.Time) {
	if c.until.IsZero() || t.Before(c.until) {
		c.until = t
	}
}

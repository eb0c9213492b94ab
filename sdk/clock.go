package sdk

import "time"

// A Clock answers comparisons with the present and remembers for how long the
// answers hold, so that a verdict can be kept until one of them would change.
type Clock struct {
	now         time.Time
	from, until time.Time // the answers hold from here up to but not including here; zero is open
}

// Now returns the time of this look. It ties the verdict to this very instant,
// so prefer Before, After, Since and Until.
func (p *Pass) Now() time.Time {
	p.clock.holdFrom(p.clock.now)
	p.clock.holdUntil(p.clock.now.Add(time.Nanosecond))
	return p.clock.now
}

// Before reports whether now is before t.
func (p *Pass) Before(t time.Time) bool {
	if p.clock.now.Before(t) {
		p.clock.holdUntil(t)
		return true
	}
	p.clock.holdFrom(t)
	return false
}

// After reports whether now is after t.
func (p *Pass) After(t time.Time) bool { return !p.Before(t.Add(time.Nanosecond)) }

// Since returns how many whole units have gone by since t, negative if t is to
// come: Since(t, 24*time.Hour) is an age in days. Beyond 290 years it says no more
// than that.
func (p *Pass) Since(t time.Time, unit time.Duration) int {
	const longest = time.Duration(1<<63 - 1)
	switch gone := p.clock.now.Sub(t); {
	case gone > longest-unit:
		p.clock.holdFrom(t.Add(longest - unit + 1))
		return int((longest - unit) / unit)
	case gone < unit-longest:
		p.clock.holdUntil(t.Add(unit - longest))
		return int((unit - longest) / unit)
	}
	n := int(p.clock.now.Sub(t) / unit)
	if t.Add(time.Duration(n) * unit).After(p.clock.now) {
		n--
	}
	p.clock.holdFrom(t.Add(time.Duration(n) * unit))
	p.clock.holdUntil(t.Add(time.Duration(n+1) * unit))
	return n
}

// Valid returns from when and until when the answers given so far hold; a zero
// time is open. Hosts and test kits call it.
func (p *Pass) Valid() (from, until time.Time) { return p.clock.from, p.clock.until }

func (c *Clock) holdFrom(t time.Time) {
	if c.from.IsZero() || t.After(c.from) {
		c.from = t
	}
}

func (c *Clock) holdUntil(t time.Time) {
	if c.until.IsZero() || t.Before(c.until) {
		c.until = t
	}
}

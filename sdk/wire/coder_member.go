package wire

import (
	"strconv"

	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/internal/guest"
)

func (c *coder) text(name string, p *string) {
	if !c.member(name, *p == "") {
		return
	}
	if c.reading() {
		*p = c.in.text()
		return
	}
	c.quote(*p)
}

func (c *coder) flag(name string, p *bool) {
	if !c.member(name, !*p) {
		return
	}
	if c.reading() {
		*p = c.in.truth()
		return
	}
	c.out = append(c.out, "true"...)
}

// count encodes or decodes a non-negative integer.
func (c *coder) count(name string, p *int) {
	n := int64(*p)
	c.size(name, &n)
	*p = int(n)
	if int64(*p) != n {
		c.in.fail("found " + strconv.FormatInt(n, 10) + ", expected an integer of 32 bits")
	}
}

func (c *coder) size(name string, p *int64) {
	if !c.member(name, *p == 0) {
		return
	}
	if c.reading() {
		*p = c.in.integer(0)
		return
	}
	c.out = strconv.AppendInt(c.out, *p, 10)
}

// span encodes or decodes a location's byte range, if it has one, as [start,end].
func (c *coder) span(name string, bytes *bool, start, end *int) {
	if !c.member(name, !*bytes) {
		return
	}
	if c.reading() {
		pair := c.pair("a start and an end")
		*bytes, *start, *end = true, int(pair[0]), int(pair[1])
		if int64(*start) != pair[0] || int64(*end) != pair[1] {
			c.in.fail("found [" + strconv.FormatInt(pair[0], 10) + "," + strconv.FormatInt(pair[1], 10) +
				"], expected integers of 32 bits")
		}
		return
	}
	c.writePair(*start, *end)
}

func (c *coder) writePair(a, b int) {
	c.out = append(c.out, '[')
	c.out = strconv.AppendInt(c.out, int64(a), 10)
	c.out = append(c.out, ',')
	c.out = strconv.AppendInt(c.out, int64(b), 10)
	c.out = append(c.out, ']')
}

// pair reads two integers.
func (c *coder) pair(expected string) (pair [2]int64) {
	n := 0
	c.array(0, func(i int) {
		if i >= len(pair) {
			c.in.fail("found a third number, expected " + expected)
			return
		}
		pair[i] = c.in.integer(0)
		n++
	})
	if c.in.err == nil && n != len(pair) {
		c.in.fail("found " + strconv.Itoa(n) + " numbers, expected " + expected)
	}
	return pair
}

// time encodes or decodes a time in UTC.
func (c *coder) time(name string, p *instant.Time) {
	if !c.member(name, p.IsZero()) {
		return
	}
	if !c.reading() {
		c.quote(p.String())
		return
	}
	s := c.in.text()
	t, ok := instant.Parse(s)
	if c.in.err == nil && !ok {
		c.in.fail("found " + shown(s) + ", expected an RFC 3339 time such as 2026-01-27T10:00:00Z")
		return
	}
	*p = t
}

// enum encodes or decodes a word of a closed vocabulary.
func enum[E ~uint8](c *coder, name string, p *E, words []string) {
	if c.member(name, *p == 0) {
		word(c, p, words)
	}
}

func word[E ~uint8](c *coder, p *E, words []string) {
	if !c.reading() {
		c.quote(spell(words, int(*p)))
		return
	}
	s := c.in.word()
	i, ok := find(words, s)
	if c.in.err == nil && !ok {
		c.in.fail("found " + shown(s) + ", expected " + choice(words))
		return
	}
	*p = E(i)
}

// choice formats a list of words for a message: "a", "b" or "c".
func choice(words []string) string {
	s := ""
	for i, w := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			s += " or "
		default:
			s += ", "
		}
		s += shown(w)
	}
	return s
}

// texts encodes or decodes an array of strings.
func (c *coder) texts(name string, p *[]string) {
	if c.member(name, len(*p) == 0) {
		c.strings(p)
	}
}

func (c *coder) strings(p *[]string) {
	c.array(len(*p), func(i int) {
		if !c.reading() {
			c.quote((*p)[i])
			return
		}
		if guest.Inside && *p == nil { // an untrusted sender must not cause larger allocations than it has elements
			*p = make([]string, 0, 8)
		}
		*p = append(*p, c.in.text())
	})
}

// dictionary encodes or decodes an object with arbitrary member names, sorted by name.
func (c *coder) dictionary(name string, p *map[string]string) {
	if !c.member(name, len(*p) == 0) {
		return
	}
	if c.reading() {
		*p = c.entries()
		return
	}
	c.out = append(c.out, '{')
	for _, k := range sortedKeys(*p) {
		c.comma('{')
		c.quote(k)
		c.out = append(c.out, ':')
		c.quote((*p)[k])
	}
	c.out = append(c.out, '}')
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	for i := range keys { // insertion sort, because there are few; package sort would add 20 KB to a guest
		for ; i > 0 && keys[i] < keys[i-1]; i-- {
			keys[i], keys[i-1] = keys[i-1], keys[i]
		}
	}
	return keys
}

func (c *coder) entries() map[string]string {
	var m map[string]string
	for more := c.in.begin('{', '}', "an object"); more; more = c.in.another('}') {
		k := c.in.key()
		v := c.in.text()
		if _, twice := m[k]; twice {
			c.in.fail("found twice, expected once")
		}
		if c.in.err != nil {
			c.in.under("[" + shown(k) + "]")
			break
		}
		if m == nil {
			m = make(map[string]string)
		}
		m[k] = v
	}
	return m
}

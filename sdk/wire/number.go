package wire

import (
	"math"
	"strconv"
	"strings"
)

// integer reads an integer that must be at least least.
func (r *reader) integer(least int64) int64 {
	if n, ok := r.short(); ok && n >= least {
		return n
	}
	if b := r.peek(); b != '-' && !isDigit(b) {
		r.mismatch("an integer")
		return 0
	}
	s, whole := r.number()
	if r.err != nil {
		return 0
	}
	n, fits := parseInt(s)
	switch {
	case !whole:
		r.fail("found the number " + shown(s) + ", expected an integer without fraction or exponent")
	case !fits:
		r.fail("found " + shown(s) + ", expected an integer of 64 bits")
	case n < least:
		r.fail("found " + s + ", expected at least " + strconv.FormatInt(least, 10))
	default:
		return n
	}
	return 0
}

// short reads an integer with few digits, like most integers.
func (r *reader) short() (n int64, ok bool) {
	i := r.pos
	for ; i < len(r.data) && isDigit(r.data[i]) && i < r.pos+9; i++ {
		n = n*10 + int64(r.data[i]-'0')
	}
	if i == r.pos || i == len(r.data) || r.data[r.pos] == '0' || r.data[i] != ',' && r.data[i] != '}' &&
		r.data[i] != ']' {
		return 0, false
	}
	r.pos = i
	return n, true
}

// parseInt parses an integer that the function number has skipped. It computes the negated value first, because
// the smallest integer has no positive counterpart.
func parseInt(s string) (n int64, fits bool) {
	digits := strings.TrimPrefix(s, "-")
	for i := range len(digits) {
		digit := int64(digits[i] - '0')
		if n < (math.MinInt64+digit)/10 {
			return 0, false
		}
		n = n*10 - digit
	}
	if digits != s {
		return n, true
	}
	return -n, n != math.MinInt64
}

// number skips a number and reports whether it is written as an integer.
func (r *reader) number() (s string, whole bool) {
	start := r.pos
	if r.data[r.pos] == '-' {
		r.pos++
	}
	first := r.pos
	ok := r.digits()
	if ok && r.data[first] == '0' && r.pos-first > 1 {
		ok = false
	}
	whole = true
	if ok && r.at('.') {
		whole = false
		r.pos++
		ok = r.digits()
	}
	if ok && (r.at('e') || r.at('E')) {
		whole = false
		r.pos++
		if r.at('+') || r.at('-') {
			r.pos++
		}
		ok = r.digits()
	}
	s = r.data[start:r.pos]
	if !ok {
		r.fail("found a malformed number at byte " + strconv.Itoa(start))
	}
	return s, whole
}

// digits skips digits and reports whether there were any.
func (r *reader) digits() bool {
	start := r.pos
	for r.pos < len(r.data) && isDigit(r.data[r.pos]) {
		r.pos++
	}
	return r.pos > start
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

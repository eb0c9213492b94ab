package jsondoc

import (
	"strconv"
	"strings"
)

// Int returns a number that is an integer, however it is written: 4, 4.0, 4e0
// and 40e-1 are all 4. It refuses fractions, what does not fit into 64 bits and
// every other kind (also digits in a string). It never computes a huge number.
func (v Value) Int() (int64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	return exactInt(v.Raw())
}

// Float returns the float64 nearest to a number. It refuses numbers beyond the
// range of float64 and every other kind.
func (v Value) Float() (float64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.Raw(), 64)
	return f, err == nil
}

// exactInt reads a valid JSON number as digits times a power of ten.
func exactInt(number string) (int64, bool) {
	negative := strings.HasPrefix(number, "-")
	mantissa, power := splitExponent(strings.TrimPrefix(number, "-"))
	whole, fraction, _ := strings.Cut(mantissa, ".")
	power -= int64(len(fraction))

	significant := strings.TrimLeft(whole+fraction, "0")
	trimmed := strings.TrimRight(significant, "0")
	power += int64(len(significant) - len(trimmed))
	switch {
	case trimmed == "":
		return 0, true
	case power < 0 || int64(len(trimmed))+power > 19:
		return 0, false
	}
	literal := trimmed + strings.Repeat("0", int(power))
	if negative {
		literal = "-" + literal
	}
	n, err := strconv.ParseInt(literal, 10, 64)
	return n, err == nil
}

// splitExponent returns the exponent as a number. One that does not fit is
// taken as one that no text is long enough to make up for.
func splitExponent(number string) (mantissa string, exponent int64) {
	i := strings.IndexAny(number, "eE")
	if i < 0 {
		return number, 0
	}
	text := number[i+1:]
	n, err := strconv.ParseInt(text, 10, 64)
	const beyond = 1 << 40
	switch {
	case text[0] == '-' && (err != nil || n < -beyond):
		n = -beyond
	case text[0] != '-' && (err != nil || n > beyond):
		n = beyond
	}
	return number[:i], n
}

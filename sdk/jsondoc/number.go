package jsondoc

import (
	"math"
	"strings"
)

// Int returns a number as an integer. 4, 4.0, 4e0 and 40e-1 are all 4. It returns false for fractions, for numbers
// that do not fit in 64 bits, and for values of every other kind, including a string of digits. Its cost does not
// depend on the number's size.
func (v Value) Int() (int64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	return exactInt(v.Raw())
}

// Float returns the float64 nearest to a number with at most 15 digits; for longer numbers, the result is close. It
// returns false for numbers beyond the range of float64 and for values of every other kind. strconv.ParseFloat
// would add 25 KB to a guest.
func (v Value) Float() (float64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	number, negative := strings.CutPrefix(v.Raw(), "-")
	mantissa, power := splitExponent(number)
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	integer := uint64(0)
	for i := range min(len(digits), 19) {
		integer = integer*10 + uint64(digits[i]-'0')
	}
	f, scale := float64(integer), 1.0
	power += int64(max(len(digits)-19, 0) - len(fraction))
	for n := min(max(power, -power), 400); n > 0 && f != 0; n-- {
		if scale *= 10; n%22 == 1 { // float64 represents powers of ten exactly up to 1e22
			if power < 0 {
				f /= scale
			} else {
				f *= scale
			}
			scale = 1
		}
	}
	if negative {
		f = -f
	}
	return f, f >= -math.MaxFloat64 && f <= math.MaxFloat64
}

// exactInt parses a JSON number as digits times a power of ten.
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
	n, ok := digitsToInt(trimmed + strings.Repeat("0", int(power)))
	if negative {
		return n, ok
	}
	return -n, ok && n != math.MinInt64
}

// digitsToInt returns the negated number, because the smallest integer has no positive counterpart.
func digitsToInt(digits string) (negative int64, ok bool) {
	for i := range len(digits) {
		digit := int64(digits[i] - '0')
		if negative < (math.MinInt64+digit)/10 {
			return 0, false
		}
		negative = negative*10 - digit
	}
	return negative, true
}

// beyond is the largest absolute value of an exponent. It replaces larger ones.
const beyond = 1 << 40

// splitExponent returns the exponent as a number. An exponent that does not fit becomes one that no mantissa
// can compensate.
func splitExponent(number string) (mantissa string, exponent int64) {
	i := strings.IndexAny(number, "eE")
	if i < 0 {
		return number, 0
	}
	text := number[i+1:]
	n, ok := digitsToInt(strings.TrimLeft(text, "+-"))
	if !ok || n < -beyond {
		n = -beyond
	}
	if text[0] != '-' {
		n = -n
	}
	return number[:i], n
}

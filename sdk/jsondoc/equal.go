package jsondoc

import (
	"strconv"
	"strings"
)

// Equal reports whether two values have the same meaning. It compares numbers by value (12, 12.0 and 1.2e1 are
// equal) and strings unescaped, ignores the order of members, and uses the last of duplicate keys. Two absent
// values are equal.
func Equal(a, b Value) bool { return EqualFunc(a, b, nil) }

// EqualFunc is like [Equal], but strings that differ are also equal if same returns true, as instant.Same does for
// equal times. same may be nil.
func EqualFunc(a, b Value, same func(a, b string) bool) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case Number:
		return sameNumber(a.Raw(), b.Raw())
	case String:
		x, _ := a.Text()
		y, _ := b.Text()
		return x == y || same != nil && same(x, y)
	case Array:
		x, y := a.Elements(), b.Elements()
		if len(x) != len(y) {
			return false
		}
		for i := range x {
			if !EqualFunc(x[i], y[i], same) {
				return false
			}
		}
		return true
	case Object:
		return sameMembers(a.byKey(), b.byKey(), same)
	}
	return a.Raw() == b.Raw()
}

func (v Value) byKey() map[string]Value {
	members := make(map[string]Value, v.Len())
	for _, m := range v.Members() {
		members[m.Key] = m.Value
	}
	return members
}

func sameMembers(a, b map[string]Value, same func(a, b string) bool) bool {
	if len(a) != len(b) {
		return false
	}
	for key, v := range a {
		if w, ok := b[key]; !ok || !EqualFunc(v, w, same) {
			return false
		}
	}
	return true
}

// sameNumber compares JSON numbers as digits times a power of ten, so that no number is too large and none is
// rounded.
func sameNumber(a, b string) bool {
	digitsA, powerA := scientific(a)
	digitsB, powerB := scientific(b)
	return digitsA == digitsB && powerA == powerB || a == b
}

// scientific splits a number into a signed integer that does not end in 0 and a power of ten. If the exponent does not
// fit, power is the number as written, without its sign.
func scientific(number string) (digits, power string) {
	sign := ""
	if strings.HasPrefix(number, "-") {
		sign, number = "-", number[1:]
	}
	mantissa, exponent := splitExponent(number)
	whole, fraction, _ := strings.Cut(mantissa, ".")
	significant := strings.TrimLeft(whole+fraction, "0")
	trimmed := strings.TrimRight(significant, "0")
	if trimmed == "" {
		return "0", ""
	}
	if exponent == beyond || exponent == -beyond {
		return sign + trimmed, number
	}
	return sign + trimmed, strconv.FormatInt(exponent+int64(len(significant)-len(trimmed)-len(fraction)), 10)
}

package legalmemo

import (
	"math"
	"strconv"
	"testing"
)

// TestDecimal: numbers are read as strconv does, to fourteen digits; what is not a decimal number is refused.
func TestDecimal(t *testing.T) {
	for _, s := range []string{"0", "-0", "12", "12.50", "-3.25", "1e3", "1.5E-3", "1e+22", "0.1", "99.95", "123456789012345678", "1e30", ".5", "7."} {
		want, err := strconv.ParseFloat(s, 64)
		if got, ok := decimal(s); err != nil || !ok || math.Abs(got-want) > 1e-14*math.Abs(want) {
			t.Errorf("%q: got %v %v, want %v", s, got, ok, want)
		}
	}
	for _, s := range []string{"", "-", ".", "e3", "1e", "1e3x", "1.2.3", "N/A", "~32", "3/10", "0x10", "1_000", "Inf", "NaN", "1e999"} {
		if got, ok := decimal(s); ok {
			t.Errorf("%q is read as %v", s, got)
		}
	}
}

package limits

import (
	"reflect"
	"testing"
)

// TestLower checks every field: lower values are adopted, and higher, zero and negative ones are not.
func TestLower(t *testing.T) {
	have := Default()
	fields := reflect.TypeFor[Limits]()
	for i := range fields.NumField() {
		name := fields.Field(i).Name
		was := reflect.ValueOf(have).Field(i).Int()
		if was <= 0 {
			t.Errorf("Default().%s = %d, want a limit", name, was)
		}
		for _, c := range []struct{ asked, want int64 }{{1, 1}, {was - 1, was - 1}, {was, was}, {was + 1, was},
			{0, was}, {-1, was}} {
			var asked Limits
			reflect.ValueOf(&asked).Elem().Field(i).SetInt(c.asked)
			want := have
			reflect.ValueOf(&want).Elem().Field(i).SetInt(c.want)
			if got := have.Lower(asked); got != want {
				t.Errorf("Lower(%s: %d) = %+v, want %+v", name, c.asked, got, want)
			}
		}
	}
}

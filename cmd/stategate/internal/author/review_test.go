package author

import "testing"

// TestUncommonLicense checks that a slip in a license is noted, and that a common license is not.
func TestUncommonLicense(t *testing.T) {
	for license, want := range map[string]string{
		"MITT": "MITT", "Apache2.0": "Apache2.0", "mit": "mit", "(MIT OR Apache-2)": "Apache-2",
		"MIT": "", "MIT-0": "", "": "", "(MIT OR Apache-2.0)": "", "LicenseRef-Ours": "",
		"GPL-2.0-only WITH Classpath-exception-2.0": "",
	} {
		if got := uncommon(license); got != want {
			t.Errorf("%q: got %q, want %q", license, got, want)
		}
	}
}

package main

import "testing"

func TestParseVersion(t *testing.T) {
	for _, c := range []struct {
		stamped, semver, pep440 string
		tagged                  bool
	}{
		{"v1.2.3", "1.2.3", "1.2.3", true},
		{"v1.2.3-rc.1", "1.2.3-rc.1", "1.2.3rc1", true},
		{"v1.2.3-beta2", "1.2.3-beta2", "1.2.3b2", true},
		{"v0.0.0-20261124023306-218458cc7c2a", "0.0.0-20261124023306-218458cc7c2a",
			"0.0.0.dev20261124023306+218458cc7c2a", false},
		{"v1.2.4-0.20261124023306-218458cc7c2a", "1.2.4-0.20261124023306-218458cc7c2a",
			"1.2.4.dev20261124023306+218458cc7c2a", false},
		{"v1.2.3-rc.1.0.20261124023306-218458cc7c2a", "1.2.3-rc.1.0.20261124023306-218458cc7c2a",
			"1.2.3rc1.dev20261124023306+218458cc7c2a", false},
		{"v1.2.3+dirty", "1.2.3-dirty", "1.2.3+dirty", false},
		{"v0.0.0-20261124023306-218458cc7c2a+dirty", "0.0.0-20261124023306-218458cc7c2a.dirty",
			"0.0.0.dev20261124023306+218458cc7c2a.dirty", false},
	} {
		if v, err := parseVersion(c.stamped); err != nil || v != (version{c.semver, c.pep440, c.tagged}) {
			t.Errorf("%s: %+v, %v", c.stamped, v, err)
		}
	}
	for _, bad := range []string{"", "(devel)", "1.2.3", "v1.2", "v1.2.3-nightly.1"} {
		if v, err := parseVersion(bad); err == nil {
			t.Errorf("%q is read as %+v", bad, v)
		}
	}
}

package main

import (
	"fmt"
	"regexp"
	"strings"
)

// A version is a version in the notation of each package format.
type version struct {
	semver string // without the v: for archives, npm and image tags
	pep440 string // for wheels
	tagged bool   // the version is a tag
}

var (
	versionForm = regexp.MustCompile(`^v([0-9]+\.[0-9]+\.[0-9]+)(?:-([0-9A-Za-z.-]+))?(\+dirty)?$`)
	pseudoForm  = regexp.MustCompile(`^(?:(.+)\.)?(?:0\.)?([0-9]{14})-([0-9a-f]{12})$`)
	preForm     = regexp.MustCompile(`^(alpha|beta|rc)\.?([0-9]+)$`)
)

// parseVersion parses the version that the Go command recorded: a tag, or a pseudo-version for an untagged commit.
func parseVersion(stamped string) (version, error) {
	m := versionForm.FindStringSubmatch(stamped)
	if m == nil {
		return version{},
			fmt.Errorf("the program bears the version %q, expected one such as v1.2.3, v1.2.3-rc.1 or that of a commit",
				stamped)
	}
	core, pre, dirty := m[1], m[2], m[3] != ""
	v := version{semver: core, pep440: core, tagged: !dirty}
	if pre != "" {
		v.semver += "-" + pre
	}
	commit := ""
	if p := pseudoForm.FindStringSubmatch(pre); p != nil {
		v.tagged = false
		pre, commit = strings.TrimSuffix(strings.TrimSuffix(p[1], "0"), "."), ".dev"+p[2]+"+"+p[3]
	}
	if pre != "" {
		p := preForm.FindStringSubmatch(pre)
		if p == nil {
			return v,
				fmt.Errorf("the version %s has the pre-release %q, which Python has no name for; expected alpha.N, "+
					"beta.N or rc.N", stamped, pre)
		}
		v.pep440 += map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[p[1]] + p[2]
	}
	v.pep440 += commit
	switch {
	case dirty && m[2] == "":
		v.semver, v.pep440 = v.semver+"-dirty", v.pep440+"+dirty"
	case dirty && commit == "":
		v.semver, v.pep440 = v.semver+".dirty", v.pep440+"+dirty"
	case dirty:
		v.semver, v.pep440 = v.semver+".dirty", v.pep440+".dirty"
	}
	return v, nil
}

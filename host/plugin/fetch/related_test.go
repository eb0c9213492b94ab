package fetch

import (
	"net/url"
	"testing"
)

// TestRelated checks which servers may receive a registry's credential in exchange for a token.
func TestRelated(t *testing.T) {
	for _, c := range []struct {
		registry, realm string
		want            bool
	}{
		{"https://registry-1.docker.io", "https://auth.docker.io/token", true},
		{"https://registry.gitlab.com", "https://gitlab.com/jwt/auth", true},
		{"https://ghcr.io", "https://ghcr.io/token", true},
		{"https://registry.example:5000", "https://registry.example:5001/auth", true},
		{"https://127.0.0.1:5000", "https://127.0.0.1:5001/auth", true},
		{"https://ghcr.io", "https://evil.io/token", false},
		{"https://ghcr.io", "https://notghcr.io/token", false},
		{"https://registry.gitlab.com", "https://gitlab.com.evil.example/", false},
		{"https://registry.gitlab.com", "http://gitlab.com/jwt/auth", false},
		{"https://10.0.0.1", "https://9.0.0.1/", false},
		{"http://localhost:5000", "http://localhost:5001/", false},
	} {
		registry, _ := url.Parse(c.registry)
		realm, _ := url.Parse(c.realm)
		if got := (guard{registry}).related(realm); got != c.want {
			t.Errorf("%s, %s: got %v, want %v", c.registry, c.realm, got, c.want)
		}
	}
}

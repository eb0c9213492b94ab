package fetch

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// A guard checks every request for a source, including requests that the registry causes: redirects, uploads to
// other servers, and tokens. Every request must be encrypted, unless both ends are on the loopback interface. The
// credential is sent only to the registry's own scheme, host and port and, for a token, to an https server in its
// domain.
type guard struct{ source *url.URL }

func (g guard) RoundTrip(r *http.Request) (*http.Response, error) {
	if local := isLoopback(r.URL.Hostname()) && isLoopback(g.source.Hostname()); r.URL.Scheme != "https" &&
		!(local && r.URL.Scheme == "http") {
		return nil, fmt.Errorf("the server names %s, which is not encrypted", r.URL.Redacted())
	}
	form := r.Header.Get("Content-Type") == "application/x-www-form-urlencoded" // it contains the password
	if (form || r.Header.Get("Authorization") != "") && !sameOrigin(r.URL, g.source) {
		redirected := false
		for via := r.Response; via != nil; via = via.Request.Response {
			redirected = redirected || !sameOrigin(r.URL, via.Request.URL)
		}
		token := !redirected && (form || r.Method == http.MethodGet)
		switch {
		case token && g.related(r.URL):
		case token || form:
			return nil,
				fmt.Errorf("%s says to get its credential from %s, which is neither the same server nor an "+
					"https server in its domain", g.source.Host, r.URL.Redacted())
		default:
			r = r.Clone(r.Context())
			r.Header.Del("Authorization")
		}
	}
	return http.DefaultTransport.RoundTrip(r)
}

func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	return map[string]string{"http": "80", "https": "443"}[u.Scheme]
}

// related reports whether a server may receive the registry's credential in exchange for a token. For example,
// auth.docker.io may receive the credential for registry-1.docker.io, and gitlab.example the one for
// registry.gitlab.example.
func (g guard) related(u *url.URL) bool {
	host, home := strings.ToLower(u.Hostname()), strings.ToLower(g.source.Hostname())
	if u.Scheme != "https" || net.ParseIP(home) != nil {
		return u.Scheme == "https" && host == home
	}
	_, domain, _ := strings.Cut(home, ".")
	if !strings.Contains(domain, ".") {
		domain = home
	}
	return host == domain || strings.HasSuffix(host, "."+domain)
}

package fetch_test

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"oras.land/oras-go/v2/registry/remote/auth"

	"github.com/stategate/stategate/host/plugin/fetch"
	"github.com/stategate/stategate/testdata/registry"
)

// secrets records which servers received a credential, by host and port.
type secrets struct {
	mu   sync.Mutex
	seen map[string]string
}

func (s *secrets) look(r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = r.ParseForm()
	if got := r.Header.Get("Authorization") + r.PostForm.Get("password") + r.PostForm.Get("refresh_token"); got != "" {
		s.seen[r.Host] = got
	}
}

// other starts a server that accepts every request, and returns its host and port.
func (s *secrets) other(t *testing.T, answer http.HandlerFunc) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.look(r)
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

func credential(host string, c auth.Credential) func(context.Context, string) (auth.Credential, error) {
	return func(_ context.Context, to string) (auth.Credential, error) {
		if to != host {
			return auth.EmptyCredential, nil
		}
		return c, nil
	}
}

// TestCredentialsStay: whatever servers a registry names, its credential is only sent to its own scheme, host and
// port.
func TestCredentialsStay(t *testing.T) {
	s := &secrets{seen: map[string]string{}}
	r := newRegistry(t)
	r.Blobs[registry.Digest(wasm)] = wasm
	home := strings.TrimPrefix(r.URL, "http://")
	thief := s.other(t, func(w http.ResponseWriter, q *http.Request) {
		switch {
		case q.Method == http.MethodPut:
			w.WriteHeader(http.StatusCreated)
		case strings.HasPrefix(q.URL.Path, "/token"):
			_, _ = w.Write([]byte(`{"token":"t"}`))
		default:
			_, _ = w.Write(wasm)
		}
	})
	thiefByName := strings.Replace(thief, "127.0.0.1", "localhost", 1)
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("me:secret"))
	password, refresh := auth.Credential{Username: "me", Password: "secret"}, auth.Credential{RefreshToken: "secret"}
	log := func(answer http.HandlerFunc) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, q *http.Request) bool {
			s.look(q)
			if q.Header.Get("Authorization") == "" {
				w.Header().Set("Www-Authenticate", `Basic realm="r"`)
				answer(w, q)
				return true
			}
			return false
		}
	}
	unauthorized := func(challenge string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if challenge != "" {
				w.Header().Set("Www-Authenticate", challenge)
			}
			w.WriteHeader(http.StatusUnauthorized)
		}
	}
	redirect := func(to string) func(http.ResponseWriter, *http.Request) bool {
		ask := log(unauthorized(""))
		return func(w http.ResponseWriter, q *http.Request) bool {
			if ask(w, q) {
				return true
			}
			switch {
			case q.Method == http.MethodPost:
				w.Header().Set("Location", "http://"+to+"/upload")
				w.WriteHeader(http.StatusAccepted)
			case q.Method == http.MethodGet && strings.Contains(q.URL.Path, "/blobs/"):
				http.Redirect(w, q, "http://"+to+"/blob", http.StatusTemporaryRedirect)
			default:
				return false
			}
			return true
		}
	}
	token := func(realm string) func(http.ResponseWriter, *http.Request) bool {
		return log(unauthorized(`Bearer realm="` + realm +
			`",service="x",scope="repository:admin/all:push,pull,delete"`))
	}
	for name, test := range map[string]struct {
		answer func(http.ResponseWriter, *http.Request) bool
		with   auth.Credential
		want   string // part of the error of a pull
	}{
		"upload and blob on another port": {redirect(thief), password, ""},
		"upload and blob on another host": {redirect(thiefByName), password, ""},
		"token on another port": {token("http://" + thief + "/token"), password,
			"says to get its credential from http://" + thief},
		"token on another host": {token("http://" + thiefByName + "/token"), password,
			"says to get its credential from"},
		"token by refresh token": {token("http://" + thief + "/token"), refresh,
			"says to get its credential from"},
		"token elsewhere, not encrypted": {token("http://auth.example/token"), password,
			"which is not encrypted"},
		"token elsewhere, another scheme": {token("file:///etc/passwd"), password, "which is not encrypted"},
		"token at a stranger's https server": {token("https://auth.example/token"), password,
			"neither the same server nor an https server in its domain"},
	} {
		t.Run(name, func(t *testing.T) {
			clear(s.seen)
			r.Answer = nil
			if _, err := push(t, r.Source(":v1")); err != nil {
				t.Fatal(err)
			}
			r.Answer = test.answer
			source, err := fetch.Parse(r.Source(":v1"))
			if err != nil {
				t.Fatal(err)
			}
			f := &fetch.Fetcher{MaxBytes: 1000, Credential: credential(home, test.with)}
			other, _ := fetch.Parse(r.Source(":other"))
			_, _ = f.Push(t.Context(), other, append([]byte("other"), wasm...), manifest())
			got, err := f.Get(t.Context(), source)
			if test.want == "" && (err != nil || string(got) != string(wasm)) || test.want != "" &&
				(err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("got %q, %v, want %q", got, err, test.want)
			}
			for host, secret := range s.seen {
				if host != home {
					t.Errorf("%s was given %s", host, secret)
				}
			}
			if test.want == "" && s.seen[home] != basic {
				t.Errorf("the registry itself was given %q", s.seen[home])
			}
		})
	}
}

// TestUnfinishedResponseTimesOut: if a server never sends the bytes that it announced, the call ends after its time
// limit.
func TestUnfinishedResponseTimesOut(t *testing.T) {
	r := newRegistry(t)
	if _, err := push(t, r.Source(":v1")); err != nil {
		t.Fatal(err)
	}
	r.Answer = func(w http.ResponseWriter, q *http.Request) bool {
		if strings.Contains(q.URL.Path, "/manifests/") {
			return false
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(wasm)))
		for q.Context().Err() == nil {
			_ = http.NewResponseController(w).Flush()
			<-q.Context().Done()
		}
		return true
	}
	for _, text := range []string{r.URL + "/notes.wasm", r.Source(":v1")} {
		source, err := fetch.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		_, err = (&fetch.Fetcher{MaxBytes: 1 << 50}).Get(ctx, source)
		cancel()
		if err == nil || !strings.Contains(err.Error(), "did not finish within") {
			t.Errorf("%s: got %v", text, err)
		}
	}
}

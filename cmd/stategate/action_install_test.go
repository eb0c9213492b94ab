package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// releaseVersion is the version of the releases in these tests.
const releaseVersion = "v9.9.9"

func archiveName() string {
	return "stategate_" + releaseVersion[1:] + "_" + runtime.GOOS + "_" + runtime.GOARCH + ".tar.gz"
}

// A release is a fake release that is served on the loopback interface.
type release struct {
	*httptest.Server
	files   map[string][]byte
	answer  func(w http.ResponseWriter, name string) bool // if set, may answer first
	fetched []string
}

func newRelease(t *testing.T, files map[string][]byte) *release {
	t.Helper()
	r := &release{files: files}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

func (r *release) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	name, ok := strings.CutPrefix(q.URL.Path, "/"+releaseVersion+"/")
	if data, there := r.files[name]; r.answer == nil || !r.answer(w, name) {
		if r.fetched = append(r.fetched, name); !ok || !there {
			http.NotFound(w, q)
			return
		}
		_, _ = w.Write(data)
	}
}

// archived returns an archive with one file.
func archived(t *testing.T, header tar.Header, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	w := tar.NewWriter(z)
	header.Size, header.Mode = int64(len(data)), 0o755
	err := w.WriteHeader(&header)
	if err == nil {
		_, err = w.Write(data)
	}
	if err := errors.Join(err, w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func checksums(archive []byte) []byte {
	return fmt.Appendf(nil, "%x  %s\n%x  another_file.tar.gz\n", sha256.Sum256(archive), archiveName(),
		sha256.Sum256(nil))
}

// saying returns a program that prints a release's version.
func saying(version string) []byte {
	return []byte("#!/bin/sh\necho 'stategate " + version + ", ABI 1'\nexit\n")
}

// An installer runs the action's script with only the tools that the script needs.
type installer struct {
	t               *testing.T
	tools, dir, bin string
	env             []string
}

func newInstaller(t *testing.T, env ...string) *installer {
	t.Helper()
	dir := t.TempDir()
	in := &installer{t, filepath.Join(dir, "tools"), dir, filepath.Join(dir, "bin"), env}
	if err := os.Mkdir(in.tools, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields("sh awk cat chmod cp curl cut gzip head mkdir " +
		"mktemp mv rm sha256sum shasum tail tar tr uname wc") {
		if file, err := exec.LookPath(name); err == nil {
			if err := os.Symlink(file, filepath.Join(in.tools, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return in
}

// tool writes a program to the script's PATH.
func (in *installer) tool(name, text string) {
	if err := os.WriteFile(filepath.Join(in.tools, name), []byte(text), 0o755); err != nil {
		in.t.Fatal(err)
	}
}

func (in *installer) run(releases string, env ...string) (out string, code int) {
	in.t.Helper()
	cmd := exec.Command("sh", filepath.Join(repository, ".github", "action", "install.sh"))
	cmd.Env = append(append([]string{
		"PATH=" + in.tools, "TMPDIR=" + in.dir, "STATEGATE_BIN=" + in.bin,
		"STATEGATE_CACHE=" + filepath.Join(in.dir, "cache"),
		"STATEGATE_VERSION=" + releaseVersion, "STATEGATE_RELEASES=" + releases,
	}, in.env...), env...)
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		in.t.Fatal(err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

// installs checks that the script succeeds and that its output contains a word.
func (in *installer) installs(releases, word string, env ...string) {
	in.t.Helper()
	out, code := in.run(releases, env...)
	if _, err := os.Stat(filepath.Join(in.bin, programName)); code != 0 || err != nil || !strings.Contains(out, word) {
		in.t.Errorf("it exits with %d and says %q, expected %q: %v", code, out, word, err)
	}
}

// refuses checks that the script fails, that its output contains a word, and that it installs nothing that could run.
func (in *installer) refuses(releases, word string, env ...string) {
	in.t.Helper()
	out, code := in.run(releases, env...)
	_, err := os.Stat(filepath.Join(in.bin, programName))
	if _, kept := os.Stat(filepath.Join(in.dir, "cache", archiveName())); code != 3 || err == nil || kept == nil ||
		!strings.Contains(out, word) {
		in.t.Errorf("it exits with %d and says %q, expected %q and 3; the binary is there: %v, in the cache: %v", code,
			out, word, err == nil, kept == nil)
	}
}

func needShell(t *testing.T) {
	t.Helper()
	for _, name := range []string{"sh", "bash", "curl", "tar"} {
		if _, err := exec.LookPath(name); err != nil || runtime.GOOS == "windows" {
			t.Skipf("%s is not installed, or this is Windows", name)
		}
	}
	t.Parallel()
}

// TestActionInstalls runs the action's scripts like the action does, with a release as large as a real one, served on
// the loopback interface. They may take 3 s without a cache, and 1 s if the archive is cached.
func TestActionInstalls(t *testing.T) {
	needShell(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	// The first lines are a script; the rest is padding to the size of a binary.
	head := "#!/bin/sh\nif [ \"$1\" = version ]; then echo 'stategate " + releaseVersion +
		", ABI 1'; exit; fi\nexec \"$REAL\" \"$@\"\n"
	archive := archived(t, tar.Header{Name: programName}, append([]byte(head), program[:min(len(program), 32<<20)]...))
	r := newRelease(t, map[string][]byte{"checksums.txt": checksums(archive), archiveName(): archive})
	in := newInstaller(t, "STATEGATE_ATTESTATION=off")
	repo := filepath.Join(in.dir, "repo")
	if err := os.CopyFS(repo, os.DirFS(filepath.Join(repository, "testdata", "trees", "closed"))); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "--quiet"}, {"add", "-A"},
		{"-c", "user.name=x", "-c", "user.email=x@localhost", "commit", "--quiet", "-m", "x"}} {
		if out, err := exec.Command("git", append([]string{"-C", repo}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	real := filepath.Join(in.dir, "real", programName)
	if err := errors.Join(os.Mkdir(filepath.Dir(real), 0o755), os.Symlink(self, real)); err != nil {
		t.Fatal(err)
	}
	action := func(word, outputs string) time.Duration {
		start := time.Now()
		in.installs(r.URL, word)
		installed := time.Since(start)
		cmd := exec.Command("bash", filepath.Join(repository, ".github", "action", "check.sh"))
		cmd.Dir = repo
		cmd.Env = []string{
			"PATH=" + in.bin + ":" + os.Getenv("PATH"), "REAL=" + real, "HOME=" + in.dir,
			"XDG_CACHE_HOME=" + sharedCache,
			"GITHUB_OUTPUT=" + outputs, "GITHUB_STEP_SUMMARY=" + outputs + ".md", "SUMMARY=true", "FORMAT=github",
			"SARIF=out.sarif", "WORKING_DIRECTORY=sub",
		}
		out, err := cmd.CombinedOutput()
		took := time.Since(start)
		t.Logf("%s: installed in %v, checked in %v", word, installed, took-installed)
		if cmd.ProcessState.ExitCode() != 1 || !bytes.Contains(out, []byte("::error file=")) {
			t.Errorf("the gate is not closed: %v: %s", err, out)
		}
		if got, _ := os.ReadFile(outputs); string(got) != "exit-code=1\ngate=closed\nsarif=sub/out.sarif\n" {
			t.Errorf("the outputs are %q", got)
		}
		if got, _ := os.ReadFile(outputs + ".md"); !bytes.Contains(got, []byte("| ")) {
			t.Errorf("the summary is %q", got)
		}
		return took
	}
	outputs := filepath.Join(in.dir, "outputs")
	cold, cached := action("(downloaded; checked: its checksum)", outputs+"a"),
		action("(cached; checked: its checksum)", outputs+"b")
	if got := strings.Join(r.fetched, " "); got != "checksums.txt "+archiveName()+" checksums.txt" {
		t.Errorf("it downloads %s", got)
	}
	if os.Getenv("STATEGATE_TEST_TIMES") != "" && (cold > 3*time.Second || cached > time.Second) {
		t.Errorf("it takes %v, and %v where the release is cached, expected 3 s and 1 s at most", cold, cached)
	}
	if err := os.WriteFile(filepath.Join(in.dir, "cache", archiveName()), archive[1:], 0o600); err != nil {
		t.Fatal(err)
	}
	in.installs(r.URL, "it is downloaded again")
}

// TestInstallsForAUser: without a directory, the script installs into the user's own, which may not be in PATH yet.
func TestInstallsForAUser(t *testing.T) {
	needShell(t)
	good := archived(t, tar.Header{Name: programName}, saying(releaseVersion))
	r := newRelease(t, map[string][]byte{"checksums.txt": checksums(good), archiveName(): good})
	in := newInstaller(t, "STATEGATE_ATTESTATION=off")
	own := filepath.Join(in.dir, ".local", "bin")
	in.bin = ""
	if out, code := in.run(r.URL, "HOME="+in.dir); code != 0 || !strings.Contains(out, own+" is not in PATH") {
		t.Errorf("it exits with %d and says %q", code, out)
	}
	if out, code := in.run(r.URL, "HOME="+in.dir, "PATH="+in.tools+":"+own); code != 0 ||
		strings.Contains(out, "PATH") {
		t.Errorf("it exits with %d and says %q", code, out)
	}
	in.bin = own
	in.installs(r.URL, "cached")
}

// TestActionRefuses: the script refuses everything that differs from what the release promises.
func TestActionRefuses(t *testing.T) {
	needShell(t)
	good := archived(t, tar.Header{Name: programName}, saying(releaseVersion))
	page := []byte("<html><body>Access to this site is blocked</body></html>\n")
	served := func(sums, archive []byte) map[string][]byte {
		return map[string][]byte{"checksums.txt": sums, archiveName(): archive}
	}
	linked := archived(t, tar.Header{Name: programName, Typeflag: tar.TypeSymlink, Linkname: "/bin/sh"}, nil)
	other := archived(t, tar.Header{Name: programName}, saying("v9.9.8"))
	for name, c := range map[string]struct {
		files map[string][]byte
		word  string
	}{
		"a tampered archive": {served(checksums(good),
			archived(t, tar.Header{Name: programName}, []byte("#!/bin/sh\n"))),
			"expected " + fmt.Sprintf("%x", sha256.Sum256(good))},
		"an archive that is not named": {served([]byte(strings.Repeat("0", 64)+"  another.tar.gz\n"), good),
			"does not name " + archiveName()},
		"an archive that is named twice": {served(append(checksums(good), checksums(other)...), good), "or several"},
		"an invalid checksum":            {served([]byte("abc  "+archiveName()+"\n"), good), `found "abc"`},
		"a proxy's page":                 {served(page, page), `begins with "<html><body>Access`},
		"a proxy's page for the archive": {served(checksums(good), page), `begins with "<html><body>Access`},
		"an archive that is not there":   {map[string][]byte{"checksums.txt": checksums(good)}, "404"},
		"no release":                     {nil, "404"},
		"an archive of another release":  {served(checksums(other), other), "expected stategate " + releaseVersion},
		"an archive without the program": {served(checksums(archived(t, tar.Header{Name: "README"}, page)),
			archived(t, tar.Header{Name: "README"}, page)), "has no stategate"},
		"a link for a program": {served(checksums(linked), linked), "is not a file"},
	} {
		t.Run(name, func(t *testing.T) {
			newInstaller(t, "STATEGATE_ATTESTATION=off").refuses(newRelease(t, c.files).URL, c.word)
		})
	}
	t.Run("a program that commands the terminal and the log", func(t *testing.T) {
		hostile := archived(t, tar.Header{Name: programName}, saying("\x1b]0;owned\a\x9b31m ##vso[task.complete]"))
		r := newRelease(t, served(checksums(hostile), hostile))
		out, code := newInstaller(t, "STATEGATE_ATTESTATION=off").run(r.URL)
		if want := `says that it is "stategate ?]0;owned??31m #vso[task.complete], ABI 1", expected`; code != 3 ||
			!strings.Contains(out, want) {
			t.Errorf("it exits with %d and says %q, expected %q", code, out, want)
		}
	})
	t.Run("places that cannot be written", func(t *testing.T) {
		in := newInstaller(t, "STATEGATE_ATTESTATION=off")
		r := newRelease(t, served(checksums(good), good))
		nowhere := filepath.Join(in.dir, "nowhere")
		if err := os.Symlink(filepath.Join(in.dir, "none", "at", "all"), nowhere); err != nil {
			t.Fatal(err)
		}
		in.refuses(r.URL, "could not be written", "STATEGATE_BIN="+nowhere)
		if err := os.MkdirAll(filepath.Join(in.dir, "other", programName), 0o755); err != nil {
			t.Fatal(err)
		}
		in.refuses(r.URL, "is a directory", "STATEGATE_BIN="+filepath.Join(in.dir, "other"))
		in.installs(r.URL, "the archive is not kept", "STATEGATE_CACHE="+nowhere)
	})
	t.Run("a download that ends too early", func(t *testing.T) {
		r := newRelease(t, served(checksums(good), good))
		r.answer = func(w http.ResponseWriter, name string) bool {
			if name != archiveName() {
				return false
			}
			w.Header().Set("Content-Length", fmt.Sprint(len(good)))
			_, _ = w.Write(good[:len(good)/2])
			return true
		}
		newInstaller(t, "STATEGATE_ATTESTATION=off").refuses(r.URL, "could not be downloaded: curl: (18)")
	})
	t.Run("a proxy that refuses", func(t *testing.T) {
		r := newRelease(t, nil)
		r.answer = func(w http.ResponseWriter, _ string) bool {
			w.WriteHeader(http.StatusProxyAuthRequired)
			_, _ = w.Write(page)
			return true
		}
		newInstaller(t, "STATEGATE_ATTESTATION=off").refuses(r.URL, "407")
	})
	for wrong, word := range map[string]string{
		"STATEGATE_VERSION=":                              "no version is given",
		"STATEGATE_VERSION=main":                          `"main" is not valid`,
		"STATEGATE_VERSION=v1.2.3/../..":                  "is not valid",
		"STATEGATE_ATTESTATION=no":                        `"no" is not valid`,
		"STATEGATE_RELEASES=http://releases.example":      "with https only",
		"STATEGATE_RELEASES=http://127.0.0.1.example/x":   "with https only",
		"STATEGATE_RELEASES=file:///etc":                  "with https only",
		"STATEGATE_RELEASES=http://localhost@example.com": "holds a user name",
	} {
		newInstaller(t).refuses("", word, wrong)
	}
}

// TestActionRedirects: a release may redirect to another host, like GitHub's do, but only over https.
func TestActionRedirects(t *testing.T) {
	needShell(t)
	good := archived(t, tar.Header{Name: programName}, saying(releaseVersion))
	plain := newRelease(t, map[string][]byte{"checksums.txt": checksums(good), archiveName(): good})
	encrypted := httptest.NewTLSServer(plain)
	t.Cleanup(encrypted.Close)
	to := ""
	r := newRelease(t, nil)
	r.answer = func(w http.ResponseWriter, name string) bool {
		w.Header().Set("Location", to+"/"+releaseVersion+"/"+name)
		w.WriteHeader(http.StatusFound)
		return true
	}
	in := newInstaller(t, "STATEGATE_ATTESTATION=off")
	ca := filepath.Join(in.dir, "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: encrypted.Certificate().Raw}),
		0o600); err != nil {
		t.Fatal(err)
	}
	to = plain.URL
	in.refuses(r.URL, "curl: (1)", "CURL_CA_BUNDLE="+ca)
	to = encrypted.URL
	in.refuses(r.URL, "curl: (60)") // its certificate is not trusted
	to = r.URL
	in.refuses(encrypted.URL+"/none", "404", "CURL_CA_BUNDLE="+ca)
	to = encrypted.URL
	in.installs(r.URL, "downloaded", "CURL_CA_BUNDLE="+ca)
}

// TestActionAttests: the script refuses a release with an invalid attestation, and reports if it did not check one.
func TestActionAttests(t *testing.T) {
	needShell(t)
	good := archived(t, tar.Header{Name: programName}, saying(releaseVersion))
	r := newRelease(t, map[string][]byte{"checksums.txt": checksums(good), archiveName(): good})
	required := "STATEGATE_ATTESTATION=required"
	in := newInstaller(t)
	in.refuses(r.URL, "could not be checked: gh is not installed", required)
	in.tool("gh", "#!/bin/sh\necho 'Error: verifying with issuer failed' >&2\nexit 1\n")
	in.refuses(r.URL, "could not be checked: gh is not logged in", required)
	in.refuses(r.URL, "no valid attestation of stategate/stategate: Error: verifying with issuer failed", "GH_TOKEN=x")
	in.tool("gh", "#!/bin/sh\necho 'Erreur\u00a0: \u201cclé\u201d \u202e\u009b31m\u200b\U000e0041 ##[x]' >&2\nexit 1\n")
	in.refuses(r.URL, "stategate/stategate: Erreur\u00a0: \u201cclé\u201d ???31m?? #[x]", "GH_TOKEN=x")
	in.refuses(r.URL, "::error title=stategate was not installed::", "GH_TOKEN=x", "GITHUB_ACTIONS=true")
	in.installs(r.URL, "its checksum)", "GH_TOKEN=x", "STATEGATE_ATTESTATION=off")
	in.tool("gh", "#!/bin/sh\necho \"$*\" >'"+in.dir+"/asked'\n")
	in.installs(r.URL, "(cached; checked: its checksum and its attestation)", "GH_TOKEN=x", required)
	asked, _ := os.ReadFile(filepath.Join(in.dir, "asked"))
	want := "--repo stategate/stategate --signer-workflow stategate/stategate/.github/workflows/release.yml\n"
	if !strings.HasPrefix(string(asked), "attestation verify /") || !strings.HasSuffix(string(asked), want) {
		t.Errorf("gh is asked %q", asked)
	}
	in.installs(r.URL, "the attestation was not checked: gh is not logged in")
}

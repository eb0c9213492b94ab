package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/plugins/build"
)

const tag = "v0.9.9-rc.1" // the notes of a pre-release are the unreleased changes

// A made is a release that the test has made of the checked-out commit, under a separate tag.
type made struct {
	clone, dist string
	plugins     int
}

// TestRelease tags a clone, builds the tag's release in two directories, and installs it in every supported way. It
// builds only this system's target, or all targets with STATEGATE_TEST_LONG.
func TestRelease(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("releases are made on Linux")
	}
	plugins := build.Files()
	if len(plugins) == 0 {
		t.Skip("no plugin is built: run make plugins")
	}
	top, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	m := made{filepath.Join(dir, "one"), filepath.Join(dir, "one", "dist"), len(plugins)}
	only := "-only=" + runtime.GOOS + "/" + runtime.GOARCH
	if os.Getenv("STATEGATE_TEST_LONG") != "" {
		only = "-only="
	}
	must(t, "", nil, "git", "clone", "--quiet", "--no-local", top, m.clone)
	must(t, m.clone, nil, "git", "checkout", "--quiet", "-B", "main")
	must(t, m.clone, nil, "make", "release-tag", "VERSION="+tag)
	must(t, m.clone, nil, "git", "checkout", "--quiet", tag)
	must(t, m.clone, nil, "go", "run", "./.ci/release", only)
	another := filepath.Join(dir, "another", "deeper")
	must(t, "", nil, "git", "clone", "--quiet", "--no-local", "--branch", tag, m.clone, another)
	must(t, another, nil, "go", "run", "./.ci/release", only)
	if one, two := digests(t, m.dist), digests(t, filepath.Join(another, "dist")); !maps.Equal(one, two) {
		t.Errorf("two directories give two releases: %v and %v", one, two)
	}
	t.Run("archive", m.archive)
	t.Run("checksums", m.checksums)
	t.Run("bill of materials", m.bill)
	t.Run("image", m.image)
	t.Run("plugins", m.artifacts)
	t.Run("install script", m.installs)
	t.Run("npm", m.npm)
	t.Run("python", m.python)
	t.Run("pre-commit", m.preCommit)
}

func must(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	out, err := called(dir, env, name, args...)
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return out
}

// called runs a program for a user who has no files except the Go command's caches.
func called(dir string, env []string, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=x", "GIT_AUTHOR_EMAIL=x@localhost",
		"GIT_COMMITTER_NAME=x", "GIT_COMMITTER_EMAIL=x@localhost")
	c.Env = append(c.Env, env...)
	out, err := c.CombinedOutput()
	return string(out), err
}

func digests(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		all[name] = fmt.Sprintf("%v %x", info.Mode(), sha256.Sum256(data))
		return err
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("%s has %d files: %v", dir, len(all), err)
	}
	return all
}

// read returns a file from the release.
func (m made) read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(m.dist, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func untar(t *testing.T, data []byte) (names []string, files map[string][]byte) {
	t.Helper()
	files = map[string][]byte{}
	for r := tar.NewReader(bytes.NewReader(data)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return names, files
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
	}
}

func gunzip(t *testing.T, data []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if data, err = io.ReadAll(r); err != nil {
		t.Fatal(err)
	}
	return data
}

func (m made) archiveName() string {
	return "stategate_" + tag[1:] + "_" + runtime.GOOS + "_" + runtime.GOARCH + ".tar.gz"
}

// archive checks that the download is complete and has at most 29.1 MB, or 14.5 MB compressed, plus 0.9 MB for each
// plugin beyond five, because each plugin has the shared words. Declared workflows (a guest, and its reader in the
// host) may add 2 MB, or 1.5 MB compressed.
func (m made) archive(t *testing.T) {
	packed := m.read(t, m.archiveName())
	names, files := untar(t, gunzip(t, packed))
	for _, want := range []string{"stategate", "LICENSE", "README.md", "THIRD-PARTY-LICENSES.txt",
		"man/man1/stategate.1", "man/man1/stategate-check.1",
		"completions/stategate.bash", "completions/_stategate", "completions/stategate.fish",
		"completions/stategate.ps1"} {
		if len(files[want]) == 0 {
			t.Errorf("it has no %s: %q", want, names)
		}
	}
	more := float64(m.plugins-5) * 0.9
	for what, c := range map[string]struct{ size, limit float64 }{
		"unpacked": {float64(len(files["stategate"])) / 1e6, 29.1 + more + 2},
		"packed":   {float64(len(packed)) / 1e6, 14.5 + more + 1.5},
	} {
		t.Logf("%s: %.1f MB of %.1f", what, c.size, c.limit)
		if c.size > c.limit {
			t.Errorf("%s, it has %.1f MB, expected at most %.1f with %d plugins", what, c.size, c.limit, m.plugins)
		}
	}
	if _,
		others := untar(t, gunzip(t, m.read(t, strings.Replace(m.archiveName(), "stategate_", "stategate-mcp_",
		1)))); len(others["stategate-mcp"]) == 0 {
		t.Error("stategate-mcp is not released")
	}
	program := filepath.Join(t.TempDir(), "stategate")
	if err := os.WriteFile(program, files["stategate"], 0o755); err != nil {
		t.Fatal(err)
	}
	commit := strings.TrimSpace(must(t, m.clone, nil, "git", "rev-parse", "HEAD"))
	if out := must(t, "", nil, program, "version", "--verbose"); !strings.HasPrefix(out, "stategate "+tag+",") ||
		!strings.Contains(out, "commit: "+commit+"\n") {
		t.Errorf("it says %s", out)
	}
}

func (m made) checksums(t *testing.T) {
	listed := strings.Count(string(m.read(t, "checksums.txt")), "\n")
	must(t, m.dist, nil, "sha256sum", "--check", "--strict", "checksums.txt")
	entries, err := os.ReadDir(m.dist)
	if err != nil {
		t.Fatal(err)
	}
	files := slices.DeleteFunc(entries, func(e os.DirEntry) bool { return e.IsDir() })
	if listed != len(files)-2 { // not listed: the list itself and the notes
		t.Errorf("%d files are listed of %v", listed, files)
	}
}

// bill checks that the bill of materials lists the plugins with their digests and the modules with their versions.
func (m made) bill(t *testing.T) {
	var b struct {
		Packages []struct {
			Name, VersionInfo string
			Checksums         []struct{ ChecksumValue string }
		}
		Relationships []any
	}
	if err := json.Unmarshal(m.read(t, "stategate_"+tag[1:]+".spdx.json"), &b); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, p := range b.Packages {
		found[p.Name] = p.VersionInfo
		if len(p.Checksums) > 0 {
			found[p.Name] = p.Checksums[0].ChecksumValue
		}
	}
	_, plugins := untar(t, gunzip(t, m.read(t, "stategate-plugins_"+tag[1:]+".tar.gz")))
	for name, wasm := range plugins {
		if want := fmt.Sprintf("%x", sha256.Sum256(wasm)); found[name] != want {
			t.Errorf("%s is said to be %q, expected %s", name, found[name], want)
		}
	}
	if len(plugins) != m.plugins || found["github.com/tetratelabs/wazero"] == "" || found["stdlib"] == "" ||
		len(b.Relationships) != len(b.Packages) || len(found["declare.wasm"]) != sha256.Size*2 {
		t.Errorf("it lists %v", found)
	}
}

// blobs reads an OCI layout, verifies the digest of every blob, and returns the manifests in its index.
func blobs(t *testing.T, data []byte) (all map[string][]byte, index []descriptor) {
	t.Helper()
	_, files := untar(t, data)
	all = map[string][]byte{}
	for name, blob := range files {
		if hex, ok := strings.CutPrefix(name, "blobs/sha256/"); ok {
			if all["sha256:"+hex] = blob; fmt.Sprintf("%x", sha256.Sum256(blob)) != hex {
				t.Errorf("the blob %s has another digest", hex)
			}
		}
	}
	return all, manifests(t, files["index.json"])
}

func manifests(t *testing.T, index []byte) []descriptor {
	t.Helper()
	var list struct{ Manifests []descriptor }
	if err := json.Unmarshal(index, &list); err != nil || len(list.Manifests) == 0 {
		t.Fatalf("the index is %q: %v", index, err)
	}
	return list.Manifests
}

// image checks that the image contains only the program, and that it runs as a user that does not exist on any system
// and checks the mounted repository.
func (m made) image(t *testing.T) {
	all, index := blobs(t, m.read(t, "stategate-image_"+tag[1:]+".oci.tar"))
	if index[0].Annotations[refName] != tag[1:] {
		t.Errorf("it is called %v", index[0].Annotations)
	}
	platform := slices.IndexFunc(manifests(t, all[index[0].Digest]),
		func(d descriptor) bool { return d.Platform["architecture"] == runtime.GOARCH })
	if platform < 0 {
		t.Fatal("there is no image for this processor")
	}
	var manifest struct {
		Config descriptor
		Layers []descriptor
	}
	var config struct {
		Config struct {
			User, WorkingDir string
			Entrypoint, Cmd  []string
			Env              []string
		}
		RootFS struct {
			DiffIDs []string `json:"diff_ids"`
		}
	}
	if err := json.Unmarshal(all[manifests(t, all[index[0].Digest])[platform].Digest], &manifest); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(all[manifest.Config.Digest], &config); err != nil {
		t.Fatal(err)
	}
	layer := gunzip(t, all[manifest.Layers[0].Digest])
	if want := fmt.Sprintf("sha256:%x", sha256.Sum256(layer)); !slices.Equal(config.RootFS.DiffIDs, []string{want}) {
		t.Errorf("the layer is %s, and said to be %v", want, config.RootFS.DiffIDs)
	}
	names, files := untar(t, layer)
	if want := []string{"LICENSE", "THIRD-PARTY-LICENSES.txt", "repo/", "stategate", "tmp/"}; !slices.Equal(names,
		want) {
		t.Errorf("it has %q, expected %q", names, want)
	}
	if os.Getuid() != 0 {
		t.Skip("its program is not run: chroot needs root")
	}
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "stategate"), files["stategate"], 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, "tmp"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(root, "repo"),
		os.DirFS(filepath.Join(m.clone, "testdata/trees/closed"))); err != nil {
		t.Fatal(err)
	}
	must(t, root, nil, "chmod", "-R", "a+rwX", root)
	proc := filepath.Join(root, "proc") // every container has /proc
	if err := os.Mkdir(proc, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := called("", nil, "mount", "-t", "proc", "proc", proc); err != nil {
		t.Skipf("its program is not run: %v: %s", err, out)
	}
	t.Cleanup(func() { must(t, "", nil, "umount", proc) })
	c := inRoot(root, config.Config.WorkingDir, append(slices.Clone(config.Config.Entrypoint), config.Config.Cmd...))
	c.Env = config.Config.Env
	if out, err := c.CombinedOutput(); c.ProcessState.ExitCode() != 1 ||
		!bytes.Contains(out, []byte("the gate is closed")) {
		t.Errorf("it exits with %v: %s", err, out)
	}
}

func (m made) artifacts(t *testing.T) {
	all, index := blobs(t, m.read(t, "stategate-plugins_"+tag[1:]+".oci.tar"))
	if len(index) != m.plugins {
		t.Errorf("%d artifacts of %d plugins", len(index), m.plugins)
	}
	for _, d := range index {
		if all[d.Digest] == nil || d.ArtifactType == "" || d.Annotations[refName] == "" {
			t.Errorf("%+v is not whole", d)
		}
	}
}

// closed creates a repository whose gate is closed.
func (m made) closed(t *testing.T) string {
	t.Helper()
	repo := filepath.Join(t.TempDir(), "repo")
	if err := os.CopyFS(repo, os.DirFS(filepath.Join(m.clone, "testdata/trees/closed"))); err != nil {
		t.Fatal(err)
	}
	must(t, repo, nil, "git", "init", "--quiet", "-b", "main")
	must(t, repo, nil, "git", "add", "-A")
	return repo
}

// npm checks that the packages, packed and installed into an empty directory, run the gate.
func (m made) npm(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not installed")
	}
	repo, dir, env := m.closed(t), t.TempDir(), []string{"npm_config_offline=true", "npm_config_audit=false",
		"npm_config_fund=false", "npm_config_update_notifier=false"}
	env = append(env, "npm_config_cache="+filepath.Join(dir, "cache"))
	cpu := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if cpu == "" {
		cpu = runtime.GOARCH
	}
	install := []string{"install", "--prefix", repo}
	for _, name := range []string{"stategate", "linux-" + cpu} {
		packed := strings.Fields(must(t, dir, env, "npm", "pack", "--silent", filepath.Join(m.dist, "npm", name)))
		install = append(install, filepath.Join(dir, packed[len(packed)-1]))
	}
	begin := time.Now()
	must(t, repo, env, "npm", install...)
	if out, err := called(repo, append(env, "XDG_CACHE_HOME="+dir), "npx", "--no", "stategate",
		"check"); !strings.Contains(out, "the gate is closed") || err == nil || err.Error() != "exit status 1" {
		t.Errorf("npx stategate check: %v: %s", err, out)
	}
	firstVerdict(t, begin)
	var p struct{ OptionalDependencies map[string]string }
	if err := json.Unmarshal(m.read(t, "npm/stategate/package.json"), &p); err != nil ||
		p.OptionalDependencies["@stategate/linux-"+cpu] != tag[1:] {
		t.Errorf("it depends on %v: %v", p.OptionalDependencies, err)
	}
	if strings.Contains(string(m.read(t, "npm/stategate/README.md")), "](.github") {
		t.Error("its README has links that lead nowhere there")
	}
}

// preCommit checks that the real pre-commit installs the wheel, and reports the first result within ten seconds.
func (m made) preCommit(t *testing.T) {
	if out, err := exec.Command("pre-commit", "--version").CombinedOutput(); err != nil {
		t.Skipf("pre-commit is not installed: %v: %s", err, out)
	}
	repo, dir := m.closed(t), t.TempDir()
	config := "repos:\n  - repo: " + m.clone + "\n    rev: " + tag + "\n    hooks:\n      - id: stategate\n"
	if err := os.WriteFile(filepath.Join(repo, ".pre-commit-config.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{"PRE_COMMIT_HOME=" + filepath.Join(dir, "home"), "XDG_CACHE_HOME=" + filepath.Join(dir, "cache"),
		"PIP_NO_INDEX=1", "PIP_FIND_LINKS=" + filepath.Join(m.dist, "python")}
	must(t, repo, env, "pre-commit", "install")
	must(t, repo, env, "git", "add", "-A")
	begin := time.Now()
	out, err := called(repo, env, "git", "commit", "-m", "x")
	firstVerdict(t, begin)
	if err == nil || !strings.Contains(out, "the gate is closed") || !strings.Contains(out, "[ocr/") {
		t.Errorf("the hook does not close the gate: %v: %s", err, out)
	}
}

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

type file struct {
	name string
	mode int64
	data []byte
}

func inOrder(files []file) []file {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files
}

// tarball archives files in the given order, owned by root and with the same time. A name that ends with a slash is a
// directory.
func tarball(at time.Time, files ...file) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range inOrder(files) {
		kind := byte(tar.TypeReg)
		if strings.HasSuffix(f.name, "/") {
			kind = tar.TypeDir
		}
		if err := w.WriteHeader(&tar.Header{Typeflag: kind, Name: f.name, Mode: f.mode, Size: int64(len(f.data)),
			ModTime: at, Format: tar.FormatUSTAR}); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func (r *release) tarGz(files ...file) ([]byte, error) {
	data, err := tarball(r.time, files...)
	if err != nil {
		return nil, err
	}
	return gzipped(data)
}

func gzipped(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// zipped archives files in the given order, with the same time.
func zipped(at time.Time, files []file) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(out, flate.BestCompression)
	})
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		h.SetMode(os.FileMode(f.mode))
		part, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := part.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// archives writes the archives for download: stategate_VERSION_OS_ARCH.tar.gz, or .zip for Windows. Each other
// program has a similar archive.
func (r *release) archives() error {
	return r.together(func(t target) error {
		if err := r.archive(t, "stategate", append([]file{{t.program(), 0o755, r.built[t]}}, r.extra...)); err != nil {
			return err
		}
		for _, f := range r.others[t] {
			files := []file{f, {"LICENSE", 0o644, r.file("LICENSE")},
				{"THIRD-PARTY-LICENSES.txt", 0o644, r.file("THIRD-PARTY-LICENSES.txt")}}
			if err := r.archive(t, strings.TrimSuffix(f.name, t.suffix()), files); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *release) archive(t target, program string, files []file) error {
	name := fmt.Sprintf("%s_%s_%s_%s", program, r.version.semver, t.os, t.arch)
	if t.os == "windows" {
		data, err := zipped(r.time, inOrder(files))
		if err != nil {
			return err
		}
		return r.write(name+".zip", data, 0o644)
	}
	data, err := r.tarGz(files...)
	if err != nil {
		return err
	}
	return r.write(name+".tar.gz", data, 0o644)
}

// script writes install.sh: the action's script, which installs this release by default.
func (r *release) script() error {
	text, err := os.ReadFile(".github/action/install.sh")
	if err != nil {
		return err
	}
	const place = "version=${STATEGATE_VERSION:-}"
	own := strings.Replace(string(text), place, "version=${STATEGATE_VERSION:-v"+r.version.semver+"}", 1)
	if own == string(text) {
		return fmt.Errorf("install.sh has no line %s", place)
	}
	return r.write("install.sh", []byte(own), 0o755)
}

var relative = regexp.MustCompile(`\]\(([^)#:\s]+)(#[^)\s]*)?\)`)

// readme returns README.md for readers outside the repository.
func (r *release) readme() string { return r.abroad(string(r.file("README.md")), "") }

// abroad makes the relative links on a page absolute, so that they lead to the repository at the release's
// commit.
func (r *release) abroad(page, folder string) string {
	return relative.ReplaceAllStringFunc(page, func(link string) string {
		m := relative.FindStringSubmatch(link)
		return "](" + homepage + "/blob/" + r.commit + "/" + path.Join(folder, m[1]) + m[2] + ")"
	})
}

// checksums lists the SHA-256 of each file attached to the release, in the format that `sha256sum -c` reads.
func (r *release) checksums() error {
	entries, err := os.ReadDir(r.dist)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	for _, e := range entries {
		if e.IsDir() || e.Name() == notesName {
			continue
		}
		data, err := os.ReadFile(filepath.Join(r.dist, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(data), e.Name())
	}
	return r.write("checksums.txt", b.Bytes(), 0o644)
}

const notesName = "release-notes.md"

// notes returns the release's section in the changelog, or the newest section for a pre-release or an untagged commit.
func (r *release) notes() error {
	const folder = ".github"
	text, err := os.ReadFile(folder + "/CHANGELOG.md")
	if err != nil {
		return err
	}
	title := ""
	if r.version.tagged && !strings.Contains(r.version.semver, "-") {
		title = r.version.semver
	}
	section, ok := sectionOf(string(text), title)
	if !ok {
		return fmt.Errorf("the changelog has no section %q: add `## %s` with what users notice", title, title)
	}
	return r.write(notesName, []byte(r.abroad(section, folder)), 0o644)
}

// sectionOf returns the text under a version's heading, which may end with a date. Without a title, it returns the text
// under the first heading.
func sectionOf(text, title string) (string, bool) {
	parts := strings.Split("\n"+text, "\n## ")
	for _, part := range parts[1:] {
		heading, body, _ := strings.Cut(part, "\n")
		name, _, _ := strings.Cut(strings.TrimPrefix(heading, "v"), " ")
		if (title == "" || name == title) && strings.TrimSpace(body) != "" {
			return strings.TrimSpace(body) + "\n", true
		}
	}
	return "", false
}

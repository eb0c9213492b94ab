package main

import (
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

type document struct {
	uri     string // as the editor spells it
	path    string // absolute, with links in its directory resolved
	version int
	text    string
	unsaved bool // the text may differ from the file on disk
}

// A change is one edit of a document. Without a range, it replaces the whole text.
type change struct {
	Range *textRange `json:"range"`
	Text  string     `json:"text"`
}

func (d *document) apply(u units, c change) {
	d.unsaved = true
	if c.Range == nil {
		d.text = c.Text
		return
	}
	from, to := u.offset(d.text, c.Range.Start), u.offset(d.text, c.Range.End)
	d.text = d.text[:from] + c.Text + d.text[max(from, to):]
}

// pathOf returns the path of the file that a URI names, or "" if it does not name a file.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return ""
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.FromSlash(path)
}

func uriOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// resolved returns a path with the links in its directory resolved, as far as that directory exists.
func resolved(path string) string {
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// below returns a path relative to a directory, and reports whether it is in that directory.
func below(dir, path string) (string, bool) {
	rel, err := filepath.Rel(dir, path)
	return rel, err == nil && filepath.IsLocal(rel)
}

// maxRead is the size of the largest file that is read to find a position in it, in bytes.
const maxRead = 16 << 20

// read returns the text of a file, or "" if it is empty, too large or unreadable. System files that report size 0 may
// never end, so it does not read them.
func read(path string) string {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > maxRead {
		return ""
	}
	data, _ := os.ReadFile(path)
	return string(data)
}

// documentFor returns the document to show a finding in. Editors show no findings on directories or missing files; for
// these, it returns the first document in the directory.
func documentFor(path string) string {
	info, err := os.Stat(path)
	for ; err != nil && path != filepath.Dir(path); info, err = os.Stat(path) {
		path = filepath.Dir(path)
	}
	if err != nil || !info.IsDir() {
		return path
	}
	entries, _ := os.ReadDir(path)
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case ".json", ".yaml", ".yml", ".md":
			if e.Type().IsRegular() {
				return filepath.Join(path, e.Name())
			}
		}
	}
	return path
}

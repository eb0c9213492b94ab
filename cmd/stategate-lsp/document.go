package main

import (
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// A document is one that the editor has open.
type document struct {
	uri     string // as the editor spells it
	path    string // absolute, links above the file resolved
	version int
	text    string
	unsaved bool // the text may not be that of the file
}

// A change is one edit of a document; without a range it is all of it.
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

// pathOf is the path of a file that a URI names, "" if it names none.
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

// resolved is a path with the links above its last name resolved, as far as they are there.
func resolved(path string) string {
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// below is a path relative to a directory that it is in.
func below(dir, path string) (string, bool) {
	rel, err := filepath.Rel(dir, path)
	return rel, err == nil && filepath.IsLocal(rel)
}

// maxRead is how much of a file is read for a position in it, in bytes.
const maxRead = 16 << 20

// read is the text of a file, "" where it cannot be read. Files of the system that say they are empty may never end.
func read(path string) string {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > maxRead {
		return ""
	}
	data, _ := os.ReadFile(path)
	return string(data)
}

// documentFor is the document that a finding is shown in, because editors show none in directories or in what is not
// there: the first one of the directory.
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

package main

import (
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/stategate/stategate/host/advice"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/print"
	"github.com/stategate/stategate/host/source/git"
)

// shell returns the shell in which the user types commands about a workspace.
func (a *app) shell(workspace string) advice.Shell { return advice.In(a.env.here, workspace) }

func (a *app) absolute(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(a.env.dir, file)
}

// startedAt reports whether stategate was started at the top of a workspace.
func (a *app) startedAt(workspace string) bool { return git.Resolved(a.env.dir) == workspace }

// placed makes text output show paths relative to the user's directory, and JSON output name the directory that its
// paths are relative to.
func placed(a *app, how *print.Options, workspace string) {
	if workspace == "" {
		return
	}
	if !a.startedAt(workspace) {
		how.Workspace = workspace
	}
	if a.env.links && isTerminal(a.stdout) {
		how.Link = func(name string) string { return fileURL(workspace, name) }
	}
	here := a.shell(workspace)
	if here.IsTop() {
		return
	}
	how.Path = func(name string) string {
		shown := filepath.ToSlash(here.Path(name))
		if strings.HasSuffix(name, "/") {
			shown += "/"
		}
		return shown
	}
}

// fileURL returns the URL of a file. It never contains control characters, whatever the file name.
func fileURL(workspace, name string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(workspace,
		filepath.FromSlash(name)))}).String()
}

// readRegular reads a file named by a flag or an argument, at most max+1 bytes.
func readRegular(name string, max int64) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usagef("file %s does not exist", name)
	case err == nil && !info.Mode().IsRegular():
		return nil, usagef("%s is not a regular file", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fault.Newf(fault.IO, "%v", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, max+1))
	if err != nil {
		return nil, fault.Newf(fault.IO, "read %s: %v", name, err)
	}
	return data, nil
}

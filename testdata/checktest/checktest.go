// Package checktest creates state directories and plugins for the host's tests.
package checktest

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/host/plugin/worker"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/testdata/gittest"
	"github.com/stategate/stategate/testdata/guests"
)

// Main runs a package's tests. If the test binary was started as a worker, Main acts as that worker
// instead.
func Main(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == worker.Verb {
		os.Exit(worker.Main(os.Stdin, os.Stdout, os.Stderr, exchange.New().Run))
	}
	os.Exit(m.Run())
}

// Told is a report with one finding that has one remedy.
const Told = `{"diagnostics":[{"rule":"told","subject":"s","key":"k","range":{"path":"state.json","pointer":"/phase"},"message":"as told",` +
	`"remedies":[{"title":"Remove it","safety":"review","edits":[{"op":"remove","range":{"path":"state.json"}}]}]}]}`

// Plugin returns a plugin that always answers with report.
func Plugin(t *testing.T, name, report string) *plugin.Plugin {
	t.Helper()
	return read(t, name, guests.Canned{Manifest: guests.Manifest(name), Report: guests.Report(report)})
}

// Healing returns a plugin that offers one remedy. After the remedy, the plugin has nothing to report.
func Healing(t *testing.T, name, report string) *plugin.Plugin {
	t.Helper()
	return read(t, name, guests.Canned{Manifest: guests.Manifest(name), Report: guests.Report(report),
		Second: guests.Report("{}")})
}

func read(t *testing.T, name string, guest guests.Canned) *plugin.Plugin {
	t.Helper()
	p, err := plugin.ReadPlugin(name+".wasm", guest.Bytes(), "", limits.Default())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Tree creates a directory with one instance for every root.
func Tree(t *testing.T, roots ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, root := range roots {
		Write(t, filepath.Join(dir, root, guests.Root, guests.Document), guests.Text)
	}
	return dir
}

// Write writes a file, and creates its parent directories.
func Write(t *testing.T, name, text string) {
	t.Helper()
	gittest.Write(t, "", map[string]string{name: text})
}

// Options returns options for a check of dir at a fixed time.
func Options(dir string, plugins ...*plugin.Plugin) check.Options {
	return check.Options{
		Subject:   check.Subject{Dir: dir, Environ: os.Environ()},
		Rules:     check.Rules{Plugins: plugins},
		Resources: check.Resources{Limits: limits.Default(), Jobs: 2},
		Now:       time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC),
	}
}

// Check runs a check, and fails the test on an error.
func Check(t *testing.T, o check.Options) *result.Result {
	t.Helper()
	r, err := check.Check(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

package legalmemo

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/engine/snapshot"
)

// realSessions reads the sessions in STATEGATE_REAL_DIR, by name.
func realSessions(t *testing.T) map[string][]snapshot.File {
	t.Helper()
	dir := os.Getenv("STATEGATE_REAL_DIR")
	if dir == "" {
		t.Skip("STATEGATE_REAL_DIR names no folder of real sessions")
	}
	if _, err := os.Stat(filepath.Join(dir, "legal-memo")); err == nil {
		dir = filepath.Join(dir, "legal-memo")
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	sessions := map[string][]snapshot.File{}
	for _, e := range entries {
		if e.IsDir() {
			sessions[e.Name()] = sessionFiles(t, os.DirFS(filepath.Join(dir, e.Name())))
		}
	}
	if len(sessions) == 0 {
		t.Fatalf("%s holds no sessions", dir)
	}
	return sessions
}

func sessionFiles(t *testing.T, root fs.FS) []snapshot.File {
	var files []snapshot.File
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		spec := snapshot.SpecOf(Workflow.Documents, name, snapshot.Regular)
		if err != nil || d.IsDir() || spec < 0 {
			return err
		}
		data, err := fs.ReadFile(root, name)
		files = append(files, snapshot.File{Path: name, Size: int64(len(data)), Data: data, Spec: spec})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// realErrors holds all errors in the real sessions, each verified by reading the files.
var realErrors = map[string]string{
	"2026-01-18-1737247891": "section-not-in-memorandum",
	"2026-01-24-1737749920": "all-passed-beside-failed-check",
}

func TestRealSessions(t *testing.T) {
	for name, files := range realSessions(t) {
		l := lookAtFiles(t, name, files)
		if l.Declined != "" {
			t.Errorf("%s: %v", name, l.Declined)
			continue
		}
		for _, d := range l.findings {
			t.Logf("%s %v %s [%s] %s#%s {%s}: %s", name, d.Severity, d.Rule, d.Subject, d.Range.Path, d.Range.Pointer,
				d.Key, d.Message)
		}
		for _, d := range l.Detections {
			t.Logf("%s  %s: %q -> %s %v %d/%d %s", name, d.Subject, d.Claimed, d.Observed, d.State, d.Progress.Done,
				d.Progress.Total, d.Progress.Unit)
		}
		if got := strings.Join(l.rulesAt(sdk.Error), " "); got != realErrors[name] {
			t.Errorf("%s: errors %q, want %q", name, got, realErrors[name])
		}
	}
}

func lookAtFiles(t *testing.T, name string, files []snapshot.File) answer {
	t.Helper()
	return examine(t, inputOf(name, files))
}

func inputOf(name string, files []snapshot.File) snapshot.Input {
	now, _ := time.Parse(time.RFC3339, "2026-01-27T12:00:00Z")
	return snapshot.Input{Root: "reports/" + name, Name: path.Base(name), Now: now, Files: files}
}

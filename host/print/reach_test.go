package print

import (
	"strings"
	"testing"

	"github.com/stategate/stategate/sdk/wire"
)

// TestReachChange: an update states what the new version lets the plugin do.
func TestReachChange(t *testing.T) {
	version := func(change func(*wire.Manifest)) *wire.Manifest {
		m := &wire.Manifest{License: "MIT", Roots: []wire.Root{{Dir: ".notes/*"}},
			Documents: []wire.DocumentSpec{{Glob: "state.json", Need: wire.Content},
				{Glob: "*.md", Need: wire.Counted}},
			Rules: []wire.Rule{{Name: "ahead", Severity: wire.Error}, {Name: "stale", Severity: wire.Warning}}}
		if change != nil {
			change(m)
		}
		return m
	}
	for _, c := range []struct {
		want   string
		change func(*wire.Manifest)
	}{
		{"powers: unchanged", func(m *wire.Manifest) {
			m.Version = "2.0.0"
		}},
		{"now also runs in: **", func(m *wire.Manifest) {
			m.Roots = append(m.Roots, wire.Root{Dir: "**"})
		}},
		{"now also reads: **/.env", func(m *wire.Manifest) {
			m.Documents = append(m.Documents, wire.DocumentSpec{Glob: "**/.env", Need: wire.Content})
		}},
		{"now also reads: *.md; no longer reads: *.md (counted)", func(m *wire.Manifest) {
			m.Documents[1].Need = wire.Content
		}},
		{"now also asks about: src/**", func(m *wire.Manifest) {
			m.AsksFor = []string{"src/**"}
		}},
		{"now also closes the gate for: stale", func(m *wire.Manifest) {
			m.Rules[1].Severity = wire.Error
		}},
		{"no longer closes the gate for: ahead", func(m *wire.Manifest) {
			m.Rules[0].OffByDefault = true
		}},
		{"rejects configurations that name: stale", func(m *wire.Manifest) {
			m.Rules = m.Rules[:1]
		}},
		{"license is now: GPL-3.0-only", func(m *wire.Manifest) {
			m.License = "GPL-3.0-only"
		}},
	} {
		var got []string
		for _, row := range ReachChange(version(nil), version(c.change)) {
			got = append(got, row[0]+": "+row[1])
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	kept := version(func(m *wire.Manifest) {
		m.Rules[0] = wire.Rule{Name: "ahead", Severity: wire.Error, Replaces: []string{"stale"}}
		m.Rules = m.Rules[:1]
	})
	if rows := ReachChange(version(nil), kept); rows[0][1] != "unchanged" {
		t.Errorf("a rule with a former name: got %v", rows)
	}
	kept = version(func(m *wire.Manifest) { m.Rules, m.Dropped = m.Rules[:1], []string{"stale"} })
	if rows := ReachChange(version(nil), kept); rows[0][1] != "unchanged" {
		t.Errorf("a rule that was dropped: got %v", rows)
	}
}

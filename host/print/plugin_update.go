package print

import (
	"io"
	"slices"
	"strings"

	"github.com/stategate/stategate/host/plugin"
)

// Updated is a plugin whose bytes are no longer the pinned ones.
type Updated struct {
	Source string
	Pinned string         // the sha256 that was pinned; "" if none was
	Before *plugin.Plugin // nil if it is not known
	Now    *plugin.Plugin
}

// Update shows what becomes of a plugin, and what changes in what it may read.
func Update(w io.Writer, u Updated, o Options) error {
	p := newPrinter(w, o)
	version := u.Now.Manifest.Version
	if u.Before != nil && u.Before.Manifest.Version != version {
		version = u.Before.Manifest.Version + " -> " + version
	}
	p.line(p.bold(Safe(u.Now.Name)), " ", Safe(version), " from ", Safe(u.Source))
	p.line("  sha256 ", orNothing(Safe(u.Pinned)), " -> ", u.Now.SHA256())
	now := mayRead(u.Now)
	if u.Before == nil {
		p.line("  what it was before is not on this machine; it may read:")
		for _, line := range now {
			p.line("    ", Safe(line))
		}
		return p.w.Flush()
	}
	before := mayRead(u.Before)
	if slices.Equal(before, now) {
		p.line("  what it may read stays the same")
	}
	for mark, lists := range [2][2][]string{{before, now}, {now, before}} {
		for _, line := range lists[0] {
			if !slices.Contains(lists[1], line) {
				p.line("  ", "-+"[mark:mark+1], " it may read ", Safe(line))
			}
		}
	}
	return p.w.Flush()
}

// mayRead lists where a plugin's runs lie, and how much it is given of which documents, sorted.
func mayRead(x *plugin.Plugin) []string {
	var list []string
	for _, r := range x.Manifest.Roots {
		list = append(list, r.Dir+"/ with any of "+strings.Join(r.Markers, ", "))
	}
	for _, d := range x.Manifest.Documents {
		list = append(list, d.Glob+": "+given(&d))
	}
	slices.Sort(list)
	return list
}

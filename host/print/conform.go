package print

import (
	"fmt"
	"io"
	"slices"

	"github.com/stategate/stategate/host/plugin"
)

// A Conformance is what a test of a plugin against its fixtures and the laws came to.
type Conformance struct {
	Plugin  *plugin.Plugin
	Trials  []Trial
	Faults  []string // of the plugin as a whole: its manifest, what its fixtures leave untried
	Laws    int      // laws that were held to every look
	Damaged int      // worlds that were made by damaging a fixture's documents
}

// A Trial is one fixture and what it broke.
type Trial struct {
	File    string // the archive
	Written bool   // its @want or @after were written anew
	Faults  []string
}

// Broken reports whether anything did not hold.
func (c *Conformance) Broken() bool {
	return len(c.Faults) > 0 || slices.ContainsFunc(c.Trials, func(t Trial) bool { return len(t.Faults) > 0 })
}

// Conforms prints every fixture with what it breaks, and whether the plugin conforms.
func Conforms(w io.Writer, c *Conformance, o Options) error {
	p := newPrinter(w, o)
	failed := 0
	for _, t := range c.Trials {
		word := "ok  "
		switch {
		case len(t.Faults) > 0:
			word = "FAIL"
			failed++
		case t.Written:
			word = "new "
		}
		p.line(word, " ", Safe(t.File))
		p.faults(t.Faults)
	}
	p.faults(c.Faults)
	name := Safe(c.Plugin.Name + " " + c.Plugin.Manifest.Version)
	if c.Broken() {
		p.line(name, " does not conform to ABI ", fmt.Sprint(c.Plugin.Manifest.ABI), ": ",
			Count(failed, "fixture"), " of ", fmt.Sprint(len(c.Trials)), " broken, ", Count(len(c.Faults), "fault"), " of the plugin as a whole")
		return p.w.Flush()
	}
	p.line(name, " conforms to ABI ", fmt.Sprint(c.Plugin.Manifest.ABI), ": ",
		Count(len(c.Trials), "fixture"), " and ", Count(c.Damaged, "damaged world"), ", ", Count(c.Laws, "law"), " held in each")
	return p.w.Flush()
}

func (p *printer) faults(list []string) {
	for _, fault := range list {
		p.text("     ", fault)
	}
}

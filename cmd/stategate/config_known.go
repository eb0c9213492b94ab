package main

import (
	"github.com/spf13/cobra"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
)

// soundHere reads the plugins that check would use here, for a verb that needs all
// of them to be well.
func (a *app) soundHere(c *cobra.Command, named []string) (*plugins, error) {
	o := a.hostOptions(limits.Default(), true)
	p, err := a.configured(c, &lookFlags{plugins: named}, &o)
	if err != nil {
		return nil, err
	}
	if len(p.failures) > 0 {
		f := p.failures[0]
		return nil, failed("plugin "+f.Plugin, &f.Failure)
	}
	return p, nil
}

// soundAnyway is soundHere for a verb that only shows what a plugin is: one that is
// disabled is shown, too, and a configuration that is wrong does not keep what is built in
// from being shown. has says whether what is wanted is among plugins.
func (a *app) soundAnyway(c *cobra.Command, named []string, has func([]*plugin.Plugin) bool) (*plugins, error) {
	here, wrong := a.soundHere(c, named)
	if wrong == nil && has(here.list) {
		return here, nil
	}
	builtIn, err := sound(named)
	switch {
	case err == nil && has(builtIn.list):
		return builtIn, nil
	case wrong != nil:
		return nil, wrong
	}
	return here, nil
}

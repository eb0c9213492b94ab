package sdk

import (
	"errors"
	"strconv"
)

// Validate reports what a host would refuse about the workflow, and what only
// the Go value can be wrong in. sdktest.Run calls it, and so does `stategate
// plugin build`, through the manifest.
func (w *Workflow) Validate() error {
	if err := w.Complete(); err != nil {
		return err
	}
	return w.Manifest().Validate()
}

// Complete reports the first thing that is missing in the Go value, which the manifest does not show. A plugin that is
// not complete does not describe itself, so that `stategate plugin build` says so.
func (w *Workflow) Complete() error {
	if w == nil {
		return errors.New("no workflow is served: call plugin.Serve in an init function")
	}
	fault := func(what string) error { return errors.New("workflow " + w.Name + ": " + what) }
	if w.Detect == nil {
		return fault("Detect is nil; write a function that says which phase the documents show")
	}
	if i := w.Identity; i != nil && (i.Noun == "" || i.Of == nil) {
		return fault("Identity has no Noun or no Of; set both, or remove Identity")
	}
	for i, r := range w.Rules {
		if r == nil {
			return fault("rule " + strconv.Itoa(i) + " is nil; remove it from Rules")
		}
		if r.Check == nil && w.Check == nil {
			return fault("rule " + r.Name + " has no function: its Check (in a table, its Find) is nil, and so is " +
				"Check of the workflow; write one of them")
		}
		if r.Asks && len(w.AsksFor) == 0 {
			return fault("rule " + r.Name + " asks, and AsksFor declares nothing that it may ask for; declare globs " +
				"there")
		}
	}
	return nil
}

package sdk

import (
	"errors"
	"strconv"
)

// Validate reports everything that a host would refuse about the workflow, and faults that only the Go value can
// have. sdktest.Run calls it; so does `stategate plugin build`, through the manifest.
func (w *Workflow) Validate() error {
	if err := w.Complete(); err != nil {
		return err
	}
	return w.Manifest().Validate()
}

// Complete returns an error if the Go value lacks a part that the manifest does not show, such as Detect. An
// incomplete plugin does not describe itself, so `stategate plugin build` reports the error.
func (w *Workflow) Complete() error {
	if w == nil {
		return errors.New("no workflow is served; call plugin.Serve in an init function")
	}
	fault := func(what string) error { return errors.New("workflow " + w.Name + ": " + what) }
	if w.Detect == nil {
		return fault("Detect is nil; write a function that returns the phase that the documents show")
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
			return fault("rule " + r.Name + " sets Asks, but AsksFor is empty; declare globs there")
		}
	}
	return nil
}

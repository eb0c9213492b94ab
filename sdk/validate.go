package sdk

import "errors"

// Validate reports what a host would refuse about the workflow, and what only
// the Go value can be wrong in. sdktest.Run calls it, and so does `stategate
// plugin build`, through the manifest.
func (w *Workflow) Validate() error { return errors.Join(w.complete(), w.Manifest().Validate()) }

// complete reports the first thing that is missing in the Go value, which the manifest does not show.
func (w *Workflow) complete() error {
	fault := func(what string) error { return errors.New("workflow " + w.Name + ": " + what) }
	if w.Detect == nil {
		return fault("Detect is nil; write a function that says which phase the documents show")
	}
	if i := w.Identity; i != nil && (i.Noun == "" || i.Of == nil) {
		return fault("Identity has no Noun or no Of; give both, or leave Identity out")
	}
	for _, r := range w.Rules {
		if r.Check == nil && w.Check == nil {
			return fault("rule " + r.Name + ": Check is nil, and so is Check of the workflow; write one of them")
		}
		if r.Asks && len(w.AsksFor) == 0 {
			return fault("rule " + r.Name + " asks, and AsksFor declares nothing that it may ask for; declare globs " +
				"there")
		}
	}
	return nil
}

package sdk

import "errors"

// Validate reports what a host would refuse about the workflow, and what only
// the Go value can be wrong in. sdktest.Run calls it, and so does `stategate
// plugin build`, through the manifest.
func (w *Workflow) Validate() error {
	var faults []error
	if w.Detect == nil {
		faults = append(faults, errors.New("workflow "+w.Name+": Detect is nil"))
	}
	if i := w.Identity; i != nil && (i.Noun == "" || i.Of == nil) {
		faults = append(faults, errors.New("workflow "+w.Name+": Identity has no Noun or no Of"))
	}
	for _, r := range w.Rules {
		if r.Check == nil && w.Check == nil {
			faults = append(faults, errors.New("workflow "+w.Name+": rule "+r.Name+": Check is nil, and so is Check of the workflow"))
		}
		if r.Asks && len(w.Paths) == 0 {
			faults = append(faults, errors.New("workflow "+w.Name+": rule "+r.Name+" asks, and Paths declares nothing that it may ask for"))
		}
	}
	return errors.Join(append(faults, w.Manifest().Validate())...)
}

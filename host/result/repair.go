package result

import (
	"slices"

	"github.com/stategate/stategate/sdk/edit"
	"github.com/stategate/stategate/sdk/finding"
)

// A Plan says what applying remedies would do. Nothing has been changed yet.
// Instances come in the order of the result.
type Plan struct {
	Instances []Planned
}

// Planned is what would happen to one instance: all of it, or nothing.
type Planned struct {
	Plugin  string
	Root    string // slash-separated, relative to the workspace
	To      string // where the instance is afterwards; Root if it does not move
	Chosen  []Choice
	Skipped []Skipped
	Files   []FileChange // in the order of their paths

	Before  *Instance
	Digest  string
	Changes []edit.Change     // paths relative to the workspace
	Expect  map[string]string // SHA-256 of the files that change, by path
	Unasked bool              // it was not asked for, so that it must leave less wrong than there was
}

// A Choice is one remedy with what it belongs to.
type Choice struct {
	Remedy
	Rule string // plugin/rule of the finding that it ends, "" for a recovery

	Finding *finding.Finding // nil for a recovery
}

// Skipped is a remedy that is left out, and why: it conflicts with one before
// it, it cannot be made, it did not heal what it says.
type Skipped struct {
	Choice
	Why string // may quote hostile files and plugins

	Conflict bool // with a remedy before it, rather than by itself
}

// A FileChange is what happens to one document or directory, all edits taken
// together. Paths are slash-separated, relative to the workspace; those of
// directories end in a slash, and a directory has no bytes.
type FileChange struct {
	From   string `json:"from"` // "" if it is new
	To     string `json:"to"`   // "" if it goes; From if it stays where it is
	Before []byte `json:"-"`    // raw; nil if there was none, or if it is not known
	After  []byte `json:"-"`    // raw; nil if there is none, or if it is not known
	Unread bool   `json:"-"`    // it is moved or removed, and its bytes are not known
}

// An Outcome is what was done to each instance.
type Outcome struct {
	Instances []Repaired
}

// Changed reports whether any file is not what it was.
func (o *Outcome) Changed() bool {
	for i := range o.Instances {
		if o.Instances[i].Done != RolledBack {
			return true
		}
	}
	return false
}

// Repaired is what was done to one instance.
type Repaired struct {
	Done    Done
	Plugin  string
	Root    string       // where it was
	To      string       // where it is now
	Titles  []string     // of the remedies; texts of the plugin
	Files   []FileChange // what changed, or was restored; without bytes when Left or Undone
	Skipped []Skipped
	Why     string // of RolledBack: what was not healed, or newly broken; may quote hostile texts
}

// Done says what became of a change.
type Done string

// What can become of a change.
const (
	Applied    Done = "applied"     // made and verified
	RolledBack Done = "rolled-back" // everything is as it was
	Undone     Done = "undone"      // rolled back later, by Undo
)

// Made returns the errors that all choices together make.
func (p *Planned) Made(was, is []finding.Finding) []finding.Finding {
	for _, c := range p.Chosen {
		if list := finding.Made(c.Finding, was, is); len(list) > 0 {
			return list
		}
	}
	return nil
}

// Lighter reports whether less is wrong than before, or no more where nothing was
// said to be wrong. What is only seen now was wrong before.
func (p *Planned) Lighter(was, is []finding.Finding) bool {
	if !slices.ContainsFunc(p.Chosen, func(c Choice) bool { return !c.Finding.Form() }) {
		return true
	}
	by := slices.Compare(finding.Weight(is), finding.Weight(was))
	ended := slices.ContainsFunc(p.Chosen, func(c Choice) bool { return c.Finding != nil })
	return by < 0 || by == 0 && !ended
}

// Fixed is what Fix did.
type Fixed struct {
	Outcome           // every change of every round, in order
	Skipped []Planned // what was left out and why, of instances that have such; no Files
	Result  *Result   // the last check: what is still wrong
	Rounds  int       // in which something changed
}

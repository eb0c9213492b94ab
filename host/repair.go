package host

import (
	"context"
	"errors"

	"github.com/stategate/stategate/host/failure"
)

// A Repair changes files below one anchor: it plans, applies, verifies and takes
// back. It holds the lock of that anchor, so that no other process applies at the
// same time, until Close. It is not safe for concurrent use.
type Repair struct {
	// Left says what an interrupted run had left and what became of it; nil if
	// there was nothing.
	Left *Outcome
}

// OpenRepair prepares to change files below the anchor that Check finds for the
// same options. It first finishes or takes back what an interrupted run left, and
// says so in Repair.Left. Options.StateDir is where journals lie outside a
// repository.
//
// A *failure.Failure says why nothing can be changed: another process holds the
// lock, the journal cannot be kept, what was left cannot be taken back.
func OpenRepair(ctx context.Context, o Options) (*Repair, error) {
	return nil, errNotYet
}

// Close gives the lock back.
func (r *Repair) Close() error { return nil }

// A Plan says what applying remedies would do. Nothing has been changed yet.
// Instances come in the order of the result.
type Plan struct {
	Instances []Planned
}

// Planned is what would happen to one instance: all of it, or nothing.
type Planned struct {
	Plugin  string
	Root    string // slash-separated, relative to the anchor
	To      string // where the instance lies afterwards; Root if it does not move
	Chosen  []Choice
	Skipped []Skipped
	Files   []FileChange // in the order of their paths
}

// A Choice is one remedy with what it belongs to.
type Choice struct {
	Remedy
	Rule string // plugin/rule of the finding that it ends, "" for a recovery
}

// Skipped is a remedy that is left out, and why: it conflicts with one before
// it, it cannot be made, it did not heal what it says.
type Skipped struct {
	Choice
	Why string // may quote hostile files and plugins
}

// A FileChange is what happens to one document or directory, all edits taken
// together. Paths are slash-separated, relative to the anchor; those of
// directories end in a slash, and a directory has no bytes.
type FileChange struct {
	From   string // "" if it is new
	To     string // "" if it goes; From if it stays where it is
	Before []byte // raw; nil if there was none, or if it is not known
	After  []byte // raw; nil if there is none, or if it is not known
	Unread bool   // it is moved or removed, and its bytes are not known
}

// Plan works out what applying the remedies and recoveries of these ids would
// do. It reads their instances again, changes nothing, and starts no plugin.
//
// A *UsageError says that an id names nothing, or a remedy that is done by hand;
// a *ChangedError that documents are not what the result was made of; a
// *failure.Failure that they cannot be read. Remedies that conflict with ones
// before them, or cannot be made, are in Planned.Skipped.
func (r *Repair) Plan(ctx context.Context, result *Result, ids []string) (*Plan, error) {
	return nil, errNotYet
}

// Apply does what the plan says, one instance after the other, each as one
// transaction, and looks at each again: what a remedy heals must be gone, and
// there must be no new error. Otherwise that instance is brought back and its
// Repaired says why.
//
// An error (a *ChangedError, a *failure.Failure) ends it; the instances in the
// Outcome, which is never nil, are done, all others are as they were.
func (r *Repair) Apply(ctx context.Context, p *Plan) (*Outcome, error) {
	return &Outcome{}, errNotYet
}

// Undo brings back, byte for byte, what the last Apply or Fix found. It refuses
// with a *ChangedError, which names the files, if something changed since, and
// with a *UsageError if there is nothing to undo. Calling it again goes back
// further.
func (r *Repair) Undo(ctx context.Context) (*Outcome, error) {
	return &Outcome{}, errNotYet
}

// Fixed is what Fix did.
type Fixed struct {
	Outcome           // every change of every round, in order
	Skipped []Planned // what was left out and why, of instances that have such; no Files
	Result  *Result   // the last look: what is still wrong
	Rounds  int       // in which something changed
}

// Fix applies the first safe remedy of every finding and every safe recovery,
// looks again, and goes on until nothing is left to apply, five rounds at most.
// Remedies that conflict with ones before them are left to the next round, those
// that do not heal are taken back and left out. An instance that changed since
// result is left alone and skipped.
//
// Like Apply it may return an error beside what it did.
func (r *Repair) Fix(ctx context.Context, result *Result) (*Fixed, error) {
	return &Fixed{Result: result}, errNotYet
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
	Files   []FileChange // what changed, or was brought back; without bytes when Left or Undone
	Skipped []Skipped
	Why     string // of RolledBack: what was not healed, or newly broken; may quote hostile texts
}

// Done says what became of a change.
type Done string

// What can become of a change.
const (
	Applied    Done = "applied"     // made and verified
	RolledBack Done = "rolled-back" // taken back: everything is as it was
	Undone     Done = "undone"      // taken back later, by Undo
)

// A ChangedError says that documents are no longer what a look, or an undo,
// relies on. Nothing was changed.
type ChangedError struct {
	Paths   []string // relative to the anchor: the documents, or the root of the instance if it is not known which
	Message string   // what to do
}

func (e *ChangedError) Error() string { return e.Message }

var errNotYet = failure.From(errors.New("applying remedies is not built yet"), failure.IO)

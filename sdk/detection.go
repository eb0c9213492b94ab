package sdk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/wire"
)

// A Detection reports the phase of one subject: the phase that its state file claims, the phase that its documents
// show, and whether the two agree.
type Detection struct {
	Lifecycle *Lifecycle
	Subject   string  // the run or part in this phase; "" is the instance itself
	Claimed   string  // copied from the state file, even if no such phase exists
	Observed  *Phase  // the phase that the documents show; nil if they show none
	Fit       Fit     // the two names may differ and still be consistent
	Because   []Range // evidence, strongest first
	State     State
	Progress  Progress
	Resume    Resume
	Facts     []Fact // status shows them in this order
	// Files holds globs, relative to the root, for the files that belong to this run and to no other; see
	// FilesBelow. A finding in one of these files belongs to the run.
	Files []string
	// PartOf names the detection that contains this one, such as a phase's milestone; see Lifecycle.Named.
	PartOf RunName
	// Chosen is the rank that the workflow's own pointer, such as a current tag, gives the run. The smallest rank
	// comes first; 0 means not chosen.
	Chosen int
}

// A RunName names a run, or a part of one, by the lifecycle and subject of its detection.
type RunName = wire.RunName

// Named returns the name of the run with that subject.
func (l *Lifecycle) Named(subject string) RunName {
	return RunName{Lifecycle: l.Name, Subject: subject}
}

// Name returns the name of the detection's run.
func (d *Detection) Name() RunName { return d.Lifecycle.Named(d.Subject) }

// FilesBelow returns a glob that matches every file below a directory whose name comes from the documents. Each
// glob metacharacter in the name becomes "?". A name that is too long for a glob is cut off and ends in "*".
func FilesBelow(dir string) string {
	const end = "/**"
	most := wire.MaxGlob - len("*") - len(end)
	glob := make([]byte, 0, len(dir)+len(end))
	for _, c := range dir {
		if strings.ContainsRune("*?[]{}\\", c) || unicode.IsControl(c) || c == utf8.RuneError {
			c = '?'
		}
		if len(glob)+utf8.RuneLen(c) > most {
			glob = append(glob, '*')
			break
		}
		glob = utf8.AppendRune(glob, c)
	}
	return string(append(glob, end...))
}

// A Fit relates the claimed phase to the phase that the documents show.
type Fit = wire.Fit

// The values of Fit.
const (
	FitUnknown = wire.FitUnknown // no claim, no such phase, or nothing to compare the claim with
	Consistent = wire.Consistent
	JustBehind = wire.JustBehind // one record behind: tools write the state just before or just after the document
	Behind     = wire.Behind     // the files show a later phase
	Ahead      = wire.Ahead      // the claim relies on files that do not exist
)

// A State says whether a subject is finished.
type State = wire.State

// The values of State.
const (
	Active    = wire.Active
	Blocked   = wire.Blocked
	Finished  = wire.Finished
	Abandoned = wire.Abandoned
)

// Progress counts finished and total units.
type Progress = wire.Progress

// A Resume is the brief for continuing the work.
type Resume = wire.Resume

// A Fact is a named value that status shows.
type Fact = wire.Fact

// The level of a fact determines where the fact is shown. The zero Level is Detail.
const (
	Detail = wire.Detail // shown when the user asks for details
	Brief  = wire.Brief  // shown with every run that is printed in full
	Debug  = wire.Debug  // in JSON only, for values that mirror another program's output
)

// TextFact returns a fact whose value is a string.
func TextFact(name, title, value string) Fact {
	return Fact{Name: name, Title: title, Value: wire.Value{Kind: wire.TextValue, Text: value}}
}

// IntFact returns a fact whose value is an integer.
func IntFact(name, title string, value int64) Fact {
	return Fact{Name: name, Title: title, Value: wire.Value{Kind: wire.IntValue, Int: value}}
}

// BoolFact returns a fact whose value is a boolean.
func BoolFact(name, title string, value bool) Fact {
	return Fact{Name: name, Title: title, Value: wire.Value{Kind: wire.BoolValue, Bool: value}}
}

// ListFact returns a fact whose value is a list of strings.
func ListFact(name, title string, values []string) Fact {
	return Fact{Name: name, Title: title, Value: wire.Value{Kind: wire.ListValue, List: values}}
}

// TableFact returns a fact whose value is a table. Every row must have one cell per column.
func TableFact(name, title string, columns []string, rows [][]string) Fact {
	return Fact{Name: name, Title: title, Value: wire.Value{Kind: wire.TableValue, Columns: columns, Rows: rows}}
}

package sdk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk/wire"
)

// A Detection says which phase one subject is in: what its state file claims,
// what its documents prove, and whether the two agree.
type Detection struct {
	Lifecycle *Lifecycle
	Subject   string  // who lives it; "" is the instance itself
	Claimed   string  // as in the state file, even if there is no such phase
	Observed  *Phase  // what the documents prove; nil if they prove none
	Fit       Fit     // texts may differ and still be consistent
	Because   []Range // evidence, strongest first
	State     State
	Progress  Progress
	Resume    Resume
	Facts     []Fact // shown by status in this order
	// Files are globs below the root: the files that belong to the run and to no other; see FilesBelow. A finding in
	// one of them belongs to the run.
	Files []string
	// PartOf names the detection that this one is a part of, such as the milestone of a phase; see Lifecycle.Named.
	PartOf RunName
	// Chosen is the rank by which the workflow's own pointer, such as a current tag, chooses the run: the smallest
	// comes first, 0 is not chosen.
	Chosen int
}

// A RunName names a run, or a part of one, by the lifecycle and subject of its detection.
type RunName = wire.RunName

// Named names the run of that subject.
func (l *Lifecycle) Named(subject string) RunName {
	return RunName{Lifecycle: l.Name, Subject: subject}
}

// Name names the run of the detection.
func (d *Detection) Name() RunName { return d.Lifecycle.Named(d.Subject) }

// FilesBelow returns a glob for every file below a directory whose name comes from the documents. A character that
// globs read otherwise becomes "?", and a name that is too long for a glob ends in "*".
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

// A Fit says how a claim relates to the documents.
type Fit = wire.Fit

// The fits.
const (
	FitUnknown = wire.FitUnknown // no claim, no such phase, or nothing to hold it against
	Consistent = wire.Consistent
	JustBehind = wire.JustBehind // one record behind: written just before or after its file
	Behind     = wire.Behind     // the files prove more
	Ahead      = wire.Ahead      // the claim rests on files that are not there
)

// A State says whether a subject is finished.
type State = wire.State

// The states.
const (
	Active    = wire.Active
	Blocked   = wire.Blocked
	Finished  = wire.Finished
	Abandoned = wire.Abandoned
)

// Progress counts finished units.
type Progress = wire.Progress

// A Resume is the brief for going on.
type Resume = wire.Resume

// A Fact is something that status shows.
type Fact = wire.Fact

// The levels of a fact: where it is shown. The zero Level is Detail.
const (
	Detail = wire.Detail // where details are asked for
	Brief  = wire.Brief  // with every run that is shown whole
	Debug  = wire.Debug  // in JSON only: what mirrors another program's screen
)

// TextFact returns a fact whose value is a text.
func TextFact(name, title, value string) Fact {
	return Fact{Name: name, Title: title, Value: wire.Value{Kind: wire.TextValue, Text: value}}
}

// IntFact returns a fact whose value is an integer.
func IntFact(name, title string, value int64) Fact {
	return Fact{Name: name, Title: title, Value: wire.Value{Kind: wire.IntValue, Int: value}}
}

// BoolFact returns a fact whose value is true or false.
func BoolFact(name, title string, value bool) Fact {
	return Fact{Name: name, Title: title, Value: wire.Value{Kind: wire.BoolValue, Bool: value}}
}

// ListFact returns a fact whose value is a list of texts.
func ListFact(name, title string, values []string) Fact {
	return Fact{Name: name, Title: title, Value: wire.Value{Kind: wire.ListValue, List: values}}
}

// TableFact returns a fact whose value is a table. Every row has as many cells
// as there are columns.
func TableFact(name, title string, columns []string, rows [][]string) Fact {
	return Fact{Name: name, Title: title, Value: wire.Value{Kind: wire.TableValue, Columns: columns, Rows: rows}}
}

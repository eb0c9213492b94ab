package sdk

import (
	"strconv"

	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// A Diagnostic is one finding. Pass.Report fills in Rule, and also Severity if it is zero. Message contains the
// value found, the value expected, and the location of the evidence for the expected value. Key distinguishes
// findings of one rule on one subject. It stays the same for as long as the fault exists, so it contains no line
// number and no time.
type Diagnostic = wire.Diagnostic

// Related points at another location that concerns a diagnostic.
type Related = wire.Related

// A Range is a location; see At, AtLine, AtBytes, AtPointer and AtKey.
type Range = wire.Range

// At returns the location of the document at path, whether or not it exists. The empty path is the root; a path
// that ends in a slash is a directory.
func At(path string) Range { return Range{Path: path} }

// AtLine returns the location of one line in a document; lines count from 1.
func AtLine(path string, line int) Range { return Range{Path: path, Line: line} }

// AtBytes returns the location of a half-open byte range of a document's Text. YAML documents have no byte ranges;
// use AtPointer or AtLine.
func AtBytes(path string, start, end int) Range {
	return Range{Path: path, Bytes: true, Start: start, End: end}
}

// AtPointer returns the location of the value at an RFC 6901 pointer in a JSON or YAML document, or of its nearest
// existing parent if there is no such value. In a JSON Lines document, the pointer's first token is a line index
// that counts from 0: "/3/status" is the status on line 4.
func AtPointer(path, pointer string) Range { return Range{Path: path, Pointer: pointer} }

// AtKey returns the location of the member key at an RFC 6901 pointer.
func AtKey(path, pointer string) Range { return Range{Path: path, Pointer: pointer, Key: true} }

// A Remedy is one way to fix a finding. The remedies of a diagnostic are alternatives, best first. Each remedy must
// fix the findings of the rules in Fixes on its Subject, which defaults to the diagnostic's subject. It must not
// introduce an error from another rule.
type Remedy = wire.Remedy

// A Safety says how much confirmation a remedy needs from a person.
type Safety = wire.Safety

// The values of Safety. A Manual remedy has Steps and no Edits. The host grants Safe only to a remedy that loses no
// text: each piece of text that it removes or replaces is in the base or in another document of the remedy, or is
// one short value.
const (
	Manual = wire.Manual
	Review = wire.Review
	Safe   = wire.Safe
)

// An Edit is one change; see wire.Edit for the guarantees of each operation.
type Edit = wire.Edit

// Replace replaces a range with text.
func Replace(at Range, text string) Edit { return Edit{Op: wire.Replace, Range: at, New: text} }

// Edits converts edits from packages markdown and jsondoc to edits of the document at path: Edits("plan.md", tick).
// Their text is written unchanged; see Literal.
func Edits[E textEdit](path string, list ...E) []Edit {
	edits := make([]Edit, len(list))
	for i, e := range list {
		text := struct {
			Start, End int
			New        string
		}(e)
		edits[i] = Replace(AtBytes(path, text.Start, text.End), Literal(text.New))
	}
	return edits
}

// A textEdit is a markdown.Edit or a jsondoc.Change.
type textEdit interface {
	~struct {
		Start, End int
		New        string
	}
}

// Set writes a JSON text at a pointer in a JSON or YAML document and creates missing parents. In JSON Lines, Replace
// the line instead: the host withdraws a remedy with Set or Unset there. SetText, SetInt and SetNow encode the JSON
// themselves.
func Set(path, pointer, json string) Edit {
	return Edit{Op: wire.Set, Range: AtPointer(path, pointer), New: json}
}

// SetText is Set with a string, which it quotes as JSON. The string is written unchanged; see Literal.
func SetText(path, pointer, text string) Edit {
	return Set(path, pointer, Literal(jsondoc.Quote(text)))
}

// SetInt is Set with an integer.
func SetInt(path, pointer string, n int64) Edit {
	return Set(path, pointer, strconv.FormatInt(n, 10))
}

// SetNow is Set with the time at which the edit is applied; see NowInEdit.
func SetNow(path, pointer string) Edit { return Set(path, pointer, jsondoc.Quote(NowInEdit)) }

// Unset removes the member or element at a pointer, along with its comma. In JSON Lines, Replace the line instead.
func Unset(path, pointer string) Edit { return Edit{Op: wire.Unset, Range: AtPointer(path, pointer)} }

// Create writes a whole document, and replaces an existing one.
func Create(path, text string) Edit { return Edit{Op: wire.Create, Range: At(path), New: text} }

// Restore restores a path's content from the base.
func Restore(path string) Edit { return Edit{Op: wire.Restore, Range: At(path)} }

// Move renames a document, or a whole directory if both names end in a slash.
func Move(path, to string) Edit { return Edit{Op: wire.Move, Range: At(path), To: to} }

// MoveRoot moves the instance to a path, relative to the workspace root, that the workflow's roots match.
func MoveRoot(to string) Edit { return Edit{Op: wire.MoveRoot, To: to} }

// Aside renames a document to <stem>.<word>[-N]<ext>, where -N is the first free number.
func Aside(path, word string) Edit { return Edit{Op: wire.Aside, Range: At(path), To: word} }

// Remove deletes a document.
func Remove(path string) Edit { return Edit{Op: wire.Remove, Range: At(path)} }

// Unmark removes a document's byte-order mark.
func Unmark(path string) Edit { return Edit{Op: wire.Unmark, Range: At(path)} }

// NowInEdit is a placeholder in an edit's new text. The host replaces it with the time at which it applies the
// edit: RFC 3339 in UTC, with whole seconds and Z.
const NowInEdit = wire.Now

// Literal escapes a string for Replace, Set and Create. Use it for a string that may contain NowInEdit, such as one
// copied from a document.
func Literal(text string) string { return wire.Literal(text) }

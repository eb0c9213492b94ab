package sdk

import (
	"strconv"

	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// A Diagnostic is one finding of a rule. Pass.Report fills in Rule, and Severity
// if it is zero. Message holds the value found, the value expected and where
// the other one is. Key tells findings of one rule on one subject apart and
// stays the same while the fault stays, so it holds no line number and no time.
type Diagnostic = wire.Diagnostic

// Related points at another place that concerns a diagnostic.
type Related = wire.Related

// A Range is a place; see At, AtLine, AtBytes, AtPointer and AtKey.
type Range = wire.Range

// At is the document path as a whole, present or not. The empty path is the
// root; a path that ends in a slash is a directory.
func At(path string) Range { return Range{Path: path} }

// AtLine is one line of a document, 1-based.
func AtLine(path string, line int) Range { return Range{Path: path, Line: line} }

// AtBytes is a half-open byte range of a document's Text. A YAML document has none: use AtPointer or AtLine.
func AtBytes(path string, start, end int) Range {
	return Range{Path: path, Bytes: true, Start: start, End: end}
}

// AtPointer is the value at an RFC 6901 pointer of a JSON or YAML document. If it does not exist, the nearest
// existing parent is meant. In a JSON Lines document the first token is the number of a line, counted from 0:
// "/3/status" is the status in line 4.
func AtPointer(path, pointer string) Range { return Range{Path: path, Pointer: pointer} }

// AtKey is the key of the member at an RFC 6901 pointer.
func AtKey(path, pointer string) Range { return Range{Path: path, Pointer: pointer, Key: true} }

// A Remedy is one way to end a fault. The remedies of a diagnostic are
// alternatives, the best first. Each must end the findings of the rules in
// Fixes on Subject (that of the diagnostic, if it names none), and may not make
// another rule fire at error level.
type Remedy = wire.Remedy

// A Safety says how much a person must be asked.
type Safety = wire.Safety

// The safeties. Manual carries Steps and no Edits. The host grants Safe only to a remedy that loses no text: what it
// removes or replaces is in the base or in another document of the remedy, or is one short value.
const (
	Manual = wire.Manual
	Review = wire.Review
	Safe   = wire.Safe
)

// An Edit is one change; see wire.Edit for what each operation promises.
type Edit = wire.Edit

// Replace puts text in place of a range.
func Replace(at Range, text string) Edit { return Edit{Op: wire.Replace, Range: at, New: text} }

// Edits wraps what packages markdown and jsondoc give to change a document's
// Text: Edits("plan.md", tick). Their texts are written as they are, see Literal.
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

// Set puts a JSON text at a pointer of a JSON document (in JSON Lines, Replace a
// line), making missing parents. SetText, SetInt and
// SetNow write the JSON themselves.
func Set(path, pointer, json string) Edit {
	return Edit{Op: wire.Set, Range: AtPointer(path, pointer), New: json}
}

// SetText puts a text at a pointer, quoted as JSON quotes. It is written as it is, see Literal.
func SetText(path, pointer, text string) Edit {
	return Set(path, pointer, Literal(jsondoc.Quote(text)))
}

// SetInt puts an integer at a pointer.
func SetInt(path, pointer string, n int64) Edit {
	return Set(path, pointer, strconv.FormatInt(n, 10))
}

// SetNow puts the time of applying at a pointer, as NowInEdit stands for it.
func SetNow(path, pointer string) Edit { return Set(path, pointer, jsondoc.Quote(NowInEdit)) }

// Unset removes the member or element at a pointer, with its comma.
func Unset(path, pointer string) Edit { return Edit{Op: wire.Unset, Range: AtPointer(path, pointer)} }

// Create writes a whole document, which may exist.
func Create(path, text string) Edit { return Edit{Op: wire.Create, Range: At(path), New: text} }

// Restore gives a path the bytes that it has in base.
func Restore(path string) Edit { return Edit{Op: wire.Restore, Range: At(path)} }

// Move renames a document, or a whole directory if both names end in a slash.
func Move(path, to string) Edit { return Edit{Op: wire.Move, Range: At(path), To: to} }

// MoveRoot moves the instance to another place that the workflow's roots match,
// relative to the workspace root.
func MoveRoot(to string) Edit { return Edit{Op: wire.MoveRoot, To: to} }

// Aside renames a document to <stem>.<word>[-N]<ext>, the first free N.
func Aside(path, word string) Edit { return Edit{Op: wire.Aside, Range: At(path), To: word} }

// Remove deletes a document.
func Remove(path string) Edit { return Edit{Op: wire.Remove, Range: At(path)} }

// Unmark drops the byte-order mark of a document.
func Unmark(path string) Edit { return Edit{Op: wire.Unmark, Range: At(path)} }

// NowInEdit in an edit's new text becomes the time of applying, as RFC 3339 in UTC with seconds and Z.
const NowInEdit = wire.Now

// Literal escapes a text for Replace, Set and Create, such as one copied from a document, which may contain
// NowInEdit.
func Literal(text string) string { return wire.Literal(text) }

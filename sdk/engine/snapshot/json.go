package snapshot

import (
	"errors"
	"fmt"
	"strings"

	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// checkJSON returns a JSON document's faults: a syntax error or, if there is none, repeated keys and schema
// breaches.
func (b *Builder) checkJSON(text string, spec *wire.DocumentSpec) []wire.DocumentFault {
	doc, err := jsondoc.Parse(text)
	if err != nil {
		f := syntaxFault(err, 0)
		if start, _ := conflictOf(text); start >= 0 {
			f.Kind, f.Key = kindConflict, kindConflict
		}
		return []wire.DocumentFault{f}
	}
	var faults []wire.DocumentFault
	if spec.Duplicates == wire.Fault {
		faults = duplicateFaults(doc, jsondoc.NewLines(text))
	}
	if spec.Schema == "" {
		return faults
	}
	return append(faults, b.schemas.faults(spec.Schema, doc)...)
}

// checkJSONLines checks every nonblank line as a separate document. Pointers begin with the line index, from 0.
func (b *Builder) checkJSONLines(text string, spec *wire.DocumentSpec) []wire.DocumentFault {
	var faults []wire.DocumentFault
	offset, number := 0, 0
	for line := range strings.Lines(text) {
		number++
		if strings.TrimSpace(line) != "" {
			for _, f := range b.checkJSON(line, spec) {
				f.Line, f.Start, f.End = number, f.Start+offset, f.End+offset
				f.Key += fmt.Sprintf("#%d", number)
				if f.Rule == wire.RuleSchema || f.Pointer != "" {
					f.Pointer = fmt.Sprintf("/%d%s", number-1, f.Pointer)
				}
				f.Message = strings.ReplaceAll(f.Message, " on line 1", fmt.Sprintf(" on line %d", number))
				faults = append(faults, f)
			}
		}
		offset += len(line)
	}
	return faults
}

func syntaxFault(err error, offset int) wire.DocumentFault {
	f := wire.DocumentFault{Rule: wire.RuleUnreadable, Kind: "syntax", Key: "syntax", Message: err.Error()}
	var syntax *jsondoc.SyntaxError
	if errors.As(err, &syntax) {
		f.Message = "the document is not valid JSON: " + syntax.Message
		f.Line, f.Bytes, f.Start = syntax.Line, true, offset+syntax.Offset
		f.End = f.Start
	}
	return f
}

// maxDuplicates is the maximum number of repeated keys reported per document.
const maxDuplicates = 50

func duplicateFaults(doc *jsondoc.Document, lines *jsondoc.Lines) []wire.DocumentFault {
	var faults []wire.DocumentFault
	for i, d := range doc.Root().Duplicates() {
		if i == maxDuplicates {
			break
		}
		first, last := d.Members[0], d.Members[len(d.Members)-1]
		line, _ := lines.Position(last.KeyStart)
		before, _ := lines.Position(first.KeyStart)
		faults = append(faults, wire.DocumentFault{
			Rule: wire.RuleUnreadable, Kind: "duplicate-key", Key: d.Pointer(), Pointer: d.Pointer(),
			Message: fmt.Sprintf("the key %s occurs %d times in one object, first on line %d; readers disagree on "+
				"which counts, so keep one",
				jsondoc.Quote(d.Key), len(d.Members), before),
			Line: line, Bytes: true, Start: last.KeyStart, End: last.KeyEnd,
		})
	}
	return faults
}

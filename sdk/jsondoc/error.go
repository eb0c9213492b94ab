package jsondoc

import "strconv"

// SyntaxError says why a text is not JSON, where, and what would have been.
type SyntaxError struct {
	// Offset is the 0-based byte offset of the error. If a document ends too early, it is after the last text in it,
	// so that the line shown is not an empty one.
	Offset int
	// Line and Column are 1-based; Column counts bytes.
	Line, Column int
	// Message says what was found and what was expected, without the place.
	// It may quote the document: printing it safely is the caller's business.
	Message string
}

// Error returns the place and the message.
func (e *SyntaxError) Error() string {
	return "line " + strconv.Itoa(e.Line) + ", column " + strconv.Itoa(e.Column) + ": " + e.Message
}

// PointerError says why a JSON pointer leads to no place that can be edited.
type PointerError struct {
	// Pointer is the pointer that was asked for.
	Pointer string
	// Message says what is wrong.
	Message string
	// Absent tells that the pointer is well formed and nothing is there.
	Absent bool
}

// Error returns the pointer and the message.
func (e *PointerError) Error() string {
	return "pointer " + Quote(e.Pointer) + ": " + e.Message
}

package jsondoc

import "strconv"

// SyntaxError says where and why a text is not JSON, and what was expected.
type SyntaxError struct {
	// Offset is the byte offset of the error, from 0. If a document ends too early, it is the offset after the last
	// character that is not white space, so that the line shown is not empty.
	Offset int
	// Line and Column count from 1; Column counts bytes.
	Line, Column int
	// Message says what was found and what was expected, without the location. It may quote the document, so the
	// caller must print it safely.
	Message string
}

// Error returns the location and the message.
func (e *SyntaxError) Error() string {
	return "line " + strconv.Itoa(e.Line) + ", column " + strconv.Itoa(e.Column) + ": " + e.Message
}

// PointerError says why the value at a JSON pointer cannot be edited.
type PointerError struct {
	// Pointer is the pointer in question.
	Pointer string
	// Message says what is wrong.
	Message string
	// Absent means that the pointer is well formed but there is no value.
	Absent bool
}

// Error returns the pointer and the message.
func (e *PointerError) Error() string {
	return "pointer " + Quote(e.Pointer) + ": " + e.Message
}

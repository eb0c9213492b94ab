package jsondoc

// A Change replaces the bytes [Start, End) of a text by New.
type Change struct {
	Start, End int // half-open bytes
	New        string
}

// Apply returns text with the change made. Text must be the one that the change
// was computed for.
func (c Change) Apply(text string) string {
	return text[:c.Start] + c.New + text[c.End:]
}

// Set parses text and returns [Document.Set] of it.
func Set(text, pointer, value string) (Change, error) {
	doc, err := Parse(text)
	if err != nil {
		return Change{}, err
	}
	return doc.Set(pointer, value)
}

// Unset parses text and returns [Document.Unset] of it.
func Unset(text, pointer string) (Change, error) {
	doc, err := Parse(text)
	if err != nil {
		return Change{}, err
	}
	return doc.Unset(pointer)
}

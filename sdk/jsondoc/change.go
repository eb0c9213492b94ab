package jsondoc

// A Change replaces the bytes [Start, End) of a text with New.
type Change struct {
	Start, End int // half-open byte range
	New        string
}

// Apply returns text with the change applied. The change must have been computed for the same text.
func (c Change) Apply(text string) string {
	return text[:c.Start] + c.New + text[c.End:]
}

// Set parses text and calls [Document.Set].
func Set(text, pointer, value string) (Change, error) {
	doc, err := Parse(text)
	if err != nil {
		return Change{}, err
	}
	return doc.Set(pointer, value)
}

// Unset parses text and calls [Document.Unset].
func Unset(text, pointer string) (Change, error) {
	doc, err := Parse(text)
	if err != nil {
		return Change{}, err
	}
	return doc.Unset(pointer)
}

package edit

import (
	"sort"
	"strconv"
	"strings"

	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/sdk/yamldoc"
)

// A member is an edit of a JSON or YAML document by pointer.
type member struct {
	edit    wire.Edit
	tokens  []string
	inserts bool // a Set that inserts an array element
}

// maxYAML limits the size of a YAML document in bytes times the number of its edits, because each edit parses it
// twice.
const maxYAML = 64 << 20

// rewriteValues applies Set, Unset and Replace by pointer. The pointers refer to the original text, so the order
// matters. It replaces values, removes members and elements, adds new values, and finally inserts new elements into
// arrays. It removes and inserts the last ones first.
func rewriteValues(text string, edits []wire.Edit) (string, error) {
	doc, err := jsondoc.Parse(text)
	yaml := err != nil && wire.IsYAML(edits[0].Range.Path)
	if yaml {
		var y *yamldoc.Document
		if y, err = yamldoc.Parse(text); err == nil {
			doc, err = jsondoc.Parse(y.JSON)
		}
		if len(text)*len(edits) > maxYAML {
			return "", &Error{edits[0], strconv.Itoa(len(edits)) + " edits are too many for a YAML document of " +
				strconv.Itoa(len(text)) + " bytes"}
		}
	}
	if err != nil {
		return "", &Error{edits[0], "the document cannot be read: " + err.Error()}
	}
	list, err := members(doc, edits)
	if err != nil {
		return "", err
	}
	if err := pointerConflicts(list); err != nil {
		return "", err
	}
	removed := removedIndexes(doc, list)
	for _, m := range ordered(list) {
		if m.edit.Op == wire.Set {
			m.tokens = shifted(m.tokens, removed)
		}
		if text, err = m.apply(text, yaml); err != nil {
			return "", &Error{m.edit, err.Error()}
		}
	}
	return text, nil
}

func members(doc *jsondoc.Document, edits []wire.Edit) ([]member, error) {
	list := make([]member, 0, len(edits))
	for _, e := range edits {
		if e.Op == wire.Replace && (e.Range.Pointer == "" || e.Range.Key) {
			return nil,
				&Error{e, "a document that is edited with set or unset allows no other replacement than that of a " +
					"value by its pointer"}
		}
		tokens, err := jsondoc.Tokens(e.Range.Pointer)
		if err != nil {
			return nil, &Error{e, err.Error()}
		}
		list = append(list, member{e, tokens, e.Op == wire.Set && inArray(doc, tokens)})
	}
	return list, nil
}

// inArray reports whether the last token is an index in an existing array.
func inArray(doc *jsondoc.Document, tokens []string) bool {
	if len(tokens) == 0 {
		return false
	}
	v, ok := doc.Lookup(jsondoc.Pointer(tokens[:len(tokens)-1]...))
	return ok && v.Kind() == jsondoc.Array
}

// pointerConflicts returns an error for two edits of one value, and for an edit inside a value that another edit
// replaces or removes.
func pointerConflicts(list []member) error {
	byPointer := make(map[string]member, len(list))
	for _, m := range list {
		if m.appends() {
			continue
		}
		pointer := jsondoc.Pointer(m.tokens...)
		if other, ok := byPointer[pointer]; ok {
			return &Conflict{other.edit, m.edit, "both change the same value"}
		}
		byPointer[pointer] = m
	}
	for _, m := range list {
		for n := range m.tokens {
			above, ok := byPointer[jsondoc.Pointer(m.tokens[:n]...)]
			if ok && !above.inserts {
				return &Conflict{above.edit, m.edit,
					"one changes a value inside one that the other replaces or removes"}
			}
		}
	}
	return nil
}

func (m member) appends() bool {
	return m.edit.Op == wire.Set && len(m.tokens) > 0 && m.tokens[len(m.tokens)-1] == "-"
}

// removedIndexes returns the indexes of removed elements, by the pointer of their array.
func removedIndexes(doc *jsondoc.Document, list []member) map[string][]int {
	removed := map[string][]int{}
	for _, m := range list {
		if m.edit.Op != wire.Unset || !inArray(doc, m.tokens) {
			continue
		}
		last := len(m.tokens) - 1
		if n, err := strconv.Atoi(m.tokens[last]); err == nil {
			array := jsondoc.Pointer(m.tokens[:last]...)
			removed[array] = append(removed[array], n)
		}
	}
	return removed
}

// shifted returns the tokens that lead to the same value after the elements have been removed.
func shifted(tokens []string, removed map[string][]int) []string {
	list := append([]string(nil), tokens...)
	for i := range list {
		index, err := strconv.Atoi(list[i])
		if err != nil {
			continue
		}
		left := index
		for _, gone := range removed[jsondoc.Pointer(tokens[:i]...)] {
			if gone < index {
				left--
			}
		}
		if left < index {
			list[i] = strconv.Itoa(left)
		}
	}
	return list
}

func ordered(list []member) []member {
	list = append([]member(nil), list...)
	sort.SliceStable(list, func(i, j int) bool {
		a, b := list[i], list[j]
		if a.turn() != b.turn() {
			return a.turn() < b.turn()
		}
		fromBehind := a.turn() == 1 || a.turn() == 3
		return fromBehind && compareTokens(a.tokens, b.tokens) > 0
	})
	return list
}

func (m member) turn() int {
	switch {
	case m.edit.Op == wire.Replace:
		return 0
	case m.edit.Op == wire.Unset:
		return 1
	case m.inserts && !m.appends():
		return 3
	}
	return 2
}

// compareTokens orders pointers by position in the document; indexes are compared as numbers.
func compareTokens(a, b []string) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		m, errA := strconv.Atoi(a[i])
		n, errB := strconv.Atoi(b[i])
		if errA == nil && errB == nil && m != n {
			return m - n
		}
		if c := strings.Compare(a[i], b[i]); c != 0 {
			return c
		}
	}
	return len(a) - len(b)
}

// apply applies the edit to a JSON or YAML document. Like Set, a Replace in YAML writes a JSON text.
func (m member) apply(text string, yaml bool) (string, error) {
	pointer := jsondoc.Pointer(m.tokens...)
	var change jsondoc.Change
	var err error
	switch op := m.edit.Op; {
	case op == wire.Replace && yaml:
		change, err = yamldoc.Replace(text, pointer, m.edit.New)
	case op == wire.Replace:
		r := replacement{edit: m.edit, text: withEnding(m.edit.New, lineEnding(text))}
		if r.start, r.end, err = Span(text, m.edit.Range); err != nil {
			return "", err
		}
		return splice(text, []replacement{r})
	default:
		change, err = ChangeValue(op, yaml, text, pointer, m.edit.New)
	}
	if err != nil {
		return "", err
	}
	return change.Apply(text), nil
}

// ChangeValue sets or unsets the value at a pointer in a JSON or YAML document.
func ChangeValue(op wire.Op, yaml bool, text, pointer, value string) (jsondoc.Change, error) {
	switch {
	case op == wire.Unset && yaml:
		return yamldoc.Unset(text, pointer)
	case op == wire.Unset:
		return jsondoc.Unset(text, pointer)
	case yaml:
		return yamldoc.Set(text, pointer, value)
	}
	return jsondoc.Set(text, pointer, value)
}

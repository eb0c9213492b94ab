package iterativework

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// A field is a key of an entry with its value: the text on the same line, on continuation lines and in the list under
// it. texts omits items that are ticked or struck out.
type field struct {
	name       string // of the key, as markdown.Name returns it
	texts      []string
	start, end int // range of the first line of the value; empty if there is no value
	depth      int // nesting depth if the field is a list item, or else 0
	headed     bool
	list       bool // its texts are items
	over       bool // its last text is an item that is ticked or struck out
}

// The keys of an entry, each with its synonyms as markdown.Name returns them, separated by spaces.
const (
	didKeys = " did done workdone accomplished whatidid whatwasdone didthisiteration work completed summary " +
		"progress actions "
	leftKeys = " remaining remainingwork remainingitems remains left what'sleft whatisleft whatremains todo " +
		"stilltodo stillopen open openitems outstanding "
	gapKeys     = " issues issue gaps remaining "
	nextKeys    = " next nextsteps nextstep "
	blockKeys   = " blockers blocker blockedby blocked "
	signalKeys  = " signal signals "
	outcomeKeys = " result verdict outcome status conclusion "
	otherKeys   = signalKeys + outcomeKeys + " checked output fix time timestamp date when "
)

// among reports whether a list contains a word, ignoring case.
func among(list, word string) bool {
	word = words.Fold(word)
	return word != "" && strings.Contains(list, " "+word+" ")
}

// isKey reports whether text is a key of an entry.
func isKey(text string) bool {
	return among(didKeys+leftKeys+nextKeys+gapKeys+blockKeys+otherKeys, markdown.Name(text))
}

// field returns the first field that has one of the keys and a value, or else the first one that has one of the keys.
// It returns nil if there is none.
func (e *entry) field(keys string) *field {
	var found *field
	for i := range e.fields {
		if f := &e.fields[i]; among(keys, f.name) && (found == nil || len(found.texts) == 0 && len(f.texts) > 0) {
			found = f
		}
	}
	return found
}

// value returns the value of a field as one string.
func (f *field) value() string { return strings.Join(f.items(), " ") }

// items returns the texts of a field, or nil for a nil field.
func (f *field) items() []string {
	if f == nil {
		return nil
	}
	return f.texts
}

// real reports whether a field says that work is left.
func (f *field) real() bool {
	return slices.ContainsFunc(f.items(), func(text string) bool { return !settled(text) })
}

// A text says that nothing is left if it contains only fillers and settlers, and at least one settler.
const (
	fillers = " further more other additional remaining left remains remain to do needed required open outstanding " +
		"pending work items" +
		" item tasks task issues steps criteria all everything fully is are was here for this phase it the ready " +
		"awaiting yet lessons" +
		" confirmation confirm verification now been has have and of à faire pendiente mehr offen zu tun alles todo " +
		"hacer por "
	none     = " no none zero "
	settlers = none + "nothing nil 0 done complete completed finished met satisfied passed fulfilled empty rien " +
		"nada nichts keine erledigt fertig terminé hecho listo "
)

var overcome = []string{"solved", "around", "overcome", "fixed", "no longer", "instead", "mitigat", "cleared", "lifted",
	"unblocked", "was ", "were ", "had ", "now ", "used ", "accepted"}

// settled reports whether text says that nothing is left.
func settled(text string) bool {
	bare := strings.TrimFunc(text, markdown.Symbol)
	if !words.Real(text) || !words.Real(bare) || words.Alike(bare, "not applicable") {
		return true
	}
	says := false
	for _, w := range tokens(bare) {
		settles := among(settlers, w)
		if words.IsWord(w[0]) && !isID(upper(w)) && !settles && !among(fillers, w) {
			return false
		}
		says = says || settles
	}
	return says
}

// A fieldReader reads the lines of an entry.
type fieldReader struct {
	list   []field
	open   bool // the last field may continue
	parted bool // the line begins a new paragraph or item
}

// readFields reads the fields of a section. Keys may be bold, plain or in code marks. Fields may be lines, list items,
// headings or table rows, and may be in quotes.
func readFields(o *markdown.Outline, s markdown.Section) []field {
	r := fieldReader{}
	for i := s.Heading().Index() + 1; i < len(o.Nodes) && o.Nodes[i].Start < s.End(); i++ {
		switch n := &o.Nodes[i]; n.Kind {
		case markdown.KindFence:
			r.open = false
		case markdown.KindHeading, markdown.KindParagraph, markdown.KindTask, markdown.KindTable:
			depth, at := 0, n.Start
			if n.Parent == i-1 && o.Nodes[i-1].Kind == markdown.KindItem {
				depth = o.Nodes[i-1].Data
			}
			r.parted = true
			for line := range strings.Lines(o.Text[n.Start:n.End]) {
				text := strings.TrimLeft(line, " \t>")
				r.line(strings.TrimRight(text, " \t\r\n"), at+len(line)-len(text), depth)
				at += len(line)
				depth, r.parted = 0, false
			}
		}
	}
	for i := range r.list {
		for j, text := range r.list[i].texts {
			r.list[i].texts[j] = markdown.Plain(text)
		}
	}
	return r.list
}

// line reads one line. The line may be a table row, or contain a signal in a tag.
func (r *fieldReader) line(text string, at, depth int) {
	const openTag = "<signal>"
	if cells := strings.Split(text, "|"); len(cells) > 2 && cells[0] == "" {
		r.key(markdown.Plain(cells[1]), cells[2], at+len(cells[1])+2, 0)
		r.open, text = false, ""
	}
	before, tag, tagged := strings.Cut(text, openTag)
	if before != "" || text != "" && !tagged {
		r.part(before, at, depth)
	}
	if inside, _, closed := strings.Cut(tag, "</signal>"); closed {
		r.key("signal", inside, at+len(before)+len(openTag), 0)
		r.open = false
	}
}

func (r *fieldReader) part(whole string, at, depth int) {
	mark, text := markOf(whole)
	over := ticks(mark) || struck(text)
	heading := strings.HasPrefix(text, "#")
	if heading {
		text = strings.Trim(text, "# ")
	}
	key, value, sure := keyOf(text, heading)
	if said := cmp.Or(value, text); isSignal(said) {
		key, value = "Signal", said
	} else if strings.HasSuffix(markdown.Name(key), "signal") {
		key = "Signal"
	}
	last := &field{texts: []string{""}, depth: depth} // so that any key after it begins a field
	if r.open {
		last = &r.list[len(r.list)-1]
	}
	below := depth > last.depth
	titled := !last.headed && len(last.texts) > 0 && depth == 0 && key != "" && 'A' <= key[0] && key[0] <= 'Z' &&
		strings.Count(key, " ") < 3
	switch {
	case heading || isKey(key) || sure && !below || titled:
		r.key(key, value, at+len(whole)-len(strings.TrimLeft(value, " ")), depth)
		r.list[len(r.list)-1].headed = heading
	case !r.open:
	case below:
		r.add(last, text, at+len(whole)-len(text), over)
		last.list = true
	case depth > 0, r.parted && len(last.texts) > 0 && !last.headed:
		r.open = false
	case last.over:
	case len(last.texts) == 0 || r.parted && !last.list:
		r.add(last, text, at, false)
	default:
		last.texts[len(last.texts)-1] += " " + text
	}
}

// key begins a field.
func (r *fieldReader) key(key, value string, at, depth int) {
	r.list = append(r.list, field{name: markdown.Name(key), start: at, end: at, depth: depth})
	if r.open = true; strings.TrimSpace(value) != "" {
		r.add(&r.list[len(r.list)-1], strings.TrimSpace(value), at, false)
	}
}

func (r *fieldReader) add(f *field, text string, at int, over bool) {
	if f.over = over; over {
		return
	}
	if len(f.texts) == 0 {
		f.start, f.end = at, at+len(text)
	}
	f.texts = append(f.texts, text)
}

// isSignal reports whether text is only a signal, such as R1_DONE.
func isSignal(text string) bool {
	id, what, ok := strings.Cut(unmarked(strings.TrimRightFunc(text, markdown.Symbol)), "_")
	return ok && isID(upper(id)) && among(" done complete verified gaps timeout ", what)
}

// struck reports whether an item is struck out or begins with a check mark.
func struck(text string) bool {
	return strings.HasPrefix(text, "~~") && strings.HasSuffix(text, "~~") || marked(text[:min(len(text), 4)])
}

// keyOf splits text into a key and its value. sure is false for a plain key, which may be a word in a sentence.
func keyOf(text string, heading bool) (key, value string, sure bool) {
	plain := strings.TrimLeftFunc(text, func(r rune) bool {
		return markdown.Symbol(r) && r != '*' && r != '_' &&
			r != '`'
	})
	marks := plain[:len(plain)-len(strings.TrimLeft(plain, "*_`"))]
	if inner, rest, closed := strings.Cut(plain[len(marks):], marks); marks != "" && closed && len(inner) <= 40 {
		name := strings.TrimRight(inner, ": ")
		value, colon := strings.CutPrefix(strings.TrimLeft(rest, " "), ":")
		if colon || len(name) < len(inner) || isKey(name) {
			return name, cmp.Or(strings.TrimLeft(value, " -–—"), value), true
		}
		return "", "", false
	}
	key, value, colon := strings.Cut(plain, ":")
	if !colon && heading {
		return key, "", true
	}
	if !colon || len(key) > 40 || strings.ContainsAny(key, `.,;!?()[]{}"<>`) || value != "" && value[0] != ' ' {
		return "", "", false
	}
	return key, value, false
}

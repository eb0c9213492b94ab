package iterativework

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/words"
)

// A field is one of an entry: a key and what is said of it, on its line, on those that continue it
// and in the list below it. Items that are ticked or struck out are not in texts.
type field struct {
	name       string // of the key, as markdown.Name makes it
	texts      []string
	start, end int // of the first line of the value, or of the key's if there is none
	indent     int // of the list item that the field is, -1 if it is none
	headed     bool
	list       bool // its texts are items
	over       bool // its last text is an item that is ticked or struck out
}

// The keys of an entry, each with other names for it, as markdown.Name makes them.
var (
	didKeys   = []string{"did", "done", "workdone", "accomplished", "whatidid", "whatwasdone", "didthisiteration", "work", "completed", "summary", "progress", "actions"}
	leftKeys  = []string{"remaining", "remainingwork", "remainingitems", "remains", "left", "what'sleft", "whatisleft", "whatremains", "todo", "stilltodo", "stillopen", "open", "openitems", "outstanding"}
	gapKeys   = []string{"issues", "issue", "gaps", "remaining"}
	nextKeys  = []string{"next", "nextsteps", "nextstep"}
	blockKeys = []string{"blockers", "blocker", "blockedby", "blocked"}
	otherKeys = []string{"signal", "signals", "result", "verdict", "outcome", "status", "conclusion", "checked", "output", "fix", "time", "timestamp", "date", "when"}
)

// isKey reports whether a text is a key of an entry.
func isKey(text string) bool {
	return slices.ContainsFunc([][]string{didKeys, leftKeys, nextKeys, gapKeys, blockKeys, otherKeys}, func(keys []string) bool { return slices.Contains(keys, markdown.Name(text)) })
}

// field is the first one of some names that says something, else the first, nil without one.
func (e *entry) field(keys ...string) *field {
	var found *field
	for i := range e.fields {
		if f := &e.fields[i]; slices.Contains(keys, f.name) {
			if len(f.texts) > 0 {
				return f
			}
			if found == nil {
				found = f
			}
		}
	}
	return found
}

// value is all that a field says, as one text.
func (f *field) value() string { return strings.Join(f.texts, " ") }

// items are what a field says, nil for no field.
func (f *field) items() []string {
	if f == nil {
		return nil
	}
	return f.texts
}

// real reports whether a field says that something is left.
func (f *field) real() bool {
	return slices.ContainsFunc(f.items(), func(text string) bool { return !settled(text) })
}

// fillers are the words of a text that says that nothing is left; one of the settlers among them says so.
var (
	fillers = []string{
		"further", "more", "other", "additional", "remaining", "left", "remains", "remain", "to", "do", "needed", "required", "open", "outstanding", "pending", "work", "items",
		"item", "tasks", "task", "issues", "steps", "criteria", "all", "everything", "fully", "is", "are", "was", "here", "for", "this", "phase", "it", "the", "ready", "awaiting", "yet", "lessons",
		"confirmation", "confirm", "verification", "now", "been", "has", "have", "and", "work", "of", "à", "faire", "pendiente", "mehr", "offen", "zu", "tun", "alles", "todo", "hacer", "por",
	}
	overcome = []string{"solved", "around", "overcome", "fixed", "no longer", "instead", "mitigat", "cleared", "lifted", "unblocked", "was ", "were ", "had ", "now ", "used ", "accepted"}
	settlers = []string{
		"no", "none", "zero", "nothing", "nil", "0", "done", "complete", "completed", "finished", "met", "satisfied", "passed", "fulfilled", "empty",
		"rien", "nada", "nichts", "keine", "erledigt", "fertig", "terminé", "hecho", "listo",
	}
)

// settled reports whether a text says that nothing is left.
func settled(text string) bool {
	bare := strings.TrimRightFunc(strings.TrimLeftFunc(text, markdown.Symbol), markdown.Symbol)
	if !words.Real(text) || !words.Real(bare) || words.Alike(bare, "not applicable") {
		return true
	}
	says := false
	for s := bare; s != ""; {
		w := words.First(s)
		s = s[max(len(w), 1):]
		if w == "" || isID(upper(w)) {
			continue
		}
		settles := among(settlers, w)
		if !settles && !among(fillers, w) {
			return false
		}
		says = says || settles
	}
	return says
}

// A fieldReader reads the lines of an entry.
type fieldReader struct {
	list   []field
	open   bool // the last field may go on
	parted bool // by a blank line
}

// readFields reads the fields of a section whose text begins at a place: bold, plain or in
// code marks, as lines, list items, headings or rows of a table, in quotes as well.
func readFields(raw string, at int) []field {
	r := fieldReader{}
	fenced := false
	for line := range strings.Lines(bare(raw)) {
		start := at
		at += len(line)
		text := strings.TrimLeft(line, " \t>")
		indent := len(line) - len(text)
		text = strings.TrimRight(text, " \t\r\n")
		switch {
		case strings.HasPrefix(text, "```"):
			fenced, r.open = !fenced, false
		case fenced, start == at-len(raw), strings.Trim(text, "-=") == "":
			r.parted = true
		case strings.HasPrefix(text, "<") && !strings.HasPrefix(text, openTag):
			r.open = false
		case strings.HasPrefix(text, "|"):
			if cells := strings.Split(text, "|"); len(cells) > 2 {
				from := start + indent + len(cells[1]) + 2
				r.key(markdown.Plain(cells[1]), cells[2], from, -1)
			}
			r.open = false
		default:
			r.line(text, start+indent, indent)
			r.parted = false
		}
	}
	for i := range r.list {
		for j, text := range r.list[i].texts {
			r.list[i].texts[j] = markdown.Plain(text)
		}
	}
	return r.list
}

const openTag = "<signal>"

// line reads one line, which may have a signal in a tag, or several bold fields with bars between them.
func (r *fieldReader) line(text string, at, indent int) {
	for text != "" {
		one, rest, more := strings.Cut(text, " | **")
		before, tag, tagged := strings.Cut(one, openTag)
		if before != "" || !tagged {
			r.part(before, at, indent)
		}
		if inside, _, closed := strings.Cut(tag, "</signal>"); closed {
			r.key("signal", inside, at+len(before)+len(openTag), -1)
			r.open = false
		}
		if !more {
			return
		}
		at += len(one) + len(" | ")
		text = "**" + rest
	}
}

func (r *fieldReader) part(text string, at, indent int) {
	whole := text
	item := strings.TrimLeft(text, "0123456789")
	if len(item) < len(text) && (strings.HasPrefix(item, ". ") || strings.HasPrefix(item, ") ")) || len(item) == len(text) && (strings.HasPrefix(item, "- ") || strings.HasPrefix(item, "* ") || strings.HasPrefix(item, "+ ")) {
		text = strings.TrimLeft(item[2:], " ")
	} else {
		indent = -1
	}
	over := false
	if mark, behind := markOf(text); mark != "" {
		text, over = behind, ticks(mark)
	}
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
	known := key != "" && isKey(key)
	var last *field
	if r.open {
		last = &r.list[len(r.list)-1]
	}
	below := last != nil && indent > last.indent
	switch {
	case heading || known && key != "" || sure && !below || (last == nil || !last.headed && len(last.texts) > 0) && key != "" && indent < 0 && isUpper(key[0]) && strings.Count(key, " ") < 3:
		r.key(key, value, at+len(whole)-len(strings.TrimLeft(value, " ")), indent)
		r.list[len(r.list)-1].headed = heading
	case last == nil:
	case below:
		r.add(last, text, at+len(whole)-len(text), over || struck(text))
		last.list = true
	case indent >= 0, r.parted && len(last.texts) > 0 && !last.headed:
		r.open = false
	case last.over:
	case len(last.texts) == 0 || r.parted && !last.list:
		r.add(last, text, at, false)
	default:
		last.texts[len(last.texts)-1] += " " + text
	}
}

// key begins a field.
func (r *fieldReader) key(key, value string, at, indent int) {
	r.list = append(r.list, field{name: markdown.Name(key), start: at, end: at, indent: indent})
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

// isSignal reports whether a text is a signal, such as R1_DONE, and nothing else.
func isSignal(text string) bool {
	id, what, ok := strings.Cut(unmarked(strings.TrimRightFunc(text, markdown.Symbol)), "_")
	return ok && isID(upper(id)) && among([]string{"done", "complete", "verified", "gaps", "timeout"}, what)
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// struck reports whether an item is struck out or begins with a check mark.
func struck(text string) bool {
	return strings.HasPrefix(text, "~~") && strings.HasSuffix(text, "~~") || marked(text[:min(len(text), 4)])
}

// keyOf cuts a text into a key and its value; sure is false for a plain key, which may be a word of a sentence.
func keyOf(text string, heading bool) (key, value string, sure bool) {
	plain := strings.TrimLeftFunc(text, func(r rune) bool { return markdown.Symbol(r) && r != '*' && r != '_' && r != '`' })
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

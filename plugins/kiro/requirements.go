package kiro

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/markdown"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// requirements are what requirements.md numbers.
type requirements struct {
	doc   *sdk.Document
	list  []requirement
	place map[string]int     // in the list, by number
	again []markdown.Heading // of a number that an earlier heading has
	ids   map[string]bool    // every number with a full stop that is in the text; nil until one is looked for
}

// A requirement is one heading such as "Requirement 2: NAME".
type requirement struct {
	number, title string
	criteria      int // how many are below it: "2.3" is the third below Requirement 2
}

// find is the requirement with a number, nil if there is none.
func (q *requirements) find(number string) *requirement {
	if i, ok := q.place[number]; ok {
		return &q.list[i]
	}
	return nil
}

// asked are the words that begin the heading of a requirement, and the line of a task that names some.
var asked = []string{"requirement", "requirements", "req", "r", "要件", "需求", "требование", "требования", "requisito", "requisitos", "exigence", "exigences", "anforderung", "anforderungen", "요구사항", "validates", "validates requirements"}

const longestAsked = len("validates requirements")

var askedWords = words.ListOf(asked...).AnyCase()

// askedIn finds them, but for one that is a single letter.
var askedIn = words.ListOf(append(slices.DeleteFunc(slices.Clone(asked), func(word string) bool { return len(word) < 2 }),
	"Требовани", "ТРЕБОВАНИ")...).AnyCase()

// allOf are the words by which a line means every requirement.
var allOf = words.ListOf("all", "全", "すべて", "все", "todos", "todas", "alle", "모든")

func isAsked(word string) bool { return askedWords.Has(lowered(word)) }

func readRequirements(d *sdk.Document) *requirements {
	heads := d.Outline().Headings()
	r := &requirements{doc: d, list: make([]requirement, 0, len(heads)), place: make(map[string]int, len(heads))}
	for i, h := range heads {
		word, digits, title := titleOf(h.Text())
		if digits == "" || !isAsked(word) && (word != "" || strings.Contains(digits, ".") || !ofRequirements(heads[:i], h.Level())) {
			continue
		}
		at, twice := r.place[digits]
		if twice {
			r.again = append(r.again, h)
		} else {
			if title == "" { // "### Requirement 6", with a user story below
				title = strings.TrimPrefix(h.Body().Paragraph().Text(), "User Story: ")
			}
			at = len(r.list)
			r.list, r.place[digits] = append(r.list, requirement{number: digits, title: title}), at
		}
		end := len(d.Text)
		for _, next := range heads[i+1:] {
			if next.Level() <= h.Level() {
				end = next.Start()
				break
			}
		}
		r.list[at].criteria = max(r.list[at].criteria, criteria(d.Text[h.End():end]))
	}
	return r
}

// criteria is how many list items a text has, or the highest number of one.
func criteria(text string) int {
	most, items := 0, 0
	for text != "" {
		n := 0
		for n < len(text) && (text[n] == ' ' || text[n] == '\t' || text[n] == '>') {
			n++
		}
		text = text[n:]
		for n = 0; n < len(text) && n < 4 && isDigit(text[n]); {
			n++
		}
		switch {
		case n > 0 && n < len(text) && (text[n] == '.' || text[n] == ')'):
			items++
			most = max(most, atoi(text[:n]))
		case strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "* "):
			items++
		}
		_, text, _ = strings.Cut(text, "\n")
	}
	return max(most, items)
}

// ofRequirements reports whether a heading of some level behind others, such as "3. NAME", stands below one such as "Requirements" that
// is not the title of the document.
func ofRequirements(heads []markdown.Heading, level int) bool {
	for i := len(heads) - 1; i >= 0; i-- {
		if heads[i].Level() < level {
			_, digits, title := titleOf(heads[i].Text())
			if digits == "" {
				title = heads[i].Text()
			}
			return heads[i].Level() > 1 && isAsked(strings.TrimPrefix(strings.ToLower(title), "functional "))
		}
	}
	return false
}

// titleOf cuts "Requirement 2: NAME", or "Requirement 2a", into its parts.
func titleOf(text string) (word, digits, title string) {
	i := 0
	for i < len(text) && !isDigit(text[i]) {
		i++
	}
	end := i
	for end < len(text) && (isDigit(text[end]) || text[end] == '.' && end+1 < len(text) && isDigit(text[end+1])) {
		end++
	}
	if end > i && end < len(text) && (text[end]|0x20 >= 'a' && text[end]|0x20 <= 'z') { // 6a, which was put in behind 6
		end++
	}
	if end == i {
		return "", "", ""
	}
	return trim(text[:i], " -#:", "："), words.Lower(text[i:end]), trim(text[end:], " .:-", "：—")
}

// trim is a text without some characters around it, most of them of ASCII.
func trim(text, ascii, wide string) string {
	text = strings.Trim(text, ascii)
	if text == "" || text[0] < utf8.RuneSelf && text[len(text)-1] < utf8.RuneSelf {
		return text
	}
	return strings.Trim(text, ascii+wide)
}

// numbersIn lists the numbers with a full stop in a text: "1.2", "1.2.3".
func numbersIn(text string) []string {
	var list []string
	for i := 0; i < len(text); i++ {
		if !isDigit(text[i]) || i > 0 && (isDigit(text[i-1]) || text[i-1] == '.') {
			continue
		}
		end, dotted := i, false
		for end < len(text) && (isDigit(text[end]) || text[end] == '.' && end+1 < len(text) && isDigit(text[end+1])) {
			dotted = dotted || text[end] == '.'
			end++
		}
		if dotted {
			list = append(list, text[i:end])
		}
		i = end
	}
	return list
}

// asks are the requirements that a task names in a line "_Requirements: 1.1, 2_", as numbers of one or two parts.
func (m *model) asks(t *task) []string {
	if !t.read {
		text, n := t.own(m.list), len(m.refs)
		if m.wide {
			text = strings.ReplaceAll(text, "：", ":")
		}
		m.refs = refs(m.refs, text)
		t.refs, t.read = m.refs[n:len(m.refs):len(m.refs)], true
	}
	return t.refs
}

// refs appends those that a text names to a list.
func refs(list []string, text string) []string {
	for {
		colon := strings.IndexByte(text, ':')
		if colon < 0 {
			return list
		}
		from, to := colon, colon
		for from > 0 && text[from-1] != '\n' {
			from--
		}
		for from < to && frames(text[from]) {
			from++
		}
		for to > from && (text[to-1] == ' ' || text[to-1] == '*' || text[to-1] == '_') {
			to--
		}
		key, value := text[from:to], text[colon+1:]
		if value, text, _ = strings.Cut(value, "\n"); len(key) > longestAsked || !isAsked(key) {
			continue
		}
		for value != "" && frames(value[len(value)-1]) {
			value = value[:len(value)-1]
		}
		list = references(list, value)
	}
}

// frames reports whether a character may stand around what a line says.
func frames(c byte) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '-' || c == '*' || c == '+' || c == '_'
}

// references appends the numbers of one or two parts that are words of a value to a list.
func references(list []string, value string) []string {
	for value != "" {
		n, dots := 0, 0
		for n < len(value) && (isDigit(value[n]) || value[n] == '.') {
			if n++; value[n-1] == '.' {
				dots++
			}
		}
		end := n
		for end > 0 && value[end-1] == '.' {
			end--
			dots--
		}
		next := joint(value[n:])
		if next > 0 && end > 0 && dots < 2 && isDigit(value[0]) {
			list = append(list, value[:end])
		}
		for ; next == 0; next = joint(value[n:]) {
			n++
		}
		if strings.HasPrefix(value[n:], "_ ") { // the end of what is in italics
			break
		}
		value = value[min(n+next, len(value)):]
	}
	return list
}

// joint is the length of what a text begins with if that ends the number of a requirement that a task names, or else 0.
func joint(text string) int {
	if text == "" {
		return 1
	}
	switch c := text[0]; {
	case c == ',', c == ';', c == ' ', c == '_', c == '*':
		return 1
	case c >= utf8.RuneSelf && (strings.HasPrefix(text, "，") || strings.HasPrefix(text, "、")):
		return len("，")
	}
	return 0
}

// covered are the requirements of which a text names a criterion, or which it names as a whole, in any line about requirements: in
// tasks, in tables of coverage, in notes. It is nil where a line says that all are meant.
func (q *requirements) covered(text string) map[string]bool {
	set := make(map[string]bool, len(q.list))
	add := func(number string) {
		if q.find(number) != nil {
			set[number] = true
		}
	}
	for {
		at := askedIn.Index(text)
		if at < 0 {
			return set
		}
		line, next, _ := strings.Cut(text[at:], "\n")
		line, text = words.Lower(line), next
		if _, value, ok := strings.Cut(line, ":"); ok && allOf.Index(value) >= 0 {
			return nil
		}
		last := 0
		for i := 0; i < len(line); i++ {
			if !isDigit(line[i]) {
				continue
			}
			end := i
			for end < len(line) && isDigit(line[end]) {
				end++
			}
			n, digits := atoi(line[i:min(end, i+6)]), line[i:end]
			if end < len(line) && line[end] >= 'a' && line[end] <= 'z' {
				digits += line[end : end+1]
			}
			if through(line[:i]) {
				for k := last + 1; k < n && k < last+100; k++ {
					add(say.Int(k))
				}
			}
			last = n
			add(digits)
			for end < len(line) && (line[end] == '.' || isDigit(line[end])) {
				add(strings.TrimRight(line[i:end+1], "."))
				end++
			}
			i = end
		}
	}
}

// through reports whether a text ends with what joins the two ends of a range: "1 – ", "1 to ", "1.3-".
func through(text string) bool {
	text = strings.TrimRight(text, " ")
	for _, sign := range []string{"-", "–", "—", "~", "〜", "～", "‑", " to", " through", "から"} {
		if strings.HasSuffix(text, sign) {
			return true
		}
	}
	return false
}

func atoi(digits string) int {
	n := 0
	for i := range len(digits) {
		n = n*10 + int(digits[i]-'0')
	}
	return n
}

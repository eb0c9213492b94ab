package kiro

import (
	"strings"

	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/words"
)

// asks returns the requirements that a task names in a line such as "_Requirements: 1.1, 2_"; see references.
func (m *model) asks(t *task) []string {
	if list, ok := m.refs[t]; ok {
		return list
	}
	if m.refs == nil {
		m.refs = make(map[*task][]string, len(m.tasks))
	}
	text := t.Body(m.list)
	if m.wide {
		text = strings.ReplaceAll(text, "：", ":")
	}
	m.refs[t] = refs(nil, text)
	return m.refs[t]
}

// refs appends to a list the requirements that the lines of a text name.
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
		if at := strings.LastIndexAny(key, "*_"); at >= 0 { // the key is emphasized within the line
			key = key[at+1:]
		}
		if value, text, _ = strings.Cut(value, "\n"); len(key) > longestAsked || !isAsked(key) {
			continue
		}
		for value != "" && frames(value[len(value)-1]) {
			value = value[:len(value)-1]
		}
		list = references(list, value)
	}
}

// frames reports whether a character may be markup around a line's text.
func frames(c byte) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '-' || c == '*' || c == '+' || c == '_'
}

// cover marks each requirement that a text names, by its own number or by a criterion's, in any line about
// requirements: in tasks, coverage tables or notes. It reports whether a line names all requirements at once.
func (q *requirements) cover(text string) (all bool) {
	for {
		at := askedIn.Index(text)
		if at < 0 {
			return false
		}
		line, next, _ := strings.Cut(text[at:], "\n")
		line, text = words.LowerWide(line), next
		if _, value, ok := strings.Cut(line, ":"); ok && allOf.Index(value) >= 0 {
			return true
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
			n, digits := words.Number(line[i:end]), line[i:end]
			if end < len(line) && isLetter(line[end]) {
				digits += string(line[end] | 0x20)
			}
			if through(line[:i]) {
				for k := last + 1; k < n && k < last+100; k++ {
					q.name(say.Int(k))
				}
			}
			last = n
			q.name(digits)
			for end < len(line) && (line[end] == '.' || isDigit(line[end])) {
				if q.dotted {
					q.name(strings.TrimRight(line[i:end+1], "."))
				}
				end++
			}
			i = end
		}
	}
}

// name marks the requirement with the given number as named, if it exists.
func (q *requirements) name(number string) {
	if r := q.find(number); r != nil {
		r.named = true
	}
}

// joins are the texts that follow the first number of a range: "1 – 3", "1 to 3", "1.3-1.5".
var joins = []string{"-", "–", "—", "~", "〜", "～", "‑", " to", " through", "から"}

// through reports whether a text ends with one of joins.
func through(text string) bool {
	text = words.TrimRight(text, " ")
	if text == "" || isDigit(text[len(text)-1]) || text[len(text)-1] == '.' || text[len(text)-1] == ',' {
		return false
	}
	text = words.Lower(text[max(0, len(text)-len(" through")):])
	for _, sign := range joins {
		if strings.HasSuffix(text, sign) {
			return true
		}
	}
	return false
}

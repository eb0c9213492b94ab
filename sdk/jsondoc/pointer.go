package jsondoc

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Pointer builds an RFC 6901 JSON pointer from unescaped keys and indexes. Without arguments, it returns "", the
// whole document.
func Pointer(tokens ...string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteByte('/')
		b.WriteString(EscapeToken(token))
	}
	return b.String()
}

// EscapeToken escapes a key as a JSON pointer token: ~ becomes ~0, and / becomes ~1.
func EscapeToken(key string) string {
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}

// Tokens splits a JSON pointer into unescaped tokens. It refuses a nonempty pointer that does not begin with /, a ~
// that is neither ~0 nor ~1, and invalid UTF-8, which no key contains.
func Tokens(pointer string) ([]string, error) {
	if pointer == "" {
		return nil, nil
	}
	if pointer[0] != '/' {
		return nil, &PointerError{Pointer: pointer, Message: "a JSON pointer begins with /"}
	}
	if !utf8.ValidString(pointer) {
		return nil, &PointerError{Pointer: pointer, Message: "a JSON pointer is valid UTF-8"}
	}
	tokens := strings.Split(pointer[1:], "/")
	for i, token := range tokens {
		if strings.Count(token, "~") != strings.Count(token, "~0")+strings.Count(token, "~1") {
			return nil, &PointerError{Pointer: pointer,
				Message: "~ is written ~0 and / is written ~1 in a JSON pointer"}
		}
		tokens[i] = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
	}
	return tokens, nil
}

// Lookup returns the value at a JSON pointer. If a key is duplicated, the last one wins. It returns false
// for a malformed pointer and for "-", the position after the last element.
func (d *Document) Lookup(pointer string) (Value, bool) {
	tokens, err := Tokens(pointer)
	if err != nil {
		return Value{}, false
	}
	v := d.Root()
	for _, token := range tokens {
		if v = v.child(token); !v.Exists() {
			return Value{}, false
		}
	}
	return v, true
}

// LookupMember is like [Document.Lookup] but includes the key's range. It returns false if the pointer leads to the
// root or to an array element.
func (d *Document) LookupMember(pointer string) (Member, bool) {
	slash := strings.LastIndexByte(pointer, '/')
	if slash < 0 {
		return Member{}, false
	}
	tokens, err := Tokens(pointer[slash:])
	if err != nil {
		return Member{}, false
	}
	parent, _ := d.Lookup(pointer[:slash])
	return parent.Member(tokens[0])
}

// Pointer returns the JSON pointer to v, or "" for the root and for an absent value. If v belongs to an earlier
// duplicate of a key, the pointer leads to the last duplicate instead. It walks the document from the root, so
// call it only for values that are shown.
func (v Value) Pointer() string {
	if !v.Exists() {
		return ""
	}
	var tokens []string
	for at := uint32(0); at != v.at; {
		var token string
		at, token = Value{v.doc, at}.towards(v.at)
		tokens = append(tokens, token)
	}
	return Pointer(tokens...)
}

// towards returns the child of v that contains the node target, and the child's token.
func (v Value) towards(target uint32) (at uint32, token string) {
	object, nodes := v.Kind() == Object, v.doc.nodes
	at = v.at + 1
	for i := 0; ; i++ {
		if object {
			at++
		}
		if nodes[at].next > target {
			if object {
				return at, v.doc.unquote(at - 1)
			}
			return at, strconv.Itoa(i)
		}
		at = nodes[at].next
	}
}

// child returns the child that a pointer token selects.
func (v Value) child(token string) Value {
	if v.Kind() == Object {
		return v.Get(token)
	}
	index, ok := parseIndex(token)
	if !ok {
		return Value{}
	}
	return v.Element(index)
}

// parseIndex parses an index in RFC 6901 form: digits without a leading zero.
func parseIndex(token string) (int, bool) {
	if token == "" || len(token) > 1 && token[0] == '0' || digits(token) != len(token) {
		return 0, false
	}
	n, ok := digitsToInt(token)
	return int(-n), ok && n > -1<<31
}

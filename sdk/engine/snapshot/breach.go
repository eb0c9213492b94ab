package snapshot

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// maxBreaches bounds how many breaches of one document are shown.
const maxBreaches = 50

// FirstLeaves returns the innermost errors, sorted by place; there may be very many. The validator returns them in a
// different order each time.
func FirstLeaves(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	list := leaves(e)
	slices.SortFunc(list, func(a, b *jsonschema.ValidationError) int {
		return cmp.Or(
			cmp.Compare(len(a.InstanceLocation), len(b.InstanceLocation)), // so that /2 comes before /10
			cmp.Compare(a.InstanceLocation, b.InstanceLocation),
			cmp.Compare(a.KeywordLocation, b.KeywordLocation),
			cmp.Compare(message(a), message(b)),
		)
	})
	return list[:min(len(list), maxBreaches)]
}

// leaves returns the innermost errors, but of alternatives only the choice.
func leaves(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 || choice(e) {
		return []*jsonschema.ValidationError{e}
	}
	var list []*jsonschema.ValidationError
	for _, c := range e.Causes {
		list = append(list, leaves(c)...)
	}
	return list
}

// message is what the validator says, the properties that it lists in order.
func message(e *jsonschema.ValidationError) string {
	const before, between, behind = "additionalProperties '", "', '", "' not allowed"
	list, ok := strings.CutPrefix(e.Message, before)
	if !ok || !strings.HasSuffix(list, behind) {
		return e.Message
	}
	names := strings.Split(strings.TrimSuffix(list, behind), between)
	slices.Sort(names)
	return before + strings.Join(names, between) + behind
}

func choice(e *jsonschema.ValidationError) bool {
	k := path.Base(e.KeywordLocation)
	return k == "anyOf" || k == "oneOf"
}

// A breach is a fault with the part of the schema that it breaks.
type breach struct {
	wire.DocumentFault
	key    bool   // about a key, not about its value
	schema string // RFC 6901, to what holds the keyword
}

// breachesOf describes one error at its place, or one of each key: the value found, the value expected.
func breachesOf(e *jsonschema.ValidationError, doc *jsondoc.Document, lines *jsondoc.Lines) []breach {
	pointer := PointerOf(e.InstanceLocation)
	v, _ := doc.Lookup(pointer)
	if unknown := unknownMembers(e, v); len(unknown) > 0 {
		return unknownKeys(pointer, unknown, lines, SchemaOf(e))
	}
	if m, ok := doc.LookupMember(pointer); ok && e.Message == forbidden {
		return unknownKeys(pointer[:strings.LastIndexByte(pointer, '/')], []jsondoc.Member{m}, lines, SchemaOf(e))
	}
	start, end := v.Start(), v.End()
	if v.Kind() == jsondoc.Object || v.Kind() == jsondoc.Array {
		end = start + 1 // the bracket: a whole object is no place to point at
	}
	line, _ := lines.Position(start)
	return []breach{{schema: SchemaOf(e), DocumentFault: wire.DocumentFault{
		Rule: wire.RuleSchema, Kind: "schema", Pointer: pointer, Line: line, Bytes: true,
		Start: start, End: end,
		Key:     pointer + " " + path.Base(e.KeywordLocation),
		Message: placeName(pointer) + wrong(e, v),
	}}}
}

// SchemaOf is the pointer to the part of the schema that holds the keyword.
func SchemaOf(e *jsonschema.ValidationError) string {
	_, pointer, _ := strings.Cut(e.AbsoluteKeywordLocation, "#")
	pointer = strings.TrimSuffix(pointer, "/")
	return PointerOf(pointer[:max(strings.LastIndexByte(pointer, '/'), 0)])
}

// forbidden is what the validator says of a value where the schema is false.
const forbidden = "not allowed"

// unknownMembers are the first members of an object that its schema does not allow.
func unknownMembers(e *jsonschema.ValidationError, v jsondoc.Value) (list []jsondoc.Member) {
	names, ok := strings.CutSuffix(e.Message, " "+forbidden)
	kind, names, _ := strings.Cut(names, " ")
	if !ok || kind != "additionalProperties" {
		return nil
	}
	for _, m := range v.Members() {
		if len(list) == maxBreaches {
			break
		}
		if strings.Contains(", "+names+", ", ", "+asValidator(m.Key)+", ") {
			list = append(list, m)
		}
	}
	return list
}

// asValidator writes a name as the validator does in its messages.
func asValidator(name string) string {
	name = strings.NewReplacer(`\"`, `"`, `'`, `\'`).Replace(strconv.Quote(name))
	return "'" + name[1:len(name)-1] + "'"
}

func unknownKeys(parent string, members []jsondoc.Member, lines *jsondoc.Lines, schema string) (list []breach) {
	for _, m := range members {
		pointer := parent + "/" + jsondoc.EscapeToken(m.Key)
		line, _ := lines.Position(m.KeyStart)
		list = append(list, breach{key: true, schema: schema, DocumentFault: wire.DocumentFault{
			Rule: wire.RuleSchema, Kind: "schema", Pointer: pointer, Line: line, Bytes: true,
			Start: m.KeyStart, End: m.KeyEnd,
			Key: pointer + " additionalProperties",
			Message: placeName(parent) + " has the key " + firstBytes(jsondoc.Quote(m.Key)) +
				", which its schema does not have",
		}})
	}
	return list
}

// PointerOf undoes the validator's percent-encoding of a pointer's tokens.
func PointerOf(location string) string {
	tokens := strings.Split(location, "/")
	for i, t := range tokens {
		if plain, err := url.PathUnescape(t); err == nil {
			tokens[i] = plain
		}
	}
	return strings.Join(tokens, "/")
}

func placeName(pointer string) string {
	tokens, err := jsondoc.Tokens(pointer)
	if err != nil || len(tokens) == 0 {
		return "the document"
	}
	return strings.Join(tokens, ".")
}

const maxShown = 60

// wrong says what was found, and what was expected instead.
func wrong(e *jsonschema.ValidationError, v jsondoc.Value) string {
	if names, ok := strings.CutPrefix(e.Message, "missing properties: "); ok {
		return " lacks " + strings.ReplaceAll(names, "'", "")
	}
	return found(v) + expected(e)
}

func found(v jsondoc.Value) string {
	switch v.Kind() {
	case jsondoc.Object, jsondoc.Array:
		return " is an " + v.Kind().String()
	case jsondoc.Absent:
		return ""
	}
	return " is " + firstBytes(v.Raw())
}

func firstBytes(text string) string { return Clip(text, maxShown) }

// Clip returns the first bytes of a text, and an ellipsis in place of the rest.
func Clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// cut shortens a text so that it has no more bytes than there may be.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:max(0, most-len("…"))], "") + "…"
}

func expected(e *jsonschema.ValidationError) string {
	if !choice(e) {
		return inWords(e.Message)
	}
	var forms []string
	for _, c := range e.Causes {
		for _, leaf := range leaves(c) {
			forms = append(forms, message(leaf))
		}
	}
	sort.Strings(forms)
	if len(forms) > 4 {
		forms = append(forms[:4], "and more")
	}
	return ": none of the allowed forms fits: " + strings.Join(forms, "; ")
}

// inWords turns a message of the validator into what is expected, where it says only that.
func inWords(message string) string {
	kinds, found, isType := strings.Cut(strings.TrimPrefix(message, "expected "), ", but got ")
	value, isValue := strings.CutPrefix(message, "value must be ")
	switch {
	case isType && !strings.Contains(found, " "):
		return ", expected " + withArticles(kinds)
	case isValue:
		return ", expected " + value
	}
	return ": " + message
}

// withArticles writes "integer or null" as "an integer or null".
func withArticles(kinds string) string {
	words := strings.Split(kinds, " or ")
	for i, w := range words {
		switch {
		case w == "null":
		case strings.ContainsRune("aeiou", rune(w[0])):
			words[i] = "an " + w
		default:
			words[i] = "a " + w
		}
	}
	return strings.Join(words, " or ")
}

// The greatest numbers that are given to the validator, which computes with
// exact fractions: measured, 1e10000000 makes it panic or compute for ever.
const (
	maxDigits   = 40
	maxExponent = 400
)

// hugeNumber returns the fault of the first number beyond those limits.
func hugeNumber(doc *jsondoc.Document) *wire.DocumentFault {
	v, pointer := firstHuge(doc.Root(), "")
	if !v.Exists() {
		return nil
	}
	line, _ := jsondoc.Position(doc.Text(), v.Start())
	return &wire.DocumentFault{
		Rule: wire.RuleSchema, Kind: "number", Key: pointer + " number", Pointer: pointer, Line: line, Bytes: true,
		Start: v.Start(), End: v.End(),
		Message: placeName(pointer) + found(v) + ": a number may have " + strconv.Itoa(maxDigits) +
			" digits and an exponent of " + strconv.Itoa(maxExponent) + " at most",
	}
}

func firstHuge(v jsondoc.Value, pointer string) (jsondoc.Value, string) {
	switch v.Kind() {
	case jsondoc.Number:
		if huge(v.Raw()) {
			return v, pointer
		}
	case jsondoc.Object:
		for _, m := range v.Members() {
			if h, p := firstHuge(m.Value, pointer+"/"+jsondoc.EscapeToken(m.Key)); h.Exists() {
				return h, p
			}
		}
	case jsondoc.Array:
		for i, e := range v.Elements() {
			if h, p := firstHuge(e, pointer+"/"+strconv.Itoa(i)); h.Exists() {
				return h, p
			}
		}
	}
	return jsondoc.Value{}, ""
}

func huge(number string) bool {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(number), "e")
	if len(mantissa) > maxDigits {
		return true
	}
	if exponent == "" {
		return false
	}
	n, err := strconv.Atoi(exponent)
	return err != nil || n > maxExponent || n < -maxExponent
}

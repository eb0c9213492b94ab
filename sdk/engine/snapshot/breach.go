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

// maxBreaches is the maximum number of breaches shown per document.
const maxBreaches = 50

// FirstLeaves returns the first innermost errors, sorted by location. There may be very many, and the
// validator returns them in random order.
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

// leaves returns the innermost errors. For alternatives, it returns only the error about the choice
// itself.
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

// message returns the validator's message with its listed properties sorted.
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

// A breach is a fault and the part of the schema that it violates.
type breach struct {
	wire.DocumentFault
	key    bool   // about the key, not its value
	schema string // RFC 6901 pointer to the parent of the keyword
}

// breachesOf describes an error at its location, with the value found and the value expected. For an error
// about several keys, it returns one breach per key.
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
		end = start + 1 // only the bracket, because a whole object is not a useful location
	}
	line, _ := lines.Position(start)
	return []breach{{schema: SchemaOf(e), DocumentFault: wire.DocumentFault{
		Rule: wire.RuleSchema, Kind: "schema", Pointer: pointer, Line: line, Bytes: true,
		Start: start, End: end,
		Key:     pointer + " " + path.Base(e.KeywordLocation),
		Message: placeName(pointer) + wrong(e, v),
	}}}
}

// SchemaOf returns a pointer to the part of the schema that contains the keyword.
func SchemaOf(e *jsonschema.ValidationError) string {
	_, pointer, _ := strings.Cut(e.AbsoluteKeywordLocation, "#")
	pointer = strings.TrimSuffix(pointer, "/")
	return PointerOf(pointer[:max(strings.LastIndexByte(pointer, '/'), 0)])
}

// forbidden is the validator's message for a value whose schema is false.
const forbidden = "not allowed"

// unknownMembers returns the first members of an object that its schema does not allow.
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

// asValidator formats a name as the validator does in its messages.
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

// PointerOf decodes the validator's percent-encoding of pointer tokens.
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

// wrong says what was found and what was expected.
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

// Clip returns the first bytes of a text, with an ellipsis in place of the rest.
func Clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// cut shortens a text to at most most bytes.
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
	return ": none of the allowed forms matches: " + strings.Join(forms, "; ")
}

// inWords returns the expected value from a validator message, if the message says nothing else.
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

// withArticles turns "integer or null" into "an integer or null".
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

// The limits of the numbers that are passed to the validator. It computes with exact fractions, so
// 1e10000000 makes it panic or run forever.
const (
	maxDigits   = 40
	maxExponent = 400
)

// hugeNumber returns the fault of the first number beyond these limits.
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

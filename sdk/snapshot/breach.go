//go:build !wasip1

package snapshot

import (
	"net/url"
	"path"
	"sort"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// maxLeaves bounds how many breaches of one document are told.
const maxLeaves = 50

// leaves returns the innermost errors, but of alternatives only the choice.
func leaves(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 || choice(e) {
		return []*jsonschema.ValidationError{e}
	}
	var list []*jsonschema.ValidationError
	for _, c := range e.Causes {
		if list = append(list, leaves(c)...); len(list) > maxLeaves {
			return list[:maxLeaves]
		}
	}
	return list
}

func choice(e *jsonschema.ValidationError) bool {
	k := path.Base(e.KeywordLocation)
	return k == "anyOf" || k == "oneOf"
}

// breach tells one error at its place: the value found, the value expected.
func breach(e *jsonschema.ValidationError, doc *jsondoc.Document, lines *jsondoc.Lines) wire.DocumentFault {
	pointer := pointerOf(e.InstanceLocation)
	v, _ := doc.Lookup(pointer)
	start, end := v.Start(), v.End()
	if v.Kind() == jsondoc.Object || v.Kind() == jsondoc.Array {
		end = start + 1 // the bracket: a whole object is no place to point at
	}
	line, _ := lines.Position(start)
	return wire.DocumentFault{
		Rule: wire.RuleSchema, Kind: "schema", Pointer: pointer, Line: line, Start: start, End: end,
		Key:     pointer + " " + path.Base(e.KeywordLocation),
		Message: placeName(pointer) + found(v) + expected(e),
	}
}

// pointerOf undoes the validator's percent-encoding of a pointer's tokens.
func pointerOf(location string) string {
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

func found(v jsondoc.Value) string {
	switch v.Kind() {
	case jsondoc.Object, jsondoc.Array:
		return " is an " + v.Kind().String()
	case jsondoc.Absent:
		return ""
	}
	return " is " + firstBytes(v.Raw())
}

func firstBytes(text string) string {
	if len(text) > maxShown {
		return strings.ToValidUTF8(text[:maxShown], "") + "…"
	}
	return text
}

func expected(e *jsonschema.ValidationError) string {
	if !choice(e) {
		return ": " + e.Message
	}
	var forms []string
	for _, c := range e.Causes {
		for _, leaf := range leaves(c) {
			forms = append(forms, leaf.Message)
		}
	}
	sort.Strings(forms)
	if len(forms) > 4 {
		forms = append(forms[:4], "and more")
	}
	return ": none of the allowed forms fits: " + strings.Join(forms, "; ")
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
		Rule: wire.RuleSchema, Kind: "number", Key: pointer + " number", Pointer: pointer, Line: line, Start: v.Start(), End: v.End(),
		Message: placeName(pointer) + found(v) + ": a number may have " + strconv.Itoa(maxDigits) + " digits and an exponent of " + strconv.Itoa(maxExponent) + " at most",
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

package wire

import (
	"math/rand"
	"reflect"
	"sort"
	"strconv"
	"time"

	"github.com/stategate/stategate/sdk/instant"
)

// vocabularies maps each closed vocabulary to its table.
var vocabularies = map[reflect.Type][]string{
	reflect.TypeFor[Severity]():   severities,
	reflect.TypeFor[Safety]():     safeties,
	reflect.TypeFor[Op]():         ops,
	reflect.TypeFor[Format]():     formats,
	reflect.TypeFor[Need]():       needs,
	reflect.TypeFor[Duplicates](): duplicates,
	reflect.TypeFor[Keep]():       keeps,
	reflect.TypeFor[Unit]():       units,
	reflect.TypeFor[Fit]():        fits,
	reflect.TypeFor[Level]():      levels,
	reflect.TypeFor[State]():      states,
	reflect.TypeFor[Source]():     sources,
	reflect.TypeFor[BaseState]():  baseStates,
	reflect.TypeFor[Presence]():   presences,
}

var (
	timeType  = reflect.TypeFor[instant.Time]()
	valueType = reflect.TypeFor[Value]()
)

// A maker generates values of the wire types. A full one leaves no member empty.
type maker struct {
	*rand.Rand
	full bool
}

func (m maker) less() bool { return !m.full && m.Intn(3) == 0 }

func (m maker) word() string {
	if m.less() {
		return ""
	}
	alphabet := []rune("abcxyz/-._ \"\\\n\t\x00\x1f\x7f<&é\u2028￾😀")
	word := make([]rune, 1+m.Intn(6))
	for i := range word {
		word[i] = alphabet[m.Intn(len(alphabet))]
	}
	return string(word)
}

// fill sets everything in v.
func (m maker) fill(v reflect.Value) {
	if words, ok := vocabularies[v.Type()]; ok {
		v.SetUint(uint64(m.Intn(len(words))))
		if m.full {
			v.SetUint(uint64(1 + m.Intn(len(words)-1)))
		}
		return
	}
	switch v.Type() {
	case timeType:
		if !m.less() {
			v.Set(reflect.ValueOf(instant.Of(time.Unix(m.Int63n(4e9), m.Int63n(1e9)))))
		}
		return
	case valueType:
		v.Set(reflect.ValueOf(m.value()))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			m.fill(v.Field(i))
		}
		if r, ok := v.Addr().Interface().(*Range); ok && !r.Bytes {
			r.Start, r.End = 0, 0
		}
		if f, ok := v.Addr().Interface().(*DocumentFault); ok && !f.Bytes {
			f.Start, f.End = 0, 0
		}
	case reflect.String:
		v.SetString(m.word())
	case reflect.Int, reflect.Int64:
		if !m.less() {
			v.SetInt(1 + m.Int63n([]int64{5, 1 << 20, 1<<63 - 1}[m.Intn(3)]))
		}
	case reflect.Bool:
		v.SetBool(!m.less())
	case reflect.Slice:
		m.slice(v)
	case reflect.Map:
		if !m.less() {
			v.Set(reflect.ValueOf(map[string]string{m.word(): m.word(), "state": "{}"}))
		}
	default:
		panic("a type that the wire does not have: " + v.Type().String())
	}
}

func (m maker) slice(v reflect.Value) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		v.SetBytes(nil)
		if !m.less() {
			b := make([]byte, nodeSize*(1+m.Intn(3)))
			m.Read(b)
			v.SetBytes(b)
		}
		return
	}
	if m.less() {
		return
	}
	n := 1 + m.Intn(2)
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		m.fill(v.Index(i))
	}
}

func (m maker) value() Value {
	v := Value{Kind: ValueKind(m.Intn(len(valueKinds)))}
	switch v.Kind {
	case TextValue:
		v.Text = m.word()
	case IntValue:
		v.Int = m.Int63() - m.Int63()
	case BoolValue:
		v.Bool = m.Intn(2) == 0
	case ListValue:
		m.fill(reflect.ValueOf(&v.List).Elem())
	case TableValue:
		v.Columns = []string{"a", "b" + m.word()}
		for range m.Intn(3) {
			v.Rows = append(v.Rows, []string{m.word(), m.word()})
		}
	}
	return v
}

func (m maker) manifest() *Manifest {
	x := &Manifest{}
	m.fill(reflect.ValueOf(x).Elem())
	return x
}

func (m maker) report() *Report {
	x := &Report{}
	m.fill(reflect.ValueOf(x).Elem())
	return x
}

// request returns a request like a host's: documents are sorted, and base documents marked as the same equal the
// present ones.
func (m maker) request() *Request {
	x := &Request{}
	m.fill(reflect.ValueOf(x).Elem())
	m.order(x.Documents)
	m.order(x.Base.Documents)
	for i := range x.Documents {
		if m.Intn(2) == 0 && i < len(x.Base.Documents) {
			x.Base.Documents[i] = x.Documents[i]
			x.Base.Documents[i].Same = true
		}
	}
	return x
}

func (m maker) order(docs []Document) {
	for i := range docs {
		docs[i].Path = strconv.Itoa(i) + m.word()
		docs[i].Same, docs[i].YAML = false, "" // is not sent
	}
	sort.Slice(docs, func(i, j int) bool { return docs[i].Path < docs[j].Path })
}

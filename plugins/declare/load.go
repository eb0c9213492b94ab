package declare

import (
	"cmp"
	"strings"

	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/plugins/declare/view"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// An Error is a mistake in a declaration.
type Error struct {
	Pointer string // to the value
	At      int    // byte in the string; -1 for the whole value
	Message string
}

func (e *Error) Error() string { return e.Pointer + ": " + e.Message }

// Load loads a declaration. The text must be valid JSON in the form that schemas/declare.schema.json describes; the
// host has checked both. The error is an *Error about what a schema cannot check: names and expressions.
func Load(text string) (d *Declaration, err error) {
	doc, e := jsondoc.Parse(text)
	if e != nil {
		return nil, &Error{At: -1, Message: e.Error()}
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			d, err = nil, r
		default:
			panic(r)
		}
	}()
	l := &loader{d: &Declaration{schemas: map[string]string{}, defined: map[string]func(*run, *state) *expr.Value{}},
		names: expr.Names{}}
	l.load(doc.Root())
	return l.d, nil
}

// A loader panics with an *Error.
type loader struct {
	d     *Declaration
	names expr.Names
}

func fail(v jsondoc.Value, message string) {
	panic(&Error{Pointer: v.Pointer(), At: -1, Message: message})
}

// refuse fails if something is wrong. In a guest it does nothing, because the host has checked the declaration.
func refuse(wrong bool, v jsondoc.Value, message string) {
	if !expr.Unchecked && wrong {
		fail(v, message)
	}
}

// get returns a member. It is not inlined because this would add 6 kB to the guest. The same applies to str.
//
//go:noinline
func get(v jsondoc.Value, key string) jsondoc.Value { return v.Get(key) }

//go:noinline
func str(v jsondoc.Value) string {
	s, _ := v.Text()
	return s
}

func truth(v jsondoc.Value) bool {
	b, _ := v.Bool()
	return b
}

// list returns the elements of a list. A single value counts as a list with one element.
func list(v jsondoc.Value) []jsondoc.Value {
	if v.Exists() && v.Kind() != jsondoc.Array && v.Kind() != jsondoc.Null {
		return []jsondoc.Value{v}
	}
	return v.Elements()
}

func strs(v jsondoc.Value) (all []string) {
	for _, e := range list(v) {
		all = append(all, str(e))
	}
	return all
}

// globs returns paths or patterns in the form that the host matches.
func globs(v jsondoc.Value) []string {
	for _, e := range list(v) {
		if !expr.Unchecked && wire.CheckGlob(str(e)) != nil {
			fail(e, wire.CheckGlob(str(e)).Error())
		}
	}
	return strs(v)
}

// define makes a name known to the expressions that follow.
func (l *loader) define(m jsondoc.Member, shape *expr.Shape, is func(*run, *state) *expr.Value) {
	refuse(l.d.defined[m.Key] != nil, m.Value,
		m.Key+" is already the name of a document, a let or an item; use another name")
	l.d.defined[m.Key] = is
	l.names = l.names.With(m.Key, shape)
}

// parsed parses an expression and checks every name in it. It returns nil if v is absent.
func parsed(v jsondoc.Value, names expr.Names, parse func(string) (*expr.Node, *expr.Error)) (*expr.Node, *expr.Shape) {
	if !v.Exists() {
		return nil, nil
	}
	text, ok := v.Text()
	if !ok {
		text = v.Raw()
	}
	var shape *expr.Shape
	n, err := parse(text)
	if err == nil {
		shape, err = n.Shape(names)
	}
	if err != nil {
		panic(&Error{Pointer: v.Pointer(), At: err.At, Message: err.Message})
	}
	return n, shape
}

//go:noinline
func node(v jsondoc.Value, key string, names expr.Names) *expr.Node {
	n, _ := parsed(get(v, key), names, expr.Parse)
	return n
}

//go:noinline
func text(v jsondoc.Value, key string, names expr.Names) *expr.Node {
	n, _ := parsed(get(v, key), names, expr.ParseText)
	return n
}

func (l *loader) load(v jsondoc.Value) {
	d := l.d
	d.name, d.version, d.doc = str(get(v, "workflow")), cmp.Or(str(get(v, "version")), "0.0.0"), str(get(v, "doc"))
	l.loadRoots(v)
	l.loadDocuments(get(v, "documents"), get(v, "items"))
	for _, m := range get(v, "let").Members() {
		n, shape := parsed(m.Value, l.names, expr.Parse)
		l.define(m, shape, func(_ *run, s *state) *expr.Value { return n.Eval(s.scope) })
	}
	for _, m := range get(v, "items").Members() {
		l.loadKind(m)
	}
	l.loadProgress(get(v, "progress"))
	for _, k := range d.kinds {
		d.rules = append(d.rules, k.tables()...)
	}
	for _, m := range get(v, "rules").Members() {
		l.loadRule(m)
	}
	refuse(len(d.rules) == 0, v, "the declaration has no rules; add items or rules")
	l.loadBrief(get(v, "brief"))
}

// own matches stategate's own directory: its declarations may have the same names as state files.
const own = "**/.stategate/**"

// loadRoots reads where runs are. Without roots, that is every directory that contains the first document.
func (l *loader) loadRoots(v jsondoc.Value) {
	for _, r := range get(v, "roots").Elements() {
		root := sdk.Root{Dir: str(get(r, "dir")), Markers: globs(get(r, "has")), Except: globs(get(r, "not"))}
		if root.Dir != "." {
			globs(get(r, "dir"))
		} else { // match every directory, except those below the top
			root.Dir, root.Except = "**", append(root.Except, "[^.]*", ".?*")
		}
		root.Except = append(root.Except, own)
		l.d.roots = append(l.d.roots, root)
	}
	if len(l.d.roots) == 0 {
		first := get(v, "documents").Members()[0].Value
		l.d.roots = []sdk.Root{{Dir: "**", Except: []string{"**/node_modules", own},
			Markers: append(globs(get(first, "file")), globs(get(first, "files"))...)}}
	}
}

// formats maps the end of a file name to a format. Other files are text.
var formats = map[string]wire.Format{"json": sdk.JSON, "yaml": sdk.YAML, "yml": sdk.YAML, "yaml,yml": sdk.YAML,
	"yml,yaml": sdk.YAML, "md": sdk.Markdown, "markdown": sdk.Markdown}

func (l *loader) loadDocuments(v, items jsondoc.Value) {
	var keys []string // the fields of all documents and items
	for _, m := range append(v.Members(), items.Members()...) {
		keys = append(keys, strs(get(m.Value, "fields"))...)
	}
	l.names = l.names.With(expr.Base, nil)
	markdown := view.MarkdownShape(keys)
	for _, m := range v.Members() {
		file, schema, fields := get(m.Value, "file"), get(m.Value, "schema"), get(m.Value, "fields")
		x := &document{name: m.Key, names: truth(get(m.Value, "names")), many: !file.Exists()}
		if x.many {
			file = get(m.Value, "files")
		}
		glob := globs(file)[0]
		x.spec = sdk.DocumentSpec{Glob: glob, Need: sdk.Listed}
		refuse(!x.many && strings.ContainsAny(glob, "*?[{"), file, "file names one file; use files for a pattern")
		if !x.names {
			end := strings.TrimRight(glob[strings.LastIndexByte(glob, '.')+1:], "}")
			x.spec.Need, x.spec.Format = sdk.Content, formats[end]
		}
		data := x.spec.Format == sdk.JSON || x.spec.Format == sdk.YAML
		refuse(!data && (schema.Exists() || fields.Exists() && x.spec.Format != sdk.Markdown), m.Value,
			"only JSON and YAML documents can have a schema, and only they and Markdown documents can have fields")
		if schema.Exists() {
			x.spec.Schema, l.d.schemas[x.name] = x.name, schema.Raw()
		}
		shape := markdown
		if !expr.Unchecked && x.spec.Format != sdk.Markdown {
			shape = shapeOf(x, data, strs(fields))
		}
		if x.many {
			shape = expr.ListOfShape(shape)
		}
		l.define(m, shape, x.value)
		l.d.documents = append(l.d.documents, x)
	}
}

// shapeOf returns what is known about the values of a document that is not Markdown; data is true for JSON and YAML.
func shapeOf(x *document, data bool, fields []string) *expr.Shape {
	file := view.FileShape()
	switch {
	case data:
		shape := view.FieldsShape(fields, file)
		shape.Kind, shape.What = expr.Unknown, "list it in the document's fields"
		return shape
	case !x.names:
		file.Members["text"] = expr.Single
	}
	return file
}

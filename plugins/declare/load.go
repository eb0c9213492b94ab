package declare

import (
	"strings"

	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/plugins/declare/view"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/wire"
)

// An Error says what is wrong with a declaration.
type Error struct {
	Pointer string // of the value
	At      int    // byte in the string, or -1 if it is about the whole value
	Message string
}

func (e *Error) Error() string { return e.Pointer + ": " + e.Message }

// Load reads a declaration, which is valid JSON of the form that schemas/declare.schema.json describes; the host has
// checked both. The error is an *Error, about what a schema cannot say: names, and expressions.
func Load(text string) (d *Declaration, err error) {
	doc, e := jsondoc.Parse(text)
	if e != nil {
		return nil, &Error{At: -1, Message: e.Error()}
	}
	defer func() {
		if r := recover(); r != nil {
			bad, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			d, err = nil, bad
		}
	}()
	l := &loader{d: &Declaration{schemas: map[string]string{}}, names: expr.Names{Of: map[string]*expr.Shape{}},
		defined: map[string]bool{}}
	l.load(doc.Root())
	return l.d, nil
}

// A loader panics with an *Error.
type loader struct {
	d       *Declaration
	names   expr.Names
	keyed   []string // keys that Markdown documents use
	defined map[string]bool
}

func fail(v jsondoc.Value, message string) {
	panic(&Error{Pointer: v.Pointer(), At: -1, Message: message})
}

// get is a member. Inlined into every call it would make the guest 6 kB larger, and so would str.
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

// list returns the elements of a list, or the one value that stands for a list of it.
func list(v jsondoc.Value) []jsondoc.Value {
	if v.Exists() && v.Kind() != jsondoc.Array && v.Kind() != jsondoc.Null {
		return []jsondoc.Value{v}
	}
	return v.Elements()
}

// glob is a path or pattern that a host matches.
func glob(v jsondoc.Value) string {
	if !expr.Unchecked && v.Exists() {
		if err := wire.CheckGlob(str(v)); err != nil {
			fail(v, err.Error())
		}
	}
	return str(v)
}

func globs(v jsondoc.Value) (all []string) {
	for _, e := range list(v) {
		all = append(all, glob(e))
	}
	return all
}

func strs(v jsondoc.Value) (all []string) {
	for _, e := range list(v) {
		all = append(all, str(e))
	}
	return all
}

// define makes a name known to the expressions that follow.
func (l *loader) define(m jsondoc.Member, shape *expr.Shape) {
	if !expr.Unchecked && l.defined[m.Key] {
		fail(m.Value, m.Key+" is already the name of a document, a let or an item; use another name")
	}
	l.defined[m.Key] = true
	l.names = l.names.With(m.Key, shape)
}

// parsed panics with the error of an expression.
func parsed(v jsondoc.Value, err *expr.Error) {
	if err != nil {
		panic(&Error{Pointer: v.Pointer(), At: err.At, Message: err.Message})
	}
}

// expr reads an expression and checks every name in it. Of what is absent it returns nil.
func (l *loader) expr(v jsondoc.Value, names expr.Names) (*expr.Node, *expr.Shape) {
	text := v.Raw()
	switch v.Kind() {
	case jsondoc.Absent:
		return nil, nil
	case jsondoc.String:
		text = str(v)
	}
	n, err := expr.Parse(text)
	parsed(v, err)
	shape, err := n.Shape(names)
	parsed(v, err)
	return n, shape
}

func (l *loader) node(v jsondoc.Value, names expr.Names) *expr.Node {
	n, _ := l.expr(v, names)
	return n
}

func (l *loader) template(v jsondoc.Value, names expr.Names) *expr.Template {
	if !v.Exists() {
		return nil
	}
	t, err := expr.ParseTemplate(str(v))
	parsed(v, err)
	for _, n := range t.Expressions() {
		_, err = n.Shape(names)
		parsed(v, err)
	}
	return t
}

func (l *loader) load(v jsondoc.Value) {
	d := l.d
	d.name, d.version, d.doc = str(get(v, "workflow")), str(get(v, "version")), str(get(v, "doc"))
	if d.version == "" {
		d.version = "0.0.0"
	}
	l.loadRoots(v)
	l.loadDocuments(get(v, "documents"), get(v, "items"))
	for _, m := range get(v, "let").Members() {
		n, shape := l.expr(m.Value, l.names)
		l.define(m, shape)
		d.lets = append(d.lets, named{m.Key, n})
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
	if !expr.Unchecked && len(d.rules) == 0 {
		fail(v, "the declaration has no rules; add items or rules")
	}
	l.loadBrief(get(v, "brief"))
}

// own is stategate's own directory, whose declarations may be called like state files.
const own = "**/.stategate/**"

// loadRoots reads where runs are: without roots, every directory that has the first document.
func (l *loader) loadRoots(v jsondoc.Value) {
	for _, r := range get(v, "roots").Elements() {
		root := sdk.Root{Dir: str(get(r, "dir")), Markers: globs(get(r, "has")),
			Except: append(globs(get(r, "not")), own)}
		if root.Dir != "." {
			glob(get(r, "dir"))
		} else { // every directory but those below the top
			root.Dir, root.Except = "**", append(root.Except, "[^.]*", ".?*")
		}
		l.d.roots = append(l.d.roots, root)
	}
	if len(l.d.roots) > 0 {
		return
	}
	for _, m := range get(v, "documents").Members() {
		l.d.roots = []sdk.Root{{Dir: "**", Markers: []string{glob(get(m.Value, "file")) + glob(get(m.Value, "files"))},
			Except: []string{"**/node_modules", own}}}
		return
	}
}

func (l *loader) loadDocuments(v, items jsondoc.Value) {
	for _, m := range append(v.Members(), items.Members()...) {
		l.keyed = append(l.keyed, strs(get(m.Value, "fields"))...)
	}
	l.names = l.names.With(expr.Base, nil)
	markdown := view.MarkdownShape(view.Keyed(l.keyed))
	for _, m := range v.Members() {
		file := get(m.Value, "file")
		x := &document{name: m.Key, names: truth(get(m.Value, "names")), many: !file.Exists()}
		if x.many {
			file = get(m.Value, "files")
		}
		x.spec = sdk.DocumentSpec{Glob: glob(file), Need: sdk.Content}
		if !expr.Unchecked && !x.many && strings.ContainsAny(x.spec.Glob, "*?[{") {
			fail(file, "file names one file; use files for a pattern")
		}
		if x.names {
			x.spec.Need = sdk.Listed
		} else {
			x.spec.Format = formatOf(x.spec.Glob)
		}
		schema, fields := get(m.Value, "schema"), get(m.Value, "fields")
		data := x.spec.Format == sdk.JSON || x.spec.Format == sdk.YAML
		if !expr.Unchecked && !data && (schema.Exists() || fields.Exists() && x.spec.Format != sdk.Markdown) {
			fail(m.Value,
				"only JSON and YAML documents can have a schema, and only they and Markdown documents can have fields")
		}
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
		l.define(m, shape)
		l.d.documents = append(l.d.documents, x)
	}
}

func formatOf(glob string) wire.Format {
	switch ext := strings.TrimRight(glob[strings.LastIndexByte(glob, '.')+1:], "}"); ext {
	case "json":
		return sdk.JSON
	case "yaml", "yml", "yaml,yml", "yml,yaml":
		return sdk.YAML
	case "md", "markdown":
		return sdk.Markdown
	}
	return sdk.Text
}

// shapeOf is what is known of the values of a document, in data or another text.
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

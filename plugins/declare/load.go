package declare

import (
	"slices"
	"strings"

	"github.com/stategate/stategate/plugins/declare/expr"
	"github.com/stategate/stategate/plugins/declare/view"
	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/jsondoc"
	"github.com/stategate/stategate/sdk/say"
	"github.com/stategate/stategate/sdk/wire"
)

// An Error says what is wrong with a declaration.
type Error struct {
	Pointer string // of the value
	Key     bool   // it is about the key of the value
	At      int    // byte in the string, -1 if it is about the whole value
	Message string
}

func (e *Error) Error() string { return e.Pointer + ": " + e.Message }

// Load reads a declaration. The error is an *Error.
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
	d     *Declaration
	names expr.Names
	keyed []string // keys that Markdown documents use

	defined map[string]bool
}

func fail(v jsondoc.Value, message string) {
	panic(&Error{Pointer: v.Pointer(), At: -1, Message: message})
}

// members returns the members of an object, which must be known.
func members(v jsondoc.Value, known ...string) []jsondoc.Member {
	if expr.Unchecked {
		return v.Members()
	}
	if v.Exists() && v.Kind() != jsondoc.Object {
		fail(v, "found "+kindOf(v)+", expected an object")
	}
	for _, m := range v.Members() {
		if len(known) > 0 && !slices.Contains(known, m.Key) {
			message := m.Key + " is not known here" + expr.Nearest(m.Key, known)
			if message[len(message)-1] != '?' {
				message += "; expected " + strings.Join(known, ", ")
			}
			panic(&Error{Pointer: m.Value.Pointer(), Key: true, At: -1, Message: message})
		}
	}
	return v.Members()
}

func kindOf(v jsondoc.Value) string {
	switch k := v.Kind(); k {
	case jsondoc.Null, jsondoc.Absent:
		return "nothing"
	case jsondoc.Array, jsondoc.Object:
		return "an " + k.String()
	default:
		return "a " + k.String()
	}
}

func need(v jsondoc.Value, key string) jsondoc.Value {
	m := v.Get(key)
	if !m.Exists() {
		fail(v, key+" is missing")
	}
	return m
}

// str reads a string, "" for what is absent.
func str(v jsondoc.Value) string {
	if !v.Exists() {
		return ""
	}
	s, ok := v.Text()
	if !ok {
		fail(v, "found "+kindOf(v)+", expected a string"+quoteIt(v))
	}
	if s == "" {
		fail(v, "found an empty string")
	}
	return s
}

// quoteIt helps with what YAML reads as another kind of value.
func quoteIt(v jsondoc.Value) string {
	switch v.Kind() {
	case jsondoc.Object, jsondoc.Array, jsondoc.Bool, jsondoc.Number:
		return "; put it in quotes if it is one"
	}
	return ""
}

func strs(v jsondoc.Value) (list []string) {
	switch v.Kind() {
	case jsondoc.Absent:
	case jsondoc.String:
		return []string{str(v)}
	case jsondoc.Array:
		for _, e := range v.Elements() {
			list = append(list, str(e))
		}
	default:
		fail(v, "found "+kindOf(v)+", expected a list of strings")
	}
	return list
}

func truth(v jsondoc.Value) bool {
	b, ok := v.Bool()
	if v.Exists() && !ok {
		fail(v, "found "+kindOf(v)+", expected true or false")
	}
	return b
}

// identifier reads the key of a member as a name that expressions can use.
func identifier(m jsondoc.Member) string {
	if expr.Unchecked {
		return m.Key
	}
	n, err := expr.Parse(m.Key)
	if err != nil || n.Name() != m.Key || slices.Contains(reserved, m.Key) {
		panic(&Error{Pointer: m.Value.Pointer(), Key: true, At: -1, Message: say.Quote(m.Key) +
			" cannot be a name here; use letters, digits and underscores, and none of " + strings.Join(reserved, ", ")})
	}
	return m.Key
}

// reserved are the names that a run binds itself.
var reserved = []string{"it", "old", expr.Base, "root", "true", "false", "null", "in"}

// define makes a name known to the expressions that follow.
func (l *loader) define(m jsondoc.Member, shape *expr.Shape) {
	name := identifier(m)
	if !expr.Unchecked && l.defined[name] {
		panic(&Error{Pointer: m.Value.Pointer(), Key: true, At: -1,
			Message: name + " is the name of a document, a let or an item already; use another"})
	}
	l.defined[name] = true
	l.names = l.names.With(name, shape)
}

// expr reads an expression and checks every name in it. Of what is absent it returns nil.
func (l *loader) expr(v jsondoc.Value, names expr.Names) (*expr.Node, *expr.Shape) {
	switch v.Kind() {
	case jsondoc.Absent:
		return nil, nil
	case jsondoc.Bool, jsondoc.Number:
		n, _ := expr.Parse(v.Raw())
		return n, nil
	}
	s := str(v)
	n, err := expr.Parse(s)
	var shape *expr.Shape
	if err == nil {
		shape, err = n.Shape(names)
	}
	if err != nil {
		panic(&Error{Pointer: v.Pointer(), At: err.At, Message: err.Message})
	}
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
	if err == nil {
		for _, n := range t.Expressions() {
			if _, err = n.Shape(names); err != nil {
				break
			}
		}
	}
	if err != nil {
		panic(&Error{Pointer: v.Pointer(), At: err.At, Message: err.Message})
	}
	return t
}

func (l *loader) load(v jsondoc.Value) {
	d := l.d
	members(v, "declare", "workflow", "version", "doc", "roots", "documents", "let", "items", "phases", "claimed",
		"progress", "rules", "brief")
	if n, ok := need(v, "declare").Int(); !ok || n != Language {
		fail(v.Get("declare"), "found "+v.Get("declare").Raw()+", expected "+say.Int(Language)+
			", the version of the language")
	}
	d.name, d.version, d.doc = str(need(v, "workflow")), str(v.Get("version")), str(need(v, "doc"))
	if !wire.IsName(d.name) {
		fail(v.Get("workflow"), say.Quote(d.name)+" is not a valid name; use lowercase words joined by hyphens")
	}
	if d.version == "" {
		d.version = "0.0.0"
	}
	l.loadRoots(v.Get("roots"), need(v, "documents"))
	l.loadDocuments(need(v, "documents"), v.Get("items"))
	for _, m := range members(v.Get("let")) {
		n, shape := l.expr(m.Value, l.names)
		l.define(m, shape)
		d.lets = append(d.lets, named{m.Key, n})
	}
	for _, m := range members(v.Get("items")) {
		l.loadKind(m)
	}
	l.loadPhases(v)
	for _, k := range d.kinds {
		d.rules = append(d.rules, k.tables()...)
	}
	for _, m := range members(v.Get("rules")) {
		l.loadRule(m)
	}
	if len(d.rules) == 0 {
		fail(v, "it has no rules; give an item a key, or add rules")
	}
	l.loadBrief(v.Get("brief"))
}

// loadRoots reads where runs are: without roots, every directory that has the first document.
func (l *loader) loadRoots(v, documents jsondoc.Value) {
	for _, r := range list(v) {
		members(r, "dir", "has", "not")
		root := sdk.Root{Dir: str(need(r, "dir")), Markers: strs(need(r, "has")), Except: strs(r.Get("not"))}
		if root.Dir == "." {
			fail(r.Get("dir"), `found ".", expected a pattern; "**" is the top and every directory below it`)
		}
		l.d.roots = append(l.d.roots, root)
	}
	if all := members(documents); len(l.d.roots) == 0 && len(all) > 0 {
		first := all[0].Value.Get("file")
		if !first.Exists() {
			first = need(all[0].Value, "files")
		}
		l.d.roots = []sdk.Root{{Dir: "**", Markers: []string{str(first)}, Except: []string{"**/node_modules"}}}
	}
}

func (l *loader) loadDocuments(v, items jsondoc.Value) {
	for _, m := range members(v) {
		members(m.Value, "file", "files", "names", "schema", "fields")
		l.keyed = append(l.keyed, strs(m.Value.Get("fields"))...)
	}
	for _, m := range members(items) {
		if m.Value.Kind() == jsondoc.Object {
			l.keyed = append(l.keyed, strs(m.Value.Get("fields"))...)
		}
	}
	l.names = l.names.With(expr.Base, nil).With("root", expr.Single)
	markdown := view.MarkdownShape(view.Keyed(l.keyed))
	for _, m := range v.Members() {
		x := &document{name: m.Key, names: truth(m.Value.Get("names"))}
		glob := m.Value.Get("file")
		if x.many = !glob.Exists(); x.many {
			if glob = m.Value.Get("files"); !glob.Exists() {
				fail(m.Value, "file or files is missing")
			}
		} else if m.Value.Get("files").Exists() {
			fail(m.Value, "use only one of file and files")
		}
		x.spec = sdk.DocumentSpec{Glob: str(glob), Need: sdk.Content}
		if !x.many && strings.ContainsAny(x.spec.Glob, "*?[{") {
			fail(glob, "file is one file; write files for a pattern")
		}
		l.form(x, m.Value, markdown)
		shape := x.shape
		if x.many {
			shape = expr.ListOfShape(shape)
		}
		l.define(m, shape)
		l.d.documents = append(l.d.documents, x)
	}
}

// form sets the format of a document and what is known of it.
func (l *loader) form(x *document, v jsondoc.Value, markdown *expr.Shape) {
	schema, fields := v.Get("schema"), v.Get("fields")
	data := false
	switch glob := x.spec.Glob; {
	case x.names:
		x.spec.Need = sdk.Listed
	case strings.HasSuffix(glob, ".json"):
		x.spec.Format, data = sdk.JSON, true
	case strings.HasSuffix(glob, ".yaml"), strings.HasSuffix(glob, ".yml"), strings.HasSuffix(glob, ".{yml,yaml}"),
		strings.HasSuffix(glob, ".{yaml,yml}"):
		x.spec.Format, data = sdk.YAML, true
	case strings.HasSuffix(glob, ".md"), strings.HasSuffix(glob, ".markdown"):
		x.spec.Format = sdk.Markdown
		fields = jsondoc.Value{}
	}
	if !data && (schema.Exists() || fields.Exists()) {
		fail(v, "only JSON and YAML documents have a schema or fields, and Markdown documents fields")
	}
	if schema.Exists() {
		x.spec.Schema, l.d.schemas[x.name] = x.name, schema.Raw()
	}
	if !expr.Unchecked {
		x.shape = shapeOf(x, schema, fields, markdown)
	}
}

// shapeOf is what is known of the values of a document.
func shapeOf(x *document, schema, fields jsondoc.Value, markdown *expr.Shape) *expr.Shape {
	file := view.FileShape()
	switch x.spec.Format {
	case sdk.Markdown:
		return markdown
	case sdk.JSON, sdk.YAML:
		var shape *expr.Shape
		if schema.Exists() {
			shape = view.SchemaShape(schema)
		}
		if fields.Exists() {
			shape = view.FieldsShape(strs(fields), shape)
		}
		if shape == nil || shape.Kind == expr.Map || shape.Kind == expr.Unknown {
			shape = view.FieldsShape(nil, shape)
			for name, of := range file.Members {
				if _, own := shape.Members[name]; !own {
					shape.Members[name] = of
				}
			}
		}
		if shape.What = "list it in fields of the document, or in its schema"; shape.Elem == nil {
			shape.Elem = shape
		}
		return shape
	}
	if !x.names {
		file.Members["text"] = expr.Single
	}
	return file
}

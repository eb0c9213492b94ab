package snapshot

import (
	"bytes"
	"fmt"
	"sort"
	"strings"

	"github.com/stategate/stategate/sdk/engine/edit"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/wire"
)

// MaxContent is the default of Builder.MaxContent: 4 MiB.
const MaxContent = 4 << 20

// A Builder builds a plugin's requests.
type Builder struct {
	// MaxContent is the maximum size, in bytes, of a document whose content is passed to the plugin. A larger
	// document is summarized, with a too-large fault. Zero means the constant MaxContent.
	MaxContent int

	manifest *wire.Manifest
	schemas  *schemaSet
	probes   []probeSet // by index of the document spec
}

// NewBuilder compiles a manifest's schemas and probes. It returns an error for a schema that refers to anything
// except the manifest's own schemas. Compiling a hostile schema may take forever, so a host calls it with a
// deadline.
func NewBuilder(m *wire.Manifest) (*Builder, error) {
	schemas, err := compileSchemas(m)
	if err != nil {
		return nil, err
	}
	probes, err := compileProbes(m.Documents)
	if err != nil {
		return nil, err
	}
	return &Builder{manifest: m, schemas: schemas, probes: probes}, nil
}

// Build builds one request with a new Builder.
func Build(m *wire.Manifest, in Input) (*wire.Request, error) {
	b, err := NewBuilder(m)
	if err != nil {
		return nil, err
	}
	return b.Build(in)
}

// CheckOptions validates options, a JSON text or "", with the plugin's schema. The error is an *OptionsError.
func (b *Builder) CheckOptions(options string) error {
	return b.schemas.checkOptions(options, b.manifest.Options)
}

// Build builds the request for an instance. Faults in its documents are data in the request. An error means that
// the options do not match the plugin's schema, or that a file refers to a document spec that does not exist.
func (b *Builder) Build(in Input) (*wire.Request, error) {
	if err := b.schemas.checkOptions(in.Options, b.manifest.Options); err != nil {
		return nil, err
	}
	return b.Rebuild(Input{}, &wire.Request{}, in)
}

// Rebuild is like Build but reuses the results of an earlier input with the same options: it does not interpret
// unchanged files again.
func (b *Builder) Rebuild(was Input, built *wire.Request, in Input) (*wire.Request, error) {
	r := &wire.Request{
		Root: in.Root, Name: in.Name, Source: in.Source, Now: instant.Of(in.Now), Options: in.Options,
		Unseen: in.Unseen, Answers: in.Answers, NoResume: in.NoResume,
		Base: wire.Base{State: in.Base.State, Root: in.Base.Root, Answers: in.Base.Answers},
	}
	var err error
	if r.Documents, err = b.documents(in.Files, nil, index(was.Files, built.Documents)); err != nil {
		return nil, err
	}
	r.Base.Documents, err = b.documents(in.Base.Files, index(in.Files, r.Documents),
		index(was.Base.Files, built.Base.Documents))
	return r, err
}

// documents builds the documents of files. For a file that equals a present or previously built one, it reuses the
// result.
func (b *Builder) documents(files []File, present, before map[string]builtFile) ([]wire.Document, error) {
	list := make([]wire.Document, 0, len(files))
	for i := range files {
		f := &files[i]
		if f.Spec < 0 || f.Spec >= len(b.manifest.Documents) {
			return nil, fmt.Errorf("build the snapshot: %s names document spec %d of %d", f.Path, f.Spec,
				len(b.manifest.Documents))
		}
		doc, same := unchangedIn(present, f)
		if !same {
			var ok bool
			if doc, ok = unchangedIn(before, f); !ok {
				doc = b.document(f)
				shorten(doc.Faults)
			}
		}
		doc.Same = same
		list = append(list, doc)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Path < list[j].Path })
	return list, nil
}

// unchangedIn returns the document that was built from the same file before.
func unchangedIn(files map[string]builtFile, f *File) (wire.Document, bool) {
	if p, ok := files[f.Path]; ok && p.doc != nil && unchanged(f, p.file) {
		return *p.doc, true
	}
	return wire.Document{}, false
}

// shorten cuts messages to the limit for a plugin's messages, because they may quote a document.
func shorten(faults []wire.DocumentFault) {
	for i := range faults {
		faults[i].Message = cut(faults[i].Message, wire.MaxText)
	}
}

type builtFile struct {
	file *File
	doc  *wire.Document
}

func index(files []File, built []wire.Document) map[string]builtFile {
	docs := make(map[string]*wire.Document, len(built))
	for i := range built {
		docs[strings.TrimSuffix(built[i].Path, "/")] = &built[i]
	}
	found := make(map[string]builtFile, len(files))
	for i := range files {
		found[files[i].Path] = builtFile{&files[i], docs[strings.TrimSuffix(files[i].Path, "/")]}
	}
	return found
}

func unchanged(a, b *File) bool {
	return a.Kind == Regular && b.Kind == Regular && a.Spec == b.Spec && a.Size == b.Size && a.Data != nil &&
		b.Data != nil && bytes.Equal(a.Data, b.Data)
}

func (b *Builder) document(f *File) wire.Document {
	spec := &b.manifest.Documents[f.Spec]
	doc := wire.Document{Path: f.Path, Format: spec.Format, Need: spec.Need, Size: f.Size, Ignored: f.Ignored}
	if strings.HasSuffix(spec.Glob, "/") && f.Kind == Directory {
		doc.Path, doc.Dir, doc.Need = strings.TrimSuffix(f.Path, "/")+"/", true, wire.Listed
		return doc
	}
	if f.Kind != Regular {
		doc.Need = wire.Listed
		doc.Faults = []wire.DocumentFault{notAFile(f)}
		return doc
	}
	if spec.Need == wire.Listed {
		return doc
	}
	b.read(&doc, f, spec)
	return doc
}

// read fills in the fields that depend on the content.
func (b *Builder) read(doc *wire.Document, f *File, spec *wire.DocumentSpec) {
	if f.TooLarge {
		doc.Need = wire.Listed
		doc.Faults = append(doc.Faults, tooLarge(doc.Need, f.Size, 0))
		return
	}
	if spec.Need == wire.Content && len(f.Data) > b.maxContent() {
		doc.Need = wire.Summary
		doc.Faults = append(doc.Faults, tooLarge(doc.Need, f.Size, b.maxContent()))
	}
	text, mark, fault := decode(f.Data)
	if spec.Format == wire.Markdown || spec.Format == wire.Text {
		text = edit.EndLines(text)
	}
	doc.BOM, doc.Digest = mark, digest(text, spec.Format)
	if fault != nil && (doc.Need == wire.Content || spec.Format == wire.Markdown) {
		doc.Faults = append(doc.Faults, *fault)
	}
	if fault == nil {
		doc.Faults = append(doc.Faults, conflict(text, doc)...)
	}
	doc.Summary = summarize(text, spec, b.probes[f.Spec], doc.Need)
	if doc.Need != wire.Content || fault != nil {
		return
	}
	doc.Text = text
	b.interpret(doc, spec)
}

// interpret examines the text of a content document.
func (b *Builder) interpret(doc *wire.Document, spec *wire.DocumentSpec) {
	switch spec.Format {
	case wire.JSON:
		doc.Faults = append(doc.Faults, b.checkJSON(doc.Text, spec)...)
	case wire.YAML:
		doc.YAML, doc.Text = doc.Text, ""
		b.checkYAML(doc, spec)
	case wire.JSONLines:
		doc.Faults = append(doc.Faults, b.checkJSONLines(doc.Text, spec)...)
	case wire.Markdown:
		outline(doc)
	}
}

func (b *Builder) maxContent() int {
	if b.MaxContent > 0 {
		return b.MaxContent
	}
	return MaxContent
}

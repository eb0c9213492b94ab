package wasmfile

import (
	"github.com/stategate/stategate/host/fault"
)

// ManifestSection is the name of the custom section that holds a plugin's manifest.
const ManifestSection = "stategate.manifest"

// Manifest returns the content of the manifest section of wasm, not copied. It reads section heads only. Without a
// section, with two, or with one of more than limit bytes the failure says how to cure it.
func Manifest(wasm []byte, limit int64) ([]byte, error) {
	sections, err := readSections(wasm)
	if err != nil {
		return nil, err
	}
	content, found, err := custom(wasm, sections, ManifestSection)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, fault.Newf(fault.ABI, "it has no custom section %q; write one with `stategate plugin pack`", ManifestSection)
	}
	if int64(len(content)) > limit {
		return nil, fault.Newf(fault.Limit, "its manifest has %d bytes, at most %d are allowed", len(content), limit)
	}
	return content, nil
}

// WithManifest returns a copy of wasm whose manifest section holds manifest: an old one is left out, the new one stands
// last. Everything else stays byte for byte, so that writing the same manifest twice changes nothing.
func WithManifest(wasm, manifest []byte) ([]byte, error) {
	sections, err := readSections(wasm)
	if err != nil {
		return nil, err
	}
	out := append(make([]byte, 0, len(wasm)+len(manifest)+64), header...)
	for _, s := range sections {
		if s.id != 0 || s.customName != ManifestSection {
			out = append(out, wasm[s.start:s.end]...)
		}
	}
	return appendSection(out, 0, append(appendName(nil, ManifestSection), manifest...)), nil
}

func appendSection(out []byte, id byte, content []byte) []byte {
	return append(appendU32(append(out, id), uint32(len(content))), content...)
}

// Redirect returns the module with its imported functions taken from the module that to names for each; "" leaves
// an import where it is. The file's own bytes are not changed; without any change they are returned.
func (f *File) Redirect(to func(Import) string) []byte {
	changed := false
	targets := make([]string, len(f.Imports))
	for i, imp := range f.Imports {
		targets[i] = imp.Module
		if t := to(imp); t != "" && imp.Kind == Func {
			targets[i], changed = t, true
		}
	}
	if !changed {
		return f.wasm
	}
	out := append(make([]byte, 0, len(f.wasm)+4096), header...)
	for _, s := range f.sections {
		if s.id == 2 {
			out = appendSection(out, 2, f.imports(s, targets))
			continue
		}
		out = append(out, f.wasm[s.start:s.end]...)
	}
	return out
}

// imports writes the import section again, with other module names.
func (f *File) imports(s section, targets []string) []byte {
	r := &reader{buf: f.wasm[:s.end], pos: s.body}
	out := appendU32(nil, r.u32())
	for _, target := range targets {
		r.name()
		out = appendName(out, target)
		start := r.pos
		skipImport(r)
		out = append(out, f.wasm[start:r.pos]...)
	}
	return out
}

// skipImport passes over an import after its module's name.
func skipImport(r *reader) {
	r.name()
	switch ExternKind(r.byte()) {
	case Func:
		r.u32()
	case Table:
		r.byte()
		skipLimits(r)
	case Memory:
		skipLimits(r)
	case Global:
		r.skip(2)
	}
}

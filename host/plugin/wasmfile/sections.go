package wasmfile

// readSection reads one of the sections whose content matters from outside.
func (f *File) readSection(id byte, r *reader) error {
	var one func(*reader)
	switch id {
	case 1:
		one = f.readType
	case 2:
		one = f.readImport
	case 3:
		one = f.readFunction
	case 5:
		one = func(r *reader) { f.readLimits(r) }
	case 7:
		one = f.readExport
	default:
		return nil
	}
	return eachItem(id, r, one)
}

// eachItem reads a vector. Every item takes at least a byte, so that a lying count ends with the section.
func eachItem(id byte, r *reader, one func(*reader)) error {
	count := r.u32()
	for i := uint32(0); i < count && !r.failed; i++ {
		one(r)
	}
	if r.failed || r.pos != len(r.buf) {
		return malformed("section %d cannot be read (byte %d)", id, r.pos)
	}
	return nil
}

func (f *File) readType(r *reader) {
	if r.byte() != 0x60 {
		r.failed = true
		return
	}
	f.types = append(f.types, Signature{Params: r.bytes(), Results: r.bytes()})
}

func (f *File) readImport(r *reader) {
	i := Import{Module: r.name(), Name: r.name(), Kind: ExternKind(r.byte())}
	switch i.Kind {
	case Func:
		index := r.u32()
		i.Type = f.typeAt(r, index)
		f.funcs = append(f.funcs, index)
	case Table:
		r.byte()
		skipLimits(r)
	case Memory:
		f.readLimits(r)
	case Global:
		r.skip(2)
	default:
		r.failed = true
	}
	f.Imports = append(f.Imports, i)
}

func (f *File) readFunction(r *reader) {
	index := r.u32()
	f.typeAt(r, index)
	f.funcs = append(f.funcs, index)
	f.Functions++
}

func (f *File) readExport(r *reader) {
	e := Export{Name: r.name(), Kind: ExternKind(r.byte())}
	e.index = r.u32()
	if e.Kind > Global {
		r.failed = true
	}
	f.Exports = append(f.Exports, e)
}

// readLimits reads the type of a memory.
func (f *File) readLimits(r *reader) {
	f.MinPages = skipLimits(r)
	f.Memories++
}

func skipLimits(r *reader) (least uint64) {
	flags := r.byte()
	if flags > 3 { // 1: has a maximum, 2: shared; 64-bit memories are beyond what the engine runs
		r.failed = true
	}
	least = uint64(r.u32())
	if flags&1 != 0 {
		r.u32()
	}
	return least
}

// typeAt returns the signature with that index; r fails if there is none.
func (f *File) typeAt(r *reader, index uint32) Signature {
	if r.failed || int64(index) >= int64(len(f.types)) {
		r.failed = true
		return Signature{}
	}
	return f.types[index]
}

// resolve returns every exported function its signature.
func (f *File) resolve() error {
	for i := range f.Exports {
		e := &f.Exports[i]
		if e.Kind != Func {
			continue
		}
		if int64(e.index) >= int64(len(f.funcs)) {
			return malformed("export %q names function %d of %d", e.Name, e.index, len(f.funcs))
		}
		e.Type = f.types[f.funcs[e.index]]
	}
	return nil
}

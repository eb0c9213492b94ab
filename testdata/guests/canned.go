package guests

// Chunk is a piece of an answer, repeated. Times 0 means once.
type Chunk struct {
	Text  string
	Times int
}

// Canned describes a guest that gives fixed answers, whatever the request.
type Canned struct {
	Manifest string  // describe's answer and the custom section; "" means no custom section
	Report   []Chunk // examine's answer
	Second   []Chunk // every second answer, if not nil; it answers the trial of the first answer's remedies
	NoOutput bool    // examine sets no output at all and returns 0
	Stderr   string  // examine writes this first
	Exit     int     // examine ends with this exit code + 1 instead of returning; 0 returns
	Panic    bool    // examine ends with a trap
}

// Report returns a whole answer in one chunk.
func Report(text string) []Chunk { return []Chunk{{Text: text}} }

// pageOf is the memory page where a canned guest's answers begin. The memory before it holds WASI arguments.
const pageOf = 1 << 16

// Bytes returns the guest's module.
func (c Canned) Bytes() []byte {
	m := NewModule()
	k := kernel(m)
	exit := m.Import("wasi_snapshot_preview1", "proc_exit", []byte{I32}, nil)
	write := m.Import("wasi_snapshot_preview1", "fd_write", []byte{I32, I32, I32, I32}, []byte{I32})

	place := pageOf
	put := func(text string) (offset int) {
		offset = place
		m.Data(place, []byte(text))
		place += (len(text) + 7) / 8 * 8
		return offset
	}
	describe := k.answer(put, Report(c.Manifest))
	var examine []byte
	if c.Stderr != "" {
		m.Data(0, join(le32(put(c.Stderr)), le32(len(c.Stderr))))
		examine = join(Const32(2), Const32(0), Const32(1), Const32(8), Call(write), Drop)
	}
	switch {
	case c.NoOutput:
	case c.Second != nil:
		examine = join(examine, turn, If(k.answer(put, c.Report), k.answer(put, c.Second)))
	default:
		examine = join(examine, k.answer(put, c.Report))
	}
	switch {
	case c.Panic:
		examine = join(examine, Unreachable)
	case c.Exit > 0:
		examine = join(examine, Const32(c.Exit-1), Call(exit), Unreachable)
	}
	m.Memory(place>>16+1, 0).ExportMemory()
	plugin(m,
		m.Func(nil, []byte{I32}, answerLocals, describe, Const32(0)),
		m.Func(nil, []byte{I32}, answerLocals, examine, Const32(0)))
	if c.Manifest != "" {
		m.Custom("stategate.manifest", []byte(c.Manifest))
	}
	return m.Bytes()
}

// turn pushes 1 and 0 by turns, beginning with 1, and keeps the last value in memory.
var turn = join(
	Const32(turnAt), Const32(turnAt), I32Load, Const32(1), I32Xor, I32Store,
	Const32(turnAt), I32Load)

const turnAt = 64

func le32(n int) []byte { return []byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)} }

// plugin adds the exports that every plugin needs.
func plugin(m *Module, describe, examine int) {
	m.Export("describe", describe).Export("examine", examine)
	m.Export("stategate_abi_1", m.Func(nil, nil, 0))
}

// kernelIndexes holds the indexes of the imported functions that an answer needs.
type kernelIndexes struct{ alloc, store, storeByte, output int }

func kernel(m *Module) kernelIndexes {
	env := func(name string, params, results []byte) int {
		return m.Import("extism:host/env", name, params, results)
	}
	return kernelIndexes{
		alloc:     env("alloc", []byte{I64}, []byte{I64}),
		store:     env("store_u64", []byte{I64, I64}, nil),
		storeByte: env("store_u8", []byte{I64, I32}, nil),
		output:    env("output_set", []byte{I64, I64}, nil),
	}
}

// These are the locals of an answering function.
const (
	block  = iota // offset of the block in the kernel's memory
	cursor        // position of the next byte in the block
	round         // repetitions of the current chunk
	source        // position of the next byte in the guest's memory
	answerLocals
)

// answer returns code that copies chunks to the kernel and sets them as the output.
func (k kernelIndexes) answer(put func(string) int, chunks []Chunk) []byte {
	total := 0
	var copies []byte
	for _, c := range chunks {
		times := max(c.Times, 1)
		total += len(c.Text) * times
		if len(c.Text) > 0 {
			copies = join(copies, k.copyTimes(put(c.Text), len(c.Text), times))
		}
	}
	return join(
		Const64(total+8), Call(k.alloc), Set(block), // 8 more, because it copies whole words
		Get(block), Set(cursor),
		copies,
		Get(block), Const64(total), Call(k.output),
	)
}

// copyTimes copies a text several times, word by word. The next copy overwrites the bytes after the text in the last
// word.
func (k kernelIndexes) copyTimes(offset, size, times int) []byte {
	return join(
		Const64(0), Set(round),
		Loop(
			Const64(offset), Set(source),
			Loop(
				Get(cursor), Get(source), Const64(offset), I64Sub, I64Add,
				Get(source), I32WrapI64, I64Load,
				Call(k.store),
				Get(source), Const64(8), I64Add, Set(source),
				Get(source), Const64(offset+size), I64LtU, AgainIf,
			),
			Get(cursor), Const64(size), I64Add, Set(cursor),
			Get(round), Const64(1), I64Add, Set(round),
			Get(round), Const64(times), I64LtU, AgainIf,
		),
	)
}

package wire

import (
	"errors"
	"slices"
	"strconv"
)

// MaxRequest is the maximum size of a request, in bytes.
const MaxRequest = 48 << 20

const (
	lengthSize = 4  // of the header's length
	alignment  = 4  // of the attachment and of each outline in it
	nodeSize   = 20 // of one outline node
)

// EncodeRequest returns the input of examine: the length of the header, the header and the attachment. Equal
// requests produce equal bytes. The documents must be sorted by path. Callers must not send more than MaxRequest
// bytes.
func EncodeRequest(r *Request) []byte { return AppendRequest(nil, r) }

// AppendRequest appends the result of EncodeRequest to dst.
func AppendRequest(dst []byte, r *Request) []byte {
	start := len(dst) + lengthSize
	c := &coder{out: append(dst, make([]byte, lengthSize)...)}
	c.value(r)
	for (len(c.out)-start)%alignment != 0 {
		c.out = append(c.out, ' ')
	}
	n := len(c.out) - start
	data := slices.Grow(c.out, c.length)[:len(c.out)+c.length]
	data[start-4], data[start-3], data[start-2], data[start-1] = byte(n), byte(n>>8), byte(n>>16), byte(n>>24)
	attached := data[start+n:]
	at := 0
	for _, p := range c.pieces {
		clear(attached[at:p.offset])
		at = p.offset + copy(attached[p.offset:], p.data)
	}
	return data
}

// DecodeRequest parses a request. Texts and outlines are slices of data, which must not change while they are in
// use. Base documents that were sent as "same" are filled in and have Same set.
//
// All strings in the header share one copy of it.
func DecodeRequest(data []byte) (*Request, error) {
	header, attached, err := split(data)
	if err != nil {
		return nil, err
	}
	// The host is trusted not to exhaust memory, because its limits count bytes, not elements.
	c := &coder{in: &reader{data: string(header)}, elements: len(header) + 1, attached: attached}
	r := &Request{}
	c.value(r)
	if err := c.in.finish("request"); err != nil {
		return nil, err
	}
	if err := r.complete(); err != nil {
		return nil, errors.New("decode request: " + err.Error())
	}
	return r, nil
}

func split(data []byte) (header, attached []byte, err error) {
	if len(data) > MaxRequest {
		return nil, nil, errors.New("decode request: found " + strconv.Itoa(len(data)) + " bytes, expected at most " +
			strconv.Itoa(MaxRequest))
	}
	if len(data) < lengthSize {
		return nil, nil, errors.New("decode request: found " + strconv.Itoa(len(data)) +
			" bytes, expected the length of the header in 4")
	}
	n := uint32(data[0]) | uint32(data[1])<<8 | uint32(data[2])<<16 | uint32(data[3])<<24
	rest := data[lengthSize:]
	if uint64(n) > uint64(len(rest)) {
		return nil, nil, errors.New("decode request: found " + strconv.Itoa(len(rest)) +
			" bytes after the length, expected a header of " + strconv.FormatUint(uint64(n), 10))
	}
	return rest[:n], rest[n:len(rest):len(rest)], nil
}

// complete checks the order of the documents and fills in base documents that have not changed. Both lists are
// sorted, so it finds the pairs in a single pass.
func (r *Request) complete() error {
	if err := sorted("documents", r.Documents); err != nil {
		return err
	}
	if err := sorted("base.documents", r.Base.Documents); err != nil {
		return err
	}
	next := 0
	for i := range r.Base.Documents {
		d := &r.Base.Documents[i]
		if !d.Same {
			continue
		}
		for next < len(r.Documents) && r.Documents[next].Path < d.Path {
			next++
		}
		if next == len(r.Documents) || r.Documents[next].Path != d.Path {
			return errors.New("base.documents[" + strconv.Itoa(i) + "].same: found " + shown(d.Path) +
				", expected the path of a present document")
		}
		*d = r.Documents[next]
		d.Same = true
	}
	return nil
}

func sorted(name string, docs []Document) error {
	for i := 1; i < len(docs); i++ {
		if docs[i-1].Path >= docs[i].Path {
			return errors.New(name + "[" + strconv.Itoa(i) + "].path: found " + shown(docs[i].Path) + " after " +
				shown(docs[i-1].Path) + ", expected each path once, sorted")
		}
	}
	return nil
}

func (r *Request) fields(c *coder) {
	c.text("root", &r.Root)
	c.text("name", &r.Name)
	enum(c, "source", &r.Source, sources)
	c.time("now", &r.Now)
	c.text("options", &r.Options)
	c.list("documents", (*documentList)(&r.Documents))
	c.texts("unseen", &r.Unseen)
	c.part("base", &r.Base)
	c.list("answers", (*answerList)(&r.Answers))
	c.flag("no_resume", &r.NoResume)
	c.flag("audit", &r.Audit)
}

func (b *Base) fields(c *coder) {
	enum(c, "state", &b.State, baseStates)
	c.text("root", &b.Root)
	c.base = true
	c.list("documents", (*documentList)(&b.Documents))
	c.base = false
	c.list("answers", (*answerList)(&b.Answers))
}

func (a *Answer) fields(c *coder) {
	c.text("path", &a.Path)
	enum(c, "presence", &a.Presence, presences)
}

func (a *answers) fields(c *coder) {
	presencesOf(c, "now", &a.Now)
	presencesOf(c, "base", &a.Base)
}

func presencesOf(c *coder, name string, p *[]Presence) {
	if !c.member(name, len(*p) == 0) {
		return
	}
	c.array(len(*p), func(i int) {
		if c.reading() {
			*p = append(*p, 0)
		}
		word(c, &(*p)[i], presences)
	})
}

// EncodeAnswers returns the input of answer: the answers to Report.Ask, in its order.
func EncodeAnswers(now, base []Answer) []byte {
	a := &answers{}
	for _, side := range []struct {
		to   *[]Presence
		from []Answer
	}{{&a.Now, now}, {&a.Base, base}} {
		for i := range side.from {
			*side.to = append(*side.to, side.from[i].Presence)
		}
	}
	c := &coder{}
	c.value(a)
	return c.out
}

// DecodeAnswers parses the answers to the paths that a report asked for.
func DecodeAnswers(data []byte, ask []string) (now, base []Answer, err error) {
	a := &answers{}
	if err := decode("answers", string(data), MaxRequest, a, false); err != nil {
		return nil, nil, err
	}
	if len(a.Now) != len(ask) || len(a.Base) != len(ask) {
		return nil, nil, errors.New("decode answers: found " + strconv.Itoa(len(a.Now)) + " now and " +
			strconv.Itoa(len(a.Base)) + " base, expected " + strconv.Itoa(len(ask)) + " of each")
	}
	return answered(ask, a.Now), answered(ask, a.Base), nil
}

func answered(ask []string, is []Presence) []Answer {
	list := make([]Answer, len(ask))
	for i := range list {
		list[i] = Answer{ask[i], is[i]}
	}
	return list
}

func (d *Document) fields(c *coder) {
	if c.base {
		c.flag("same", &d.Same)
	}
	if d.Same && c.base && !c.reading() {
		c.text("path", &d.Path)
		return
	}
	c.text("path", &d.Path)
	c.flag("dir", &d.Dir)
	enum(c, "format", &d.Format, formats)
	enum(c, "need", &d.Need, needs)
	c.size("size", &d.Size)
	c.flag("ignored", &d.Ignored)
	c.flag("bom", &d.BOM)
	c.text("digest", &d.Digest)
	c.attachText("text", &d.Text)
	c.attachOutline("outline", &d.Outline)
	c.part("summary", &d.Summary)
	c.list("faults", (*documentFaultList)(&d.Faults))
}

func (s *DocumentSummary) fields(c *coder) {
	c.count("lines", &s.Lines)
	c.count("words", &s.Words)
	c.list("headings", (*headingLineList)(&s.Headings))
	c.texts("tail", &s.Tail)
	c.list("probes", (*probeCountList)(&s.Probes))
}

func (h *HeadingLine) fields(c *coder) {
	c.count("level", &h.Level)
	c.count("line", &h.Line)
	c.text("text", &h.Text)
}

func (p *ProbeCount) fields(c *coder) {
	c.text("name", &p.Name)
	c.count("count", &p.Count)
	c.count("last_line", &p.LastLine)
	c.text("last_text", &p.LastText)
}

func (f *DocumentFault) fields(c *coder) {
	c.text("rule", &f.Rule)
	c.text("kind", &f.Kind)
	c.text("message", &f.Message)
	c.text("pointer", &f.Pointer)
	c.text("key", &f.Key)
	c.count("line", &f.Line)
	c.span("bytes", &f.Bytes, &f.Start, &f.End)
}

func (c *coder) attachText(name string, p *string) {
	if !c.member(name, *p == "") {
		return
	}
	if c.reading() {
		*p = view(c.attachment(1))
		return
	}
	c.attach(*p, 1)
}

func (c *coder) attachOutline(name string, p *[]byte) {
	if !c.member(name, len(*p) == 0) {
		return
	}
	if !c.reading() {
		c.attach(view(*p), alignment)
		return
	}
	b := c.attachment(alignment)
	if len(b)%nodeSize != 0 {
		c.in.fail("found " + strconv.Itoa(len(b)) + " bytes, expected whole nodes of " + strconv.Itoa(nodeSize))
		return
	}
	*p = b
}

// attach adds data to the attachment, at a multiple of align, and writes its position.
func (c *coder) attach(data string, align int) {
	for c.length%align != 0 {
		c.length++
	}
	c.pieces = append(c.pieces, piece{c.length, data})
	c.writePair(c.length, len(data))
	c.length += len(data)
}

// attachment reads [offset,length] and returns that part of the attachment, or nil if it is empty.
func (c *coder) attachment(align int64) []byte {
	span := c.pair("an offset and a length")
	if c.in.err != nil {
		return nil
	}
	offset, length, most := span[0], span[1], int64(len(c.attached))
	if offset > most || length > most-offset {
		c.in.fail("found " + strconv.FormatInt(length, 10) + " bytes at " + strconv.FormatInt(offset, 10) +
			", expected them inside an attachment of " + strconv.FormatInt(most, 10))
		return nil
	}
	if offset%align != 0 {
		c.in.fail("found the offset " + strconv.FormatInt(offset, 10) + ", expected a multiple of " +
			strconv.FormatInt(align, 10))
		return nil
	}
	if length == 0 {
		return nil
	}
	return c.attached[offset : offset+length : offset+length]
}

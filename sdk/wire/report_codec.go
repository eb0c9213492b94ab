package wire

// MaxReport is the maximum size of a report, in bytes. A host may set a lower limit.
const MaxReport = 8 << 20

// The limits on the relations between files, runs and findings.
const (
	MaxBlocks = 1000 // runs that a finding blocks
	MaxFiles  = 64   // globs per detection
	MaxParts  = 8    // length of a chain of detections in which each is a part of the next

	MaxChooses = 16 // state directories that a report chooses
)

// MaxIdentity is the maximum size of an identity, in bytes.
const MaxIdentity = 1024

// EncodeReport returns the JSON that examine returns. Equal reports produce equal bytes.
func EncodeReport(r *Report) []byte {
	c := &coder{out: make([]byte, 0, 4096)}
	c.value(r)
	return c.out
}

// DecodeReport parses a report. It returns an error that names the member if the data is not a report of this ABI
// or exceeds MaxReport bytes. The host must judge whether the report is true, or even about this instance.
func DecodeReport(data []byte) (*Report, error) {
	r := &Report{}
	if err := decode("report", string(data), MaxReport, r, false); err != nil {
		return nil, err
	}
	return r, nil
}

// CheckReport returns an error for a report with an unknown member, such as "lifecyle". DecodeReport ignores such
// members; in a test, they are mistakes.
func CheckReport(data []byte) error {
	return decode("report", string(data), MaxReport, &Report{}, true)
}

func (r *Report) fields(c *coder) {
	c.text("declined", &r.Declined)
	c.text("identity", &r.Identity)
	c.list("detections", (*detectionList)(&r.Detections))
	c.texts("chooses", &r.Chooses)
	c.list("diagnostics", (*diagnosticList)(&r.Diagnostics))
	c.list("recoveries", (*remedyList)(&r.Recoveries))
	c.list("overrides", (*overrideList)(&r.Overrides))
	c.list("rule_failures", (*ruleFailureList)(&r.RuleFailures))
	c.text("failure", &r.Failure)
	c.time("valid_from", &r.ValidFrom)
	c.time("valid_until", &r.ValidUntil)
	c.texts("ask", &r.Ask)
	c.texts("asked", &r.Asked)
}

func (d *Detection) fields(c *coder) {
	c.text("lifecycle", &d.Lifecycle)
	c.text("subject", &d.Subject)
	c.text("claimed", &d.Claimed)
	c.text("observed", &d.Observed)
	enum(c, "fit", &d.Fit, fits)
	c.list("because", (*rangeList)(&d.Because))
	enum(c, "state", &d.State, states)
	c.part("progress", &d.Progress)
	c.part("resume", &d.Resume)
	c.list("facts", (*factList)(&d.Facts))
	c.texts("files", &d.Files)
	c.part("part_of", &d.PartOf)
	c.count("chosen", &d.Chosen)
}

func (p *Progress) fields(c *coder) {
	c.count("done", &p.Done)
	c.count("total", &p.Total)
	c.text("unit", &p.Unit)
}

func (r *Resume) fields(c *coder) {
	c.text("first", &r.First)
	c.texts("checks", &r.Checks)
	c.texts("read_first", &r.ReadFirst)
	c.texts("context", &r.Context)
	c.text("next", &r.Next)
	c.texts("skip", &r.Skip)
	c.texts("remaining", &r.Remaining)
	c.text("closing", &r.Closing)
}

func (f *Fact) fields(c *coder) {
	c.text("name", &f.Name)
	c.text("title", &f.Title)
	enum(c, "level", &f.Level, levels)
	c.fact("value", &f.Value)
}

func (r *RunName) fields(c *coder) {
	c.text("lifecycle", &r.Lifecycle)
	c.text("subject", &r.Subject)
}

func (d *Diagnostic) fields(c *coder) {
	c.text("rule", &d.Rule)
	enum(c, "severity", &d.Severity, severities)
	c.text("subject", &d.Subject)
	c.part("run", &d.Run)
	c.list("blocks", (*runNameList)(&d.Blocks))
	c.text("key", &d.Key)
	c.part("range", &d.Range)
	c.text("message", &d.Message)
	c.list("related", (*relatedList)(&d.Related))
	c.list("remedies", (*remedyList)(&d.Remedies))
}

func (r *Related) fields(c *coder) {
	c.part("range", &r.Range)
	c.text("message", &r.Message)
}

func (r *Range) fields(c *coder) {
	c.text("path", &r.Path)
	c.count("line", &r.Line)
	c.span("bytes", &r.Bytes, &r.Start, &r.End)
	c.text("pointer", &r.Pointer)
	c.flag("key", &r.Key)
}

// MarshalJSON encodes a range in the form used in reports.
func (r Range) MarshalJSON() ([]byte, error) {
	c := &coder{}
	c.value(&r)
	return c.out, nil
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (r *Range) UnmarshalJSON(data []byte) error {
	return decode("range", string(data), MaxReport, r, false)
}

func (r *Remedy) fields(c *coder) {
	c.text("title", &r.Title)
	enum(c, "safety", &r.Safety, safeties)
	c.text("subject", &r.Subject)
	c.texts("fixes", &r.Fixes)
	c.list("edits", (*editList)(&r.Edits))
	c.texts("steps", &r.Steps)
}

func (e *Edit) fields(c *coder) {
	enum(c, "op", &e.Op, ops)
	c.part("range", &e.Range)
	c.text("new", &e.New)
	c.text("to", &e.To)
}

func (o *Override) fields(c *coder) {
	c.text("path", &o.Path)
	c.text("rule", &o.Rule)
	c.text("pointer", &o.Pointer)
	enum(c, "severity", &o.Severity, severities)
}

func (f *RuleFailure) fields(c *coder) {
	c.text("rule", &f.Rule)
	c.text("message", &f.Message)
	c.flag("panic", &f.Panic)
}

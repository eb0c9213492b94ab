package wire

// MaxReport is the greatest size of a report, in bytes. A host may set less.
const MaxReport = 8 << 20

// EncodeReport gives the JSON that examine returns. The same report gives the
// same bytes.
func EncodeReport(r *Report) []byte {
	c := &coder{}
	object(c, r, (*Report).fields)
	return c.out
}

// DecodeReport reads a report. It refuses what is no report of this ABI, naming
// the member, and one of more than MaxReport bytes. That what the report says is
// true, or even about this instance, is for the host to judge.
func DecodeReport(data []byte) (*Report, error) {
	r := &Report{}
	if err := decode("report", string(data), MaxReport, r, (*Report).fields); err != nil {
		return nil, err
	}
	return r, nil
}

func (r *Report) fields(c *coder) {
	c.text("declined", &r.Declined)
	list(c, "detections", &r.Detections, (*Detection).fields)
	list(c, "diagnostics", &r.Diagnostics, (*Diagnostic).fields)
	list(c, "recoveries", &r.Recoveries, (*Remedy).fields)
	list(c, "overrides", &r.Overrides, (*Override).fields)
	list(c, "rule_failures", &r.RuleFailures, (*RuleFailure).fields)
	c.text("failure", &r.Failure)
	c.time("valid_from", &r.ValidFrom)
	c.time("valid_until", &r.ValidUntil)
}

func (d *Detection) fields(c *coder) {
	c.text("lifecycle", &d.Lifecycle)
	c.text("subject", &d.Subject)
	c.text("claimed", &d.Claimed)
	c.text("observed", &d.Observed)
	enum(c, "fit", &d.Fit, fits)
	list(c, "because", &d.Because, (*Range).fields)
	enum(c, "state", &d.State, states)
	part(c, "progress", &d.Progress, (*Progress).fields)
	part(c, "resume", &d.Resume, (*Resume).fields)
	list(c, "facts", &d.Facts, (*Fact).fields)
	part(c, "pick", &d.Pick, (*Pick).fields)
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
	c.value("value", &f.Value)
}

func (p *Pick) fields(c *coder) {
	c.text("key", &p.Key)
	c.flag("eligible", &p.Eligible)
}

func (d *Diagnostic) fields(c *coder) {
	c.text("rule", &d.Rule)
	enum(c, "severity", &d.Severity, severities)
	c.text("subject", &d.Subject)
	c.text("key", &d.Key)
	part(c, "range", &d.Range, (*Range).fields)
	c.text("message", &d.Message)
	list(c, "related", &d.Related, (*Related).fields)
	list(c, "remedies", &d.Remedies, (*Remedy).fields)
}

func (r *Related) fields(c *coder) {
	part(c, "range", &r.Range, (*Range).fields)
	c.text("message", &r.Message)
}

func (r *Range) fields(c *coder) {
	c.text("path", &r.Path)
	c.count("line", &r.Line)
	c.count("start", &r.Start)
	c.count("end", &r.End)
	c.text("pointer", &r.Pointer)
	c.flag("key", &r.Key)
}

func (r *Remedy) fields(c *coder) {
	c.text("title", &r.Title)
	enum(c, "safety", &r.Safety, safeties)
	c.text("subject", &r.Subject)
	c.texts("heals", &r.Heals)
	list(c, "edits", &r.Edits, (*Edit).fields)
	c.texts("steps", &r.Steps)
}

func (e *Edit) fields(c *coder) {
	enum(c, "op", &e.Op, ops)
	part(c, "range", &e.Range, (*Range).fields)
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

package wire

import (
	"errors"
	"strconv"
)

// maxElements limits the number of objects and array elements in a report or a manifest, and therefore the memory
// that a hostile plugin can cost its reader: "{}," takes three bytes on the wire and hundreds in memory.
const maxElements = 200_000

// EncodeManifest returns the JSON that describe returns and the custom section contains. Equal manifests produce
// equal bytes.
func EncodeManifest(m *Manifest) []byte {
	c := &coder{}
	c.value(m)
	return c.out
}

// DecodeManifest parses a manifest. It returns an error that names the member if the data is not a manifest of this
// ABI. If the manifest needs another ABI or an unsupported feature, it reports that error before any other. The
// result still has to pass Validate.
func DecodeManifest(data []byte) (*Manifest, error) {
	m := &Manifest{}
	err := decode("manifest", string(data), MaxManifest, m, false)
	if unfit := m.compatible(); err != nil && m.ABI != 0 && unfit != nil {
		return nil, unfit
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// CheckManifest returns an error for a manifest with an unknown member. DecodeManifest ignores such members; in a
// test, they are mistakes.
func CheckManifest(data []byte) error {
	return decode("manifest", string(data), MaxManifest, &Manifest{}, true)
}

// decode parses a whole JSON value. In strict mode, every member must be known.
func decode(what, data string, most int, v carrier, strict bool) error {
	if len(data) > most {
		return errors.New("decode " + what + ": found " + strconv.Itoa(len(data)) + " bytes, expected at most " +
			strconv.Itoa(most))
	}
	c := &coder{in: &reader{data: data}, elements: maxElements, strict: strict}
	c.value(v)
	return c.in.finish(what)
}

func (m *Manifest) fields(c *coder) {
	c.count("abi", &m.ABI)
	c.text("name", &m.Name)
	c.text("version", &m.Version)
	c.text("doc", &m.Doc)
	c.texts("requires", &m.Requires)
	c.list("roots", (*rootList)(&m.Roots))
	c.list("documents", (*documentSpecList)(&m.Documents))
	c.dictionary("schemas", &m.Schemas)
	c.text("options", &m.Options)
	c.list("lifecycles", (*lifecycleList)(&m.Lifecycles))
	c.list("rules", (*ruleList)(&m.Rules))
	enum(c, "keep", &m.Keep, keeps)
	c.texts("dropped", &m.Dropped)
	c.texts("asks_for", &m.AsksFor)
	c.text("identity", &m.Identity)
	c.text("license", &m.License)
	c.text("source", &m.Source)
	c.text("homepage", &m.Homepage)
	c.list("made_for", (*madeForList)(&m.MadeFor))
}

func (m *MadeFor) fields(c *coder) {
	c.text("tool", &m.Tool)
	c.text("versions", &m.Versions)
}

func (r *Root) fields(c *coder) {
	c.text("dir", &r.Dir)
	c.texts("markers", &r.Markers)
	c.texts("except", &r.Except)
	c.flag("unique", &r.Unique)
}

func (d *DocumentSpec) fields(c *coder) {
	c.text("glob", &d.Glob)
	enum(c, "format", &d.Format, formats)
	enum(c, "need", &d.Need, needs)
	c.text("schema", &d.Schema)
	enum(c, "duplicates", &d.Duplicates, duplicates)
	c.list("probes", (*probeList)(&d.Probes))
	c.flag("follows_links", &d.FollowsLinks)
}

func (p *Probe) fields(c *coder) {
	c.text("name", &p.Name)
	c.text("literal", &p.Literal)
	c.text("line", &p.Line)
}

func (l *Lifecycle) fields(c *coder) {
	c.text("name", &l.Name)
	c.text("doc", &l.Doc)
	enum(c, "unit", &l.Unit, units)
	c.list("phases", (*phaseList)(&l.Phases))
	c.list("transitions", (*transitionList)(&l.Transitions))
}

func (p *Phase) fields(c *coder) {
	c.text("name", &p.Name)
	c.count("number", &p.Number)
	c.text("title", &p.Title)
	c.text("doc", &p.Doc)
}

func (t *Transition) fields(c *coder) {
	c.text("from", &t.From)
	c.text("to", &t.To)
	c.text("doc", &t.Doc)
}

func (r *Rule) fields(c *coder) {
	c.text("name", &r.Name)
	c.text("group", &r.Group)
	c.text("doc", &r.Doc)
	c.text("why", &r.Why)
	c.text("fix", &r.Fix)
	enum(c, "severity", &r.Severity, severities)
	c.text("severity_if", &r.SeverityIf)
	c.flag("needs_base", &r.NeedsBase)
	c.flag("off_by_default", &r.OffByDefault)
	c.text("url", &r.URL)
	c.flag("form", &r.Form)
	c.texts("replaces", &r.Replaces)
	c.texts("hides", &r.Hides)
}

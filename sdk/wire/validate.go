package wire

import (
	"errors"
	"strconv"
	"strings"
)

// The limits of a manifest.
const (
	MaxName        = 64 // bytes in a name
	MaxRoots       = 64
	MaxMarkers     = 64 // per root
	MaxExceptions  = 64 // for all roots together, because every name in a tree is compared with them
	MaxDocuments   = 500
	MaxProbes      = 64   // per document spec
	MaxProbe       = 1024 // bytes in a probe's literal or expression
	MaxSchemas     = 64
	MaxLifecycles  = 64
	MaxPhases      = 200  // per lifecycle
	MaxTransitions = 2000 // per lifecycle
	MaxRules       = 500
	MaxMadeFor     = 16
	MaxAddress     = 256 // bytes in the address of a source, a homepage or a rule
)

// maxFaults is the number of faults after which Validate stops.
const maxFaults = 20

// Validate returns an error for a manifest that a host would not run, and lists up to twenty faults: an unsupported
// ABI or feature; names that are malformed, missing, repeated or unresolved; globs that CheckGlob refuses; probes
// with both or neither of literal and line; and lists that exceed their limits. It does not compile schemas and
// expressions; their users do.
func (m *Manifest) Validate() error {
	if err := m.compatible(); err != nil {
		return err
	}
	v := &validation{}
	v.identity(m)
	v.origin(m)
	v.roots(m.Roots)
	v.schemas(m)
	v.documents(m)
	v.asksFor(m.AsksFor)
	v.lifecycles(m.Lifecycles)
	v.rules(m.Rules, m.Dropped)
	return errors.Join(v.faults...)
}

// compatible checks the manifest's ABI and required features.
func (m *Manifest) compatible() error {
	if m.ABI == 0 {
		return errors.New("manifest: abi is missing, expected " + strconv.Itoa(ABI))
	}
	if m.ABI != ABI {
		side := "upgrade stategate"
		if m.ABI < ABI {
			side = "upgrade the plugin"
		}
		return errors.New("manifest: the plugin is built for ABI " + strconv.Itoa(m.ABI) +
			", this stategate supports ABI " + strconv.Itoa(ABI) + "; " + side)
	}
	for _, f := range m.Requires {
		if _, known := find(Features, f); !known {
			return errors.New("manifest: the plugin requires the feature " + shown(f) +
				", which this host lacks (it has " + strings.Join(Features, ", ") +
				"); upgrade stategate, or use an older version of the plugin")
		}
	}
	return nil
}

// A validation collects the faults of one manifest.
type validation struct{ faults []error }

func (v *validation) fault(where, why string) {
	if len(v.faults) < maxFaults {
		v.faults = append(v.faults, errors.New("manifest: "+where+": "+why))
	}
}

// most checks that a list is not too long.
func (v *validation) most(where string, n, most int) {
	if n > most {
		v.fault(where, "found "+strconv.Itoa(n)+", expected at most "+strconv.Itoa(most))
	}
}

// once checks that a name is not in names yet, and adds it with its place.
func (v *validation) once(where, name string, names map[string]string) {
	first, there := names[name]
	if !there {
		names[name] = where
		return
	}
	also := ""
	if first != where {
		also = "; the first is " + first
	}
	v.fault(where, "found "+shown(name)+" twice, expected once"+also)
}

func (v *validation) word(where, name string) {
	if !isWord(name) {
		v.fault(where, "found "+shown(name)+", expected lowercase words joined by hyphens, such as "+
			"\"state-missing\", of at most "+strconv.Itoa(MaxName)+" bytes")
	}
}

func (v *validation) glob(where, glob string) {
	if err := CheckGlob(glob); err != nil {
		v.fault(where, err.Error())
	}
}

func (v *validation) identity(m *Manifest) {
	v.word("name", m.Name)
	if !IsVersion(m.Version) {
		v.fault("version", "found "+shown(m.Version)+", expected a version such as \"1.2.0\" or \"1.2.0-rc.1\"")
	}
	if strings.TrimSpace(m.Doc) == "" {
		v.fault("doc", "is empty, expected a description of the workflow that begins with its title")
	}
	if len(m.Identity) > MaxName {
		v.fault("identity", "found "+strconv.Itoa(len(m.Identity))+
			" bytes, expected a word such as \"session\", of at most "+strconv.Itoa(MaxName)+" bytes")
	}
}

func (v *validation) roots(roots []Root) {
	v.most("roots", len(roots), MaxRoots)
	if len(roots) == 0 {
		v.fault("roots", "found none, expected at least one")
	}
	exceptions := 0
	for i, r := range roots {
		where := at("roots", i)
		v.directory(where+".dir", r.Dir)
		v.most(where+".markers", len(r.Markers), MaxMarkers)
		if len(r.Markers) == 0 {
			v.fault(where+".markers", "found none, expected at least one")
		}
		for j, g := range r.Markers {
			v.glob(at(where+".markers", j), g)
		}
		exceptions += len(r.Except)
		for j, g := range r.Except {
			v.directory(at(where+".except", j), g)
		}
	}
	v.most("exceptions of roots", exceptions, MaxExceptions)
}

// directory checks a directory glob.
func (v *validation) directory(where, glob string) {
	v.glob(where, glob)
	if strings.HasSuffix(glob, "/") {
		v.fault(where, "found "+shown(glob)+", expected no trailing slash")
	}
}

func (v *validation) schemas(m *Manifest) {
	v.most("schemas", len(m.Schemas), MaxSchemas)
	for _, name := range sortedKeys(m.Schemas) {
		if !isIdentifier(name) {
			v.fault("schemas", "found the name "+shown(name)+", expected letters, digits, \"-\", \"_\" and \".\"")
		}
		if m.Schemas[name] == "" {
			v.fault("schemas."+shown(name), "is empty, expected a JSON Schema")
		}
	}
}

func (v *validation) documents(m *Manifest) {
	v.most("documents", len(m.Documents), MaxDocuments)
	if len(m.Documents) == 0 {
		v.fault("documents", "found none, expected at least one")
	}
	for i, d := range m.Documents {
		where := at("documents", i)
		v.glob(where+".glob", d.Glob)
		if d.Format == YAML && !IsYAML(d.Glob) {
			v.fault(where+".glob", "found "+shown(d.Glob)+
				" with the format yaml, expected a name that ends in .yaml or .yml")
		}
		v.documentSchema(where, d, m.Schemas)
		v.probes(where, d)
	}
}

// IsYAML reports whether a file name has a YAML extension.
func IsYAML(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

func (v *validation) asksFor(globs []string) {
	v.most("asks_for", len(globs), MaxAsksFor)
	for i, g := range globs {
		v.glob(at("asks_for", i), g)
	}
}

func (v *validation) documentSchema(where string, d DocumentSpec, schemas map[string]string) {
	if d.Schema == "" {
		return
	}
	if _, known := schemas[d.Schema]; !known {
		v.fault(where+".schema", "found "+shown(d.Schema)+", expected a name in schemas")
	}
	if d.Format == Text || d.Format == Markdown || d.Need != Content {
		v.fault(where+".schema", "found "+shown(d.Schema)+" on a document with the format "+d.Format.String()+
			" and the need "+d.Need.String()+", expected JSON or YAML whose content is needed")
	}
}

func (v *validation) probes(where string, d DocumentSpec) {
	where += ".probes"
	v.most(where, len(d.Probes), MaxProbes)
	if len(d.Probes) > 0 && d.Need == Listed {
		v.fault(where, "found probes on a document that is only listed, expected the need counted or summary")
	}
	names := map[string]string{}
	for i, p := range d.Probes {
		v.word(at(where, i)+".name", p.Name)
		v.once(at(where, i)+".name", p.Name, names)
		if (p.Literal == "") == (p.Line == "") {
			v.fault(at(where, i), "expected either literal or line")
		}
		v.most(at(where, i)+": bytes", len(p.Literal)+len(p.Line), MaxProbe)
		if strings.ContainsAny(p.Literal, "\n\r") {
			v.fault(at(where, i)+".literal", "contains a line break, expected part of one line")
		}
	}
}

func (v *validation) lifecycles(lifecycles []Lifecycle) {
	v.most("lifecycles", len(lifecycles), MaxLifecycles)
	if len(lifecycles) == 0 {
		v.fault("lifecycles", "found none, expected at least one")
	}
	names := map[string]string{}
	for i, l := range lifecycles {
		where := at("lifecycles", i)
		v.word(where+".name", l.Name)
		v.once(where+".name", l.Name, names)
		v.phases(where, l)
	}
}

func (v *validation) phases(where string, l Lifecycle) {
	v.most(where+".phases", len(l.Phases), MaxPhases)
	if len(l.Phases) == 0 {
		v.fault(where+".phases", "found none, expected at least one")
	}
	names := map[string]string{}
	for i, p := range l.Phases {
		name := at(where+".phases", i) + ".name"
		if !isIdentifier(p.Name) {
			v.fault(name, "found "+shown(p.Name)+", expected letters, digits, \"-\", \"_\" and \".\", such as "+
				"\"deep-reviews\"")
		}
		v.once(name, p.Name, names)
	}
	v.most(where+".transitions", len(l.Transitions), MaxTransitions)
	for i, t := range l.Transitions {
		for _, end := range []string{t.From, t.To} {
			if names[end] == "" {
				v.fault(at(where+".transitions", i), "found "+shown(end)+", expected a phase of the lifecycle")
			}
		}
	}
}

func (v *validation) rules(rules []Rule, dropped []string) {
	v.most("rules", len(rules), MaxRules)
	names := map[string]string{}
	rule := func(i int) string { return at("rules", i) + " (" + shown(rules[i].Name) + ")" }
	for i, r := range rules {
		where := rule(i)
		v.word(where+".name", r.Name)
		v.once(where+".name", r.Name, names)
		if _, reserved := find(HostRules, r.Name); reserved {
			v.fault(where+".name", "found "+shown(r.Name)+", which is a rule of the host; expected another name")
		}
		if r.Severity < Info || r.Severity > Error {
			v.fault(where+".severity", "found "+shown(r.Severity.String())+
				", expected \"info\", \"warning\" or \"error\"")
		}
		v.address(where+".url", r.URL)
	}
	for i, r := range rules {
		v.most(rule(i)+".hides", len(r.Hides), MaxRules)
		for _, h := range r.Hides {
			if names[h] == "" || h == r.Name {
				v.fault(rule(i)+".hides", "found "+shown(h)+", expected another rule of this manifest")
			}
		}
		v.most(rule(i)+".replaces", len(r.Replaces), MaxRules)
		for _, former := range r.Replaces {
			v.former(rule(i)+".replaces", former, rules, names)
		}
	}
	v.most("dropped", len(dropped), MaxRules)
	for i, name := range dropped {
		v.former(at("dropped", i), name, rules, names)
	}
}

// former checks a name that a rule had in an earlier version.
func (v *validation) former(where, name string, rules []Rule, names map[string]string) {
	v.word(where, name)
	for i := range rules {
		if rules[i].Name == name {
			v.fault(where, "found "+shown(name)+", which is a rule of this manifest, expected the name of a former one")
			return
		}
	}
	v.once(where, name, names)
}

func at(where string, i int) string { return where + "[" + strconv.Itoa(i) + "]" }

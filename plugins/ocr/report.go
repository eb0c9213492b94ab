package ocr

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stategate/stategate/sdk"
)

// How much one rule may say of one session, so that a hostile one costs neither
// the report nor the time of the look.
const (
	mostErrors   = 1000 // findings of a rule at error level
	mostFindings = 40   // findings of any other rule
)

// tell reports a finding with remedies.
func tell(p *sdk.Pass, m *Model, d sdk.Diagnostic, offers ...sdk.Remedy) {
	d.Range.Path = sayable(d.Range.Path)
	n, most := m.count(p.Rule), mostFindings
	if p.Rule.Severity == sdk.Error {
		most = mostErrors
	}
	if n > most {
		return
	}
	if n == most {
		d.Message += "; more of this kind, if any, are left out"
	}
	for _, r := range offers {
		r.Subject = d.Subject
		if r.Safety != sdk.Manual {
			r.Heals = []string{p.Rule.Name}
		}
		d.Remedies = append(d.Remedies, r)
	}
	p.Report(d)
}

// count counts the findings of a rule, this one included.
func (m *Model) count(r *sdk.Rule) int {
	if m.counted != r {
		m.counted, m.told = r, 0
	}
	m.told++
	return m.told
}

// sayable is the nearest directory of a path that a report may name: a host
// refuses names that other systems read as several.
func sayable(path string) string {
	for strings.Contains(path, `\`) {
		path = path[:strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/')+1]
	}
	return path
}

// onField is a finding about the value of a field of state.json, or about its
// absence.
func (m *Model) onField(key, message string) sdk.Diagnostic {
	d := sdk.Diagnostic{Key: key, Range: sdk.At(StatePath), Message: message}
	if m.State.Root.Get(key).Exists() {
		d.Range = m.State.At(key)
	}
	return d
}

// onC is a finding about the claim, placed at a field.
func (m *Model) onC(key, message string) sdk.Diagnostic {
	d := m.onField(key, message)
	d.Subject, d.Key = m.C.Name(), ""
	return d
}

// on is a finding about a path of a subject.
func on(s *Subject, path, message string) sdk.Diagnostic {
	return sdk.Diagnostic{Subject: s.Name(), Range: sdk.At(path), Message: message}
}

func safely(title string, edits ...sdk.Edit) sdk.Remedy {
	return sdk.Remedy{Title: title, Safety: sdk.Safe, Edits: edits}
}

func reviewed(title string, edits ...sdk.Edit) sdk.Remedy {
	return sdk.Remedy{Title: title, Safety: sdk.Review, Edits: edits}
}

func manually(title string, steps ...string) sdk.Remedy {
	return sdk.Remedy{Title: title, Safety: sdk.Manual, Steps: steps}
}

// shown quotes a text from a file for a message, shortened to what a line can
// hold.
func shown(s string) string { return quote(short(s)) }

func short(s string) string {
	const limit = 80
	if len(s) <= limit {
		return s
	}
	cut := limit
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// fewOf joins at most a few names.
func fewOf(names []string) string {
	const few = 5
	list := make([]string, 0, few+1)
	for i, name := range names {
		if i == few {
			list = append(list, "…")
			break
		}
		list = append(list, short(name))
	}
	return strings.Join(list, ", ")
}

func itoa(n int) string { return strconv.Itoa(n) }

// title is what messages call the subject: "round 2".
func (s *Subject) title() string { return s.Kind.Unit() + " " + itoa(s.N) }

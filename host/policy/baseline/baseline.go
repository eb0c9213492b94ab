// Package baseline reads and writes lists of the findings that existed when a gate was set up, so that only new
// findings close it. A baseline contains no times and no line numbers.
package baseline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/stategate/stategate/host/schemafile"
)

// Format is the version of the file format that this package reads and writes.
const Format = 1

// MaxSize is the maximum size of a file in bytes, which is enough for about 50,000 findings.
const MaxSize = 16 << 20

// A Baseline is a list of accepted findings, and the structure of its file.
type Baseline struct {
	Name     string    `json:"-"` // the file's name in messages
	Format   int       `json:"format"`
	Findings []Finding `json:"findings"`
}

// A Finding is one accepted finding. Its fingerprint and count accept it, and its message shows whether it has
// changed. The other fields are for readers.
type Finding struct {
	Rule        string `json:"rule"` // workflow/rule
	Path        string `json:"path"` // relative to the workspace root
	Message     string `json:"message"`
	Count       int    `json:"count,omitempty"` // number of findings with this fingerprint and message; 0 means 1
	Fingerprint string `json:"fingerprint"`
}

// New returns a baseline of findings in any order. It sorts them, and counts those with the same fingerprint and
// message.
func New(findings []Finding) *Baseline {
	list := slices.Clone(findings)
	slices.SortFunc(list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Fingerprint, b.Fingerprint), cmp.Compare(a.Message, b.Message))
	})
	b := &Baseline{}
	for _, f := range list {
		if n := len(b.Findings); n > 0 && b.Findings[n-1].Fingerprint == f.Fingerprint &&
			b.Findings[n-1].Message == f.Message {
			b.Findings[n-1].Count = b.Findings[n-1].count() + f.count()
			continue
		}
		b.Findings = append(b.Findings, f)
	}
	return b
}

func (f Finding) count() int { return max(f.Count, 1) }

// A Ledger counts down a baseline's findings as they are matched.
type Ledger map[string][]Finding // by fingerprint

// Ledger returns a new ledger with all of the baseline's findings.
func (b *Baseline) Ledger() Ledger {
	l := make(Ledger, len(b.Findings))
	for _, f := range b.Findings {
		f.Count = f.count()
		l[f.Fingerprint] = append(l[f.Fingerprint], f)
	}
	return l
}

// Take removes one finding whose message fits from the ledger and returns its message. It tries the fingerprints in
// order.
func (l Ledger) Take(fingerprints []string, fits func(message string) bool) (was string, ok bool) {
	for _, fingerprint := range fingerprints {
		for i := range l[fingerprint] {
			if f := &l[fingerprint][i]; f.Count > 0 && fits(f.Message) {
				f.Count--
				return f.Message, true
			}
		}
	}
	return "", false
}

// Exceeds counts the findings that b accepts and other does not. Each of them may be nil.
func (b *Baseline) Exceeds(other *Baseline) (n int) {
	if b == nil {
		return 0
	}
	more := map[string]int{} // by fingerprint
	for _, f := range b.Findings {
		more[f.Fingerprint] += f.count()
	}
	if other != nil {
		for _, f := range other.Findings {
			more[f.Fingerprint] -= f.count()
		}
	}
	for _, k := range more {
		n += max(k, 0)
	}
	return n
}

// Missed counts the fingerprints that still have findings. It omits rules for which but returns
// true.
func (l Ledger) Missed(but func(rule string) bool) (n int) {
	for _, list := range l {
		if slices.ContainsFunc(list, func(f Finding) bool { return f.Count > 0 && !but(f.Rule) }) {
			n++
		}
	}
	return n
}

// Parse parses a file that Encode wrote, and that a person may have shortened. schema is the text of
// schemas/baseline.schema.json. The error is a *schemafile.Error, or several of them joined.
func Parse(name string, data []byte, schema string) (*Baseline, error) {
	b := &Baseline{Name: name}
	format := schemafile.Format{What: "the baseline", Schema: schema, MaxSize: MaxSize,
		Cure: "; rewrite it with `stategate check --write-baseline`"}
	if err := format.JSON(name, data, b); err != nil {
		return nil, err
	}
	return b, nil
}

// Encode returns the text of the file. The same findings always give the same bytes.
func (b *Baseline) Encode() ([]byte, error) {
	f := Baseline{Format: Format, Findings: append([]Finding{}, b.Findings...)}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(f); err != nil {
		return nil, fmt.Errorf("encode the baseline: %w", err)
	}
	return out.Bytes(), nil
}

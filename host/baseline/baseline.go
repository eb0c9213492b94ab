// Package baseline reads and writes lists of findings that were there when a gate
// was set up, so that only new ones close it. It holds no times and no line numbers.
package baseline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// Format is the version of the file that this package reads and writes.
const Format = 1

// MaxSize is the greatest size of a file, in bytes: some 50,000 findings.
const MaxSize = 16 << 20

// A Baseline is a list of known findings.
type Baseline struct {
	Name     string // how the file is called in messages
	Findings []Finding
}

// A Finding is one known finding. Only its fingerprint and count are heeded; the
// rest is for readers.
type Finding struct {
	Rule        string `json:"rule"` // workflow/rule
	Path        string `json:"path"` // from the anchor
	Message     string `json:"message"`
	Count       int    `json:"count,omitempty"` // how many share the fingerprint; 0 means 1
	Fingerprint string `json:"fingerprint"`
}

// New makes a baseline of findings in any order: sorted, those of one fingerprint
// counted.
func New(findings []Finding) *Baseline {
	list := slices.Clone(findings)
	slices.SortFunc(list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Fingerprint, b.Fingerprint), cmp.Compare(a.Message, b.Message))
	})
	b := &Baseline{}
	at := map[string]int{}
	for _, f := range list {
		if i, ok := at[f.Fingerprint]; ok {
			b.Findings[i].Count = b.Findings[i].count() + f.count()
			continue
		}
		at[f.Fingerprint] = len(b.Findings)
		b.Findings = append(b.Findings, f)
	}
	return b
}

func (f Finding) count() int { return max(f.Count, 1) }

// Counts gives how often each fingerprint is known.
func (b *Baseline) Counts() map[string]int {
	counts := make(map[string]int, len(b.Findings))
	for _, f := range b.Findings {
		counts[f.Fingerprint] += f.count()
	}
	return counts
}

// Encode gives the text of the file: the same findings give the same bytes.
func (b *Baseline) Encode() ([]byte, error) {
	type file struct {
		Format   int       `json:"format"`
		Findings []Finding `json:"findings"`
	}
	f := file{Format: Format, Findings: b.Findings}
	if f.Findings == nil {
		f.Findings = []Finding{}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(f); err != nil {
		return nil, fmt.Errorf("encode the baseline: %w", err)
	}
	return out.Bytes(), nil
}

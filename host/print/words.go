package print

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

// What several formats say in the same words.

func newPrinter(w io.Writer, o Options) *printer {
	return &printer{w: bufio.NewWriter(w), color: o.Color, how: o}
}

// safeText sanitises a text line by line.
func safeText(text string) string {
	var lines []string
	for line := range strings.Lines(strings.TrimRight(text, "\r\n")) {
		lines = append(lines, Safe(strings.TrimRight(line, "\r\n")))
	}
	return strings.Join(lines, "\n")
}

// verdict says in one line what became of the gate.
func verdict(r *result.Result, failOn wire.Severity) string {
	var b strings.Builder
	p := newPrinter(&b, Options{})
	p.summary(r, failOn)
	_ = p.w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

// remedyText is a remedy as text shows it, on one line or a few.
func remedyText(r result.Remedy, o Options) string {
	var b strings.Builder
	p := newPrinter(&b, o)
	p.remedy(r)
	_ = p.w.Flush()
	return strings.TrimSpace(strings.ReplaceAll(b.String(), "\n  ", "\n"))
}

// diagnosticText is a finding with its related places and all that ends it.
func diagnosticText(i *result.Instance, d *result.Diagnostic, o Options) string {
	o.Color = false
	var b strings.Builder
	p := newPrinter(&b, o)
	p.diagnostic(*d)
	for _, r := range recoveriesOf(i, d) {
		p.remedy(r)
	}
	_ = p.w.Flush()
	return b.String()
}

// failureText names the guilty party of a failure and says what happened.
func failureText(f *result.Failure) string {
	who := f.Root
	if f.Plugin != "" {
		who = strings.TrimSuffix("plugin "+f.Plugin+", "+f.Root, ", ")
	}
	if who != "" {
		who += ": "
	}
	return Safe(who+string(f.Kind)+": ") + safeText(f.Message)
}

// failureFingerprint stays the same while the failure stays.
func failureFingerprint(f *result.Failure) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{notLookedAt, string(f.Kind), f.Plugin, f.Root}, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// leftOut says what was not looked at on purpose.
func leftOut(r *result.Result) []string {
	var b strings.Builder
	p := newPrinter(&b, Options{})
	p.notes(r)
	_ = p.w.Flush()
	return strings.FieldsFunc(b.String(), func(c rune) bool { return c == '\n' })
}

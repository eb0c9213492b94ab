package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stategate/stategate/host/config"
	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/sdk/words"
)

func TestProblemOf(t *testing.T) {
	for _, c := range []struct {
		err     error
		code    int
		message string
		detail  string
	}{
		{errors.New("open working tree: permission denied"), exitBroken, "open working tree: permission denied", ""},
		{errors.Join(nil, &config.Error{Message: "wrong"}), exitUsage, (&config.Error{Message: "wrong"}).Error(), ""},
		{usagef("no %s", "such"), exitUsage, "no such", ""},
		{errors.New("gone"), exitBroken, "gone", ""},
		{&fault.UsageError{Message: "no such path"}, exitUsage, "no such path", ""},
		{fmt.Errorf("read: %w", &fault.Failure{Kind: fault.IO, Message: "torn", Stderr: "tail"}), exitBroken,
			"read: torn", "tail"},
		{fmt.Errorf("at: %w", usagef("wrong")), exitUsage, "at: wrong", ""},
	} {
		if p := problemOf(c.err); p.code != c.code || p.message != c.message || p.detail != c.detail {
			t.Errorf("%v: got %+v", c.err, p)
		}
	}
}

func TestGateCode(t *testing.T) {
	for gate, want := range map[result.Gate]int{result.Open: 0, result.Closed: 1, result.Incomplete: 3, "": 3} {
		if got := gate.ExitCode(); got != want {
			t.Errorf("%q: got %d, want %d", gate, got, want)
		}
	}
}

// TestNoBuiltIns: a binary without plugins must not report an open gate.
func TestNoBuiltIns(t *testing.T) {
	err := (&plugins{}).orNone()
	if p := problemOf(err); p.code != exitBroken || !strings.Contains(p.message, "make build") ||
		!strings.Contains(p.message, "rev: v") {
		t.Errorf("got %+v", p)
	}
	if err := (&plugins{failures: []result.Failure{{}}}).orNone(); err != nil {
		t.Errorf("a broken plugin is one: %v", err)
	}
	_, err = (&plugins{}).pick(t.Context(), []string{"ocr"}, limits.Default())
	if p := problemOf(err); p.code != exitBroken {
		t.Errorf("got %+v", p)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"check", "status", "explain", "phase-ahead-of-files", "phase-lags-files"}
	for wrong, want := range map[string]string{
		"chek": "check", "CHECK": "check", "statsu": "status", "phase-ahead-of-file": "phase-ahead-of-files",
		"": "", "zzz": "", "x": "", "phase-lag-files": "phase-lags-files",
	} {
		if got := words.Nearest(wrong, names); got != want {
			t.Errorf("%q: got %q, want %q", wrong, got, want)
		}
	}
}

func TestSelection(t *testing.T) {
	plugins := []*plugin.Plugin{{Name: "ocr", Manifest: &wire.Manifest{Rules: []wire.Rule{{Name: "state-missing"},
		{Name: "round-gap"}}}}}
	for _, c := range []struct {
		globs   []string
		refused bool
		left    string
	}{
		{[]string{"state-*"}, false, "ocr/state-missing"},
		{[]string{"ocr/*"}, false, "ocr/state-missing ocr/round-gap ocr/schema"},
		{[]string{"schema", "*-gap"}, false, "ocr/round-gap ocr/schema"},
		{[]string{"autopilot/*"}, true, ""},
		{[]string{"state-*", "sate-missing"}, true, ""},
		{[]string{"[x"}, true, ""},
	} {
		s, err := selectionOf(c.globs, plugins)
		if (err != nil) != c.refused {
			t.Errorf("%q: %v", c.globs, err)
		}
		if err != nil {
			continue
		}
		var left []string
		for _, rule := range []string{"ocr/state-missing", "ocr/round-gap", "ocr/schema"} {
			if s.selects(rule) {
				left = append(left, rule)
			}
		}
		if got := strings.Join(left, " "); got != c.left {
			t.Errorf("%q leaves %q, want %q", c.globs, got, c.left)
		}
	}
}

// TestComplain: arguments and plugin output are sanitized on stderr.
func TestComplain(t *testing.T) {
	var stderr bytes.Buffer
	code := run([]string{"check", "--now", "\x1b[31m::error::x"}, nil, nil, &stderr)
	if code != exitUsage || commanding(stderr.String()) != "" {
		t.Errorf("exit code %d, %q", code, stderr.String())
	}
	stderr.Reset()
	a := &app{stderr: &stderr}
	a.complain(&problem{message: "one\n::two", detail: "\x1b[2Jthree\n##[error]four\n"})
	want := "stategate: one\n    \\x3a:two\n    | \\x1b[2Jthree\n    | #\\x23[error]four\n"
	if stderr.String() != want {
		t.Errorf("got %q, want %q", stderr.String(), want)
	}
}

package exchange_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stategate/stategate/host/fault"
	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/host/plugin/exchange"
	"github.com/stategate/stategate/sdk/engine/snapshot"
	"github.com/stategate/stategate/sdk/finding"
	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/wire"
)

func manifest() *wire.Manifest {
	return &wire.Manifest{
		ABI: 1, Name: "toy", Version: "1.0.0", Doc: "A toy.",
		Roots:      []wire.Root{{Dir: ".toy", Markers: []string{"state.json"}}},
		Documents:  []wire.DocumentSpec{{Glob: "state.json", Format: wire.JSON, Need: wire.Content}},
		Lifecycles: []wire.Lifecycle{{Name: "life", Phases: []wire.Phase{{Name: "one"}}}},
		Rules:      []wire.Rule{{Name: "wrong", Doc: "Wrong.", Severity: wire.Warning}},
	}
}

func input() snapshot.Input {
	state := snapshot.File{Path: "state.json", Size: 7, Data: []byte(`{"a":1}`)}
	return snapshot.Input{
		Root: ".toy", Name: ".toy", Now: time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC),
		Files: []snapshot.File{state, {Path: "link", Kind: snapshot.Symlink, Detail: "x"}},
		Base: snapshot.InputBase{State: wire.BaseAt, Root: ".toy",
			Files: []snapshot.File{{Path: "state.json", Data: []byte{}}}},
	}
}

func payload(t testing.TB, in snapshot.Input) []byte {
	t.Helper()
	pieces, err := exchange.ExaminePayload(in)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Join(pieces, nil)
}

// toy returns a plugin that answers every readable request with the same report.
func toy(report string) exchange.Guest {
	return exchange.Guest{
		SHA256: "toy", Manifest: wire.EncodeManifest(manifest()), Limits: limits.Default(),
		Call: func(_ string, input []byte) ([]byte, error) {
			if _, err := wire.DecodeRequest(input); err != nil {
				return nil, err
			}
			return []byte(report), nil
		},
	}
}

func TestInputRoundTrip(t *testing.T) {
	want := input()
	got, err := exchange.DecodeInput(payload(t, want)[1:])
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got.Files[1].Data != nil || got.Base.Files[0].Data == nil {
		t.Error("a file that was not read and an empty one are not distinguished")
	}
}

// TestManifestIsNotSent: a job contains only the files, because the worker has the manifest from the plugin's file.
func TestManifestIsNotSent(t *testing.T) {
	if sent := payload(t, input()); bytes.Contains(sent, []byte("A toy.")) {
		t.Errorf("a job holds the manifest: %s", sent)
	}
}

// FuzzDecodeInput: decoding any bytes returns an error, or an input that survives being encoded and decoded again.
func FuzzDecodeInput(f *testing.F) {
	data := payload(f, input())[1:]
	f.Add(data)
	f.Add(data[:len(data)-1])
	f.Add([]byte{0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := exchange.DecodeInput(data)
		if err != nil {
			return
		}
		second, err := exchange.DecodeInput(payload(t, first)[1:])
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(first, second) {
			t.Errorf("%+v becomes %+v", first, second)
		}
	})
}

// TestRunRefuses checks the failure kind of each bad answer or bad plugin.
func TestRunRefuses(t *testing.T) {
	tests := map[string]struct {
		change func(*exchange.Guest)
		report string
		kind   fault.Kind
	}{
		"no JSON": {nil, `{`, fault.Protocol},
		"unknown rule": {nil,
			`{"diagnostics":[{"rule":"other","severity":"info","range":{"path":"state.json"},"message":"x"}]}`,
			fault.Protocol},
		"too many": {func(g *exchange.Guest) { g.Limits.Diagnostics = 1 },
			`{"diagnostics":[{"rule":"wrong","range":{},"message":"x"},{"rule":"wrong","range":{},"message":"y"}]}`,
			fault.Limit},
		"request too large":    {func(g *exchange.Guest) { g.Limits.Request = 10 }, `{}`, fault.Limit},
		"manifest no JSON":     {func(g *exchange.Guest) { g.Manifest = []byte("{") }, `{}`, fault.ABI},
		"schema leads outside": {withSchema(`{"$ref":"file:///etc/passwd"}`), `{}`, fault.ABI},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			g := toy(test.report)
			if test.change != nil {
				test.change(&g)
			}
			_, err := exchange.New().Run(g, payload(t, input()))
			var f *fault.Failure
			if !errors.As(err, &f) || f.Kind != test.kind {
				t.Errorf("got %v, want a failure of kind %s", err, test.kind)
			}
		})
	}
}

// TestRunKeepsTheRest: a finding that is rejected is a failure of its rule and hides no other finding.
func TestRunKeepsTheRest(t *testing.T) {
	good := `{"rule":"wrong","severity":"info","range":{"path":"state.json"},"key":"good","message":"good"}`
	for name, bad := range map[string]string{
		"above its severity": `{"rule":"wrong","severity":"error","range":{"path":"state.json"},"message":"x"}`,
		"outside":            `{"rule":"wrong","range":{"path":"../x"},"message":"x"}`,
		"undeclared":         `{"rule":"wrong","range":{"path":"STATE.json"},"message":"x"}`,
		"message too long": `{"rule":"wrong","range":{"path":"state.json"},"message":"` + strings.Repeat("x",
			5000) + `"}`,
		"title too long": `{"rule":"wrong","range":{"path":"state.json"},"message":"x","remedies":[{"title":"` +
			strings.Repeat("x", 5000) + `","steps":["x"]}]}`,
		"key too long": `{"rule":"wrong","range":{"path":"state.json"},"message":"x","key":"` +
			strings.Repeat("x", 5000) + `"}`,
		"subject too long": `{"rule":"wrong","range":{"path":"state.json"},"message":"x","subject":"` +
			strings.Repeat("x", 5000) + `"}`,
		"related place":        `{"rule":"wrong","range":{"path":"state.json"},"message":"x","related":[{"range":{"path":"/etc"},"message":"x"}]}`,
		"not told from a good": `{"rule":"wrong","severity":"info","range":{"path":"state.json"},"key":"good","message":"other"}`,
	} {
		t.Run(name, func(t *testing.T) {
			reply := replyTo(t, `{"diagnostics":[`+good+`,`+bad+`,`+good+`]}`)
			if len(reply.Refused) != 1 || !strings.Contains(reply.Refused[0], "(wrong)") {
				t.Errorf("got %q refused, expected one part, of the rule", reply.Refused)
			}
			if !slices.Contains(told(reply), "good") {
				t.Errorf("got %q, expected the good finding", told(reply))
			}
		})
	}
	if reply := replyTo(t, `{"diagnostics":[`+good+`,`+good+`]}`); len(told(reply)) != 1 || len(reply.Refused) != 0 {
		t.Errorf("equal findings: got %q and %q refused, expected one", told(reply), reply.Refused)
	}
	reply := replyTo(t, `{"detections":[{"lifecycle":"none"}],"recoveries":[{"title":""}],"diagnostics":[`+good+`]}`)
	if len(told(reply)) != 1 || len(reply.Detections)+len(reply.Recoveries) != 0 || len(reply.Refused) != 2 {
		t.Errorf("a detection and a recovery that are refused: got %+v", reply)
	}
}

// told lists the messages of the plugin's own findings.
func told(reply *exchange.Reply) []string {
	var list []string
	for _, f := range reply.Findings {
		if !f.Host {
			list = append(list, f.Message)
		}
	}
	return list
}

func replyTo(t *testing.T, report string) *exchange.Reply {
	t.Helper()
	answer, err := exchange.New().Run(toy(report), payload(t, input()))
	if err != nil {
		t.Fatal(err)
	}
	reply, err := exchange.DecodeReply(answer)
	if err != nil {
		t.Fatal(err)
	}
	return reply
}

func withSchema(text string) func(*exchange.Guest) {
	return func(g *exchange.Guest) {
		m := manifest()
		m.Schemas = map[string]string{"state": text}
		m.Documents[0].Schema = "state"
		g.Manifest = wire.EncodeManifest(m)
	}
}

func TestRunResolvesPlaces(t *testing.T) {
	report := `{"diagnostics":[{"rule":"wrong","range":{"path":"state.json","pointer":"/a"},"message":"a is 1"}]}`
	data, err := exchange.New().Run(toy(report), payload(t, input()))
	if err != nil {
		t.Fatal(err)
	}
	reply, err := exchange.DecodeReply(data)
	if err != nil {
		t.Fatal(err)
	}
	// The link is in place of the manifest's first document, so the host also reports it.
	if len(reply.Findings) != 2 || !reply.Findings[0].Host || reply.Findings[0].Rule != wire.RuleNotAFile {
		t.Fatalf("got %+v", reply.Findings)
	}
	found := reply.Findings[1]
	if found.Severity != wire.Warning || found.Place.Line != 1 || found.Place.Column != 6 ||
		found.Place.Excerpt != `{"a":1}` {
		t.Errorf("got %+v", found)
	}
}

func TestDescribeAsksThePlugin(t *testing.T) {
	call := func(export string, input []byte) ([]byte, error) {
		if export != "describe" || len(input) > 0 {
			t.Errorf("called %s with %q", export, input)
		}
		return []byte("{}"), nil
	}
	got, err := exchange.New().Run(exchange.Guest{Call: call}, bytes.Join(exchange.DescribePayload(), nil))
	if err != nil || !bytes.Equal(got, []byte("{}")) {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestReplyRoundTrip(t *testing.T) {
	whole := exchange.Reply{Report: wire.Report{
		Ask: []string{"src/a.go"}, Declined: "no", Identity: "x",
		Detections: []wire.Detection{{Lifecycle: "life", Fit: wire.Ahead,
			Facts: []wire.Fact{{Name: "n", Value: wire.Value{Kind: wire.IntValue, Int: 3}}}}},
		Recoveries:   []wire.Remedy{{Title: "Do it", Steps: []string{"do it"}}},
		RuleFailures: []wire.RuleFailure{{Rule: "wrong", Message: "it fails"}},
		Failure:      "Detect fails",
		ValidFrom:    instant.Of(time.Date(2026, 3, 10, 12, 0, 0, 1, time.UTC)),
		ValidUntil:   instant.Of(time.Date(2600, 1, 1, 0, 0, 0, 0, time.UTC)),
	},
		Findings: []finding.Finding{{Diagnostic: wire.Diagnostic{Rule: "wrong", Message: "a is \u2028 1"}}},
		Refused:  []string{"a remedy"},
	}
	for name, reply := range map[string]exchange.Reply{"empty": {}, "whole": whole,
		"without findings": {Report: wire.Report{Identity: "x"}}} {
		data, err := reply.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := exchange.DecodeReply(data)
		if err != nil || !reflect.DeepEqual(*got, reply) {
			t.Errorf("%s: got %+v, %v, want %+v", name, got, err, reply)
		}
		for n := range len(data) {
			if _, err := exchange.DecodeReply(data[:n]); err == nil && n != 4+int(binary.LittleEndian.Uint32(data)) {
				t.Errorf("%s: %d of %d bytes are a reply", name, n, len(data))
			}
		}
	}
	for _, size := range []uint32{1 << 31, 1<<32 - 1} {
		if _, err := exchange.DecodeReply(binary.LittleEndian.AppendUint32(nil, size)); err == nil {
			t.Errorf("a report of %d bytes is there", size)
		}
	}
}

func TestReplyValidity(t *testing.T) {
	noon, never := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC), time.Time{}
	year := func(y int) time.Time { return time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC) }
	for name, test := range map[string]struct {
		from, until, now time.Time
		valid            bool
	}{
		"always":                {never, never, noon, true},
		"always, clock or none": {never, never, never, true},
		"from then on":          {noon, never, noon, true},
		"not before":            {noon.Add(1), never, noon, false},
		"just before":           {never, noon.Add(1), noon, true},
		"no longer":             {never, noon, noon, false},
		"within both":           {noon.Add(-1), noon.Add(1), noon, true},
		"the first time":        {noon.Add(1), noon.Add(2), noon, false},
		"far away":              {year(2600), never, year(2700), true},
		"before 1970":           {never, year(1970), year(1969), true},
		"from 1960, no clock":   {year(1960), never, never, false},
		"until 2600, no clock":  {never, year(2600), never, false},
	} {
		reply := exchange.Reply{Report: wire.Report{ValidFrom: instant.Of(test.from),
			ValidUntil: instant.Of(test.until)}}
		if got := reply.ValidAt(test.now); got != test.valid {
			t.Errorf("%s: %t, want %t", name, got, test.valid)
		}
	}
}

// TestAnswered: a worker that continues with answers reports the same as one whose payload contains them.
func TestAnswered(t *testing.T) {
	m := manifest()
	m.AsksFor = []string{"src/**"}
	asks := exchange.Guest{
		SHA256: "asks", Manifest: wire.EncodeManifest(m), Limits: limits.Default(),
		Call: func(_ string, input []byte) ([]byte, error) {
			r, err := wire.DecodeRequest(input)
			switch {
			case err != nil:
				return nil, err
			case len(r.Answers) == 0:
				return []byte(`{"ask":["src/a"]}`), nil
			}
			return fmt.Appendf(nil, `{"declined":"now %d, then %d, %d documents"}`, r.Answers[0].Presence,
				r.Base.Answers[0].Presence, len(r.Documents)), nil
		},
	}
	now, then := []wire.Answer{{Path: "src/a", Presence: wire.Present}},
		[]wire.Answer{{Path: "src/a", Presence: wire.Absent}}
	more := exchange.AnswersPayload(now, then)
	e := exchange.New()
	if _, err := e.Run(asks, bytes.Join(more, nil)); fault.From(err, fault.IO).Kind != fault.Protocol {
		t.Errorf("answers to nothing: %v, want a failure of the protocol", err)
	}
	if got, err := e.Run(asks, payload(t, input())); err != nil || !bytes.HasSuffix(got, []byte(`{"ask":["src/a"]}`)) {
		t.Fatalf("asked %s, %v", got, err)
	}
	got, err := e.Run(asks, bytes.Join(more, nil))
	if err != nil {
		t.Fatal(err)
	}
	in := input()
	in.Answers, in.Base.Answers = now, then
	want, err := e.Run(asks, payload(t, in))
	if err != nil || !bytes.Equal(got, want) || !bytes.Contains(got, []byte("now 2, then 1, 2 documents")) {
		t.Errorf("with answers %s, as a whole %s, %v", got, want, err)
	}
	if _, err := e.Run(asks, bytes.Join(more, nil)); err == nil {
		t.Error("answers are taken twice")
	}

	waits := asks
	waits.Waits = func() bool { return true }
	waits.Call = func(export string, input []byte) ([]byte, error) {
		if export == "answer" {
			return fmt.Appendf(nil, `{"declined":%q}`, input), nil
		}
		return asks.Call(export, input)
	}
	if _, err := e.Run(waits, payload(t, input())); err != nil {
		t.Fatal(err)
	}
	if got, err := e.Run(waits, bytes.Join(more, nil)); err != nil ||
		!bytes.Contains(got, []byte(`{\"now\":[\"present\"],\"base\":[\"absent\"]}`)) {
		t.Errorf("a guest that waits for answers is given %s, %v", got, err)
	}
	if _, err := e.Run(waits, payload(t, input())); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(waits, bytes.Join(exchange.AnswersPayload(nil, nil), nil)); fault.From(err,
		fault.IO).Kind != fault.Protocol {
		t.Errorf("answers to other questions: %v, want a failure of the protocol", err)
	}
}

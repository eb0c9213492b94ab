package agent

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

// FuzzWithHooks: settings keep all their bytes, except blanks, in order and get each hook once, or they are rejected.
func FuzzWithHooks(f *testing.F) {
	for _, text := range []string{"", "{}", "{\n}\n", `{"hooks": {}}`, `{"hooks": {"Stop": []}, "a": [1, 2]}`,
		`{"hooks": []}`, "\ufeff{\r\n  \"a\": 1\r\n}\r\n", "{// c\n}", `{"hooks": {"Stop": "stategate hook x"}}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for i := range agents {
			a := &agents[i]
			once, err := a.withHooks(text)
			if err != nil {
				continue
			}
			rest := once
			for n := range len(text) {
				if strings.ContainsRune(" \t\r\n", rune(text[n])) { // an empty object may be reformatted
					continue
				}
				at := strings.IndexByte(rest, text[n])
				if at < 0 {
					t.Fatalf("%s: %q lost %q: %q", a.Name, text, text[n:], once)
				}
				rest = rest[at+1:]
			}
			if !json.Valid([]byte(strings.TrimPrefix(once, "\ufeff"))) {
				t.Fatalf("%s: %q became %q", a.Name, text, once)
			}
			if twice, err := a.withHooks(once); err != nil || twice != once {
				t.Fatalf("%s: %q: the second time it becomes %q: %v", a.Name, once, twice, err)
			}
		}
	})
}

// TestAnswers: each agent gets JSON for each event, or text on stderr if its documentation requires that.
func TestAnswers(t *testing.T) {
	want := map[string]string{
		"claude-code": "start:json prompt:json tool:stderr stop:stderr",
		"codex":       "start:json prompt:json tool:stderr stop:stderr",
		"gemini":      "start:json prompt:json tool:json stop:stderr", "cursor": "start:json tool:json stop:json",
		"copilot": "start:json tool:json stop:json",
	}
	kinds := map[Kind]string{Start: "start", Prompt: "prompt", Tool: "tool", Stop: "stop"}
	for i := range agents {
		a := &agents[i]
		var got []string
		seen := map[Kind]bool{}
		for _, x := range a.events {
			kind := a.Kind(&Event{Name: strings.ToLower(x.name)})
			if kinds[kind] == "" || seen[kind] {
				continue
			}
			seen[kind] = true
			how := "stderr"
			if reply, err := a.Answer(&Event{Name: x.name}, "the gate <is> closed"); err != nil {
				t.Error(err)
			} else if reply != nil {
				how = "json"
				if !json.Valid(reply) || !strings.Contains(string(reply), `the gate \u003cis\u003e closed`) {
					t.Errorf("%s %s: %s", a.Name, x.name, reply)
				}
			}
			got = append(got, kinds[kind]+":"+how)
		}
		if strings.Join(got, " ") != want[a.Name] {
			t.Errorf("%s: %s, want %s", a.Name, strings.Join(got, " "), want[a.Name])
		}
		for _, text := range []string{section, skill} {
			if n := strings.Count(text, "\n"); n > 15 {
				t.Errorf("the instructions have %d lines", n)
			}
		}
	}
	if k := Find("claude").Kind(&Event{Name: "Notification"}); k != Other {
		t.Errorf("an unknown event is of kind %d", k)
	}
}

// TestReadOpenInput: an event is read even if the agent keeps its end of the pipe open, and reading an incomplete event
// times out.
func TestReadOpenInput(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	go io.WriteString(w, `{"hook_event_name": "Stop", "session_id": "s"}`)
	if e, err := Read(t.Context(), r); err != nil || e.Session != "s" {
		t.Errorf("the input stays open: %+v, %v", e, err)
	}
	late := errors.New("late")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(late)
	if e, err := Read(ctx, r); !errors.Is(err, late) {
		t.Errorf("no event comes: %+v, %v", e, err)
	}
}

// TestWrongEvents: errors about an event use JSON terms, not Go terms.
func TestWrongEvents(t *testing.T) {
	for event, want := range map[string]string{
		"oops": "it is not valid JSON from byte 1 on", "[1]": "it is a JSON array, expected an object",
		`{"hook_event_name": "Stop", "cwd": 3}`:                 "cwd is a JSON number, expected a string",
		`{"hook_event_name": "Stop", "workspace_roots": "x"}`:   "workspace_roots is a JSON string, expected an array",
		`{"hook_event_name": "Stop", "stop_hook_active": "no"}`: "stop_hook_active is a JSON string, expected true or false",
		`{"hook_event_name": "Stop", "loop_count": {}}`:         "loop_count is a JSON object, expected an integer",
	} {
		if _, err := Read(t.Context(), strings.NewReader(event)); err == nil ||
			err.Error() != "standard input is not a hook event: "+want {
			t.Errorf("%s: %v", event, err)
		}
	}
	// tool_input differs between tools.
	if _, err := Read(t.Context(), strings.NewReader(`{"hook_event_name": "Stop", "tool_input": 3}`)); err != nil {
		t.Error(err)
	}
}

// Package agent describes programs that run coding agents: the events that their hooks report, how a hook answers, and
// the settings that register it. The programs differ in data, not in code.
package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// A Kind is the kind of an event. It determines what the gate does.
type Kind int

// The kinds of events.
const (
	Other   Kind = iota // ignored; newer agents may report events that are unknown here
	Start               // a session begins or resumes; the brief is added to its context
	Prompt              // the user sent a prompt; findings are added to the context, once
	Tool                // a tool may have changed files; findings are reported, once
	Stop                // the agent wants to end, but must not while the gate is closed
	Compact             // the context will be compacted; earlier reports are forgotten
)

// An Agent is a program that runs coding agents.
type Agent struct {
	Name   string // the name for `stategate hook` and `init --agent`
	Alias  string // a shorter name
	events []event
	file   string // the settings file in the repository
	empty  string // the content of a new settings file; "" means an empty object
	notes  string // the file for instructions
	Trust  string // what the user must do before the hooks run, or ""

	entry   func(matcher string) string               // returns one hook's settings, as JSON
	context func(event, text string) map[string]any   // returns the answer that adds to the context
	stop    func(event, reason string) map[string]any // returns the answer that keeps the agent going; nil: exit code 2
	tell    bool                                      // report findings after a tool by exit code 2, not as context
	counts  bool                                      // its events say whether it continues because of a hook
}

// An event is an event that a hook is registered for.
type event struct {
	name    string
	kind    Kind
	matcher string // pattern of tools that write, or of reasons
}

const withVersion = "{\n  \"version\": 1\n}\n"

// guarded returns the shell command for the hook. It does nothing if stategate is not installed, because a team shares
// these settings.
func guarded(name string) string {
	return "command -v stategate >/dev/null || exit 0; stategate hook " + name
}

// nested returns the settings of a hook for agents that group hooks under an event. The timeout is a minute, because
// the first call compiles plugins.
func nested(name, timeout string) func(string) string {
	return func(matcher string) string {
		if matcher != "" {
			matcher = `"matcher": "` + matcher + `", `
		}
		return `{` + matcher + `"hooks": [{"type": "command", "command": "` + guarded(name) + `", "timeout": ` +
			timeout + `}]}`
	}
}

func hookOutput(event, text string) map[string]any {
	return map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": event, "additionalContext": text}}
}

// agents lists the supported agents, according to their documentation in 2026.
var agents = []Agent{
	{
		Name: "claude-code", Alias: "claude", file: ".claude/settings.json", notes: ".claude/skills/stategate/SKILL.md",
		events: []event{{"SessionStart", Start, ""}, {"UserPromptSubmit", Prompt, ""},
			{"PostToolUse", Tool, "Bash|Edit|MultiEdit|Write|NotebookEdit"},
			{"Stop", Stop, ""}, {"SubagentStop", Stop, ""}, {"PreCompact", Compact, ""}},
		entry: nested("claude-code", "60"), context: hookOutput, tell: true, counts: true,
	},
	{
		Name: "codex", file: ".codex/hooks.json", notes: "AGENTS.md",
		Trust: "Codex asks once whether to trust these hooks (/hooks)",
		events: []event{{"SessionStart", Start, ""}, {"UserPromptSubmit", Prompt, ""},
			{"PostToolUse", Tool, "Bash|apply_patch|Edit|Write"},
			{"Stop", Stop, ""}, {"SubagentStop", Stop, ""}, {"PreCompact", Compact, ""}},
		entry: nested("codex", "60"), context: hookOutput, tell: true, counts: true,
	},
	{ // exit code 2 after a tool hides the tool's answer, so findings are reported as context
		Name: "gemini", file: ".gemini/settings.json", notes: "GEMINI.md",
		events: []event{{"SessionStart", Start, ""}, {"BeforeAgent", Prompt, ""},
			{"AfterTool", Tool, "run_shell_command|replace|write_file"},
			{"AfterAgent", Stop, ""}, {"PreCompress", Compact, ""}},
		entry: nested("gemini", "60000"), context: hookOutput, counts: true,
	},
	{
		Name: "cursor", file: ".cursor/hooks.json", empty: withVersion, notes: "AGENTS.md",
		events: []event{{"sessionStart", Start, ""}, {"postToolUse", Tool, "Shell|Write|Edit"}, {"stop", Stop, ""},
			{"subagentStop", Stop, ""},
			{"preCompact", Compact, ""}},
		entry: func(matcher string) string {
			if matcher != "" {
				matcher = `, "matcher": "` + matcher + `"`
			}
			return `{"command": "` + guarded("cursor") + `", "timeout": 60` + matcher + `}`
		},
		context: func(_, text string) map[string]any { return map[string]any{"additional_context": text} },
		stop:    func(_, reason string) map[string]any { return map[string]any{"followup_message": reason} },
		counts:  true,
	},
	{ // capitalized names select the event format of VS Code, which reads the same file
		Name: "copilot", file: ".github/hooks/stategate.json", empty: withVersion, notes: "AGENTS.md",
		events: []event{{"SessionStart", Start, ""}, {"PostToolUse", Tool, ""}, {"Stop", Stop, ""},
			{"SubagentStop", Stop, ""}, {"PreCompact", Compact, ""}},
		entry: func(string) string {
			const powershell = `if (Get-Command stategate -ErrorAction Ignore) { stategate hook copilot; exit $LASTEXITCODE }`
			return `{"type": "command", "bash": "` + guarded("copilot") + `", "powershell": "` + powershell + `", ` +
				`"command": "` + guarded("copilot") + `", "windows": "` + powershell + `", "timeoutSec": 60}`
		},
		context: func(event, text string) map[string]any {
			all := hookOutput(event, text)
			all["additionalContext"] = text
			return all
		},
		stop: func(event, reason string) map[string]any {
			return map[string]any{"decision": "block", "reason": reason, "hookSpecificOutput": map[string]any{
				"hookEventName": event, "decision": "block", "reason": reason}}
		},
	},
}

// Names returns the names of all agents.
func Names() (list []string) {
	for i := range agents {
		list = append(list, agents[i].Name)
	}
	return list
}

// Find returns the agent with the given name or alias, or nil if it is unknown.
func Find(name string) *Agent {
	i := slices.IndexFunc(agents, func(a Agent) bool { return a.Name == name || a.Alias != "" && a.Alias == name })
	if i < 0 {
		return nil
	}
	return &agents[i]
}

// An Event holds the fields that stategate reads from an event. All of them are untrusted.
type Event struct {
	Name         string   `json:"hook_event_name"`
	Session      string   `json:"session_id"`
	Conversation string   `json:"conversation_id"`
	Subagent     string   `json:"agent_id"`
	Dir          string   `json:"cwd"`
	Roots        []string `json:"workspace_roots"`
	Active       bool     `json:"stop_hook_active"`
	Loops        int      `json:"loop_count"`
	Status       string   `json:"status"` // how the agent ended, if the agent reports it
	Input        struct {
		File string `json:"file_path"`
	} `json:"tool_input"`
}

const maxEvent = 64 << 20 // bytes; an event contains the tool's answer

// Read reads an event. It does not wait for the end of the input, which an agent may keep open. If ctx ends first, it
// returns the cause.
func Read(ctx context.Context, r io.Reader) (*Event, error) {
	done := make(chan error, 1)
	e, limited := &Event{}, &io.LimitedReader{R: r, N: maxEvent}
	go func() { done <- json.NewDecoder(limited).Decode(e) }()
	var err error
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case err = <-done:
	}
	var wrong *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &wrong) && strings.HasPrefix(wrong.Field, "tool_input"):
		err = nil // tool_input differs between tools
	case err != nil && limited.N == 0:
		return nil, fmt.Errorf("the event is larger than %d MB", maxEvent>>20)
	case errors.Is(err, io.EOF):
		err = errors.New("it is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("its JSON ends early")
	case errors.As(err, &wrong):
		err = wrongType(wrong)
	case errors.As(err, &syntax):
		err = fmt.Errorf("it is not valid JSON from byte %d on", syntax.Offset)
	}
	if err != nil {
		return nil, fmt.Errorf("standard input is not a hook event: %w", err)
	}
	if e.Name == "" {
		return nil, errors.New("standard input is not a hook event: hook_event_name is missing")
	}
	return e, nil
}

// wrongType reports which value of an event has the wrong type, in JSON terms.
func wrongType(err *json.UnmarshalTypeError) error {
	want := map[reflect.Kind]string{reflect.String: "a string", reflect.Bool: "true or false",
		reflect.Int: "an integer", reflect.Slice: "an array"}[err.Type.Kind()]
	if err.Field == "" {
		return fmt.Errorf("it is a JSON %s, expected an object", err.Value)
	}
	return fmt.Errorf("%s is a JSON %s, expected %s", err.Field, err.Value, want)
}

// At returns the directory that the event is about, or "" if the event does not name it.
func (e *Event) At() string {
	dir := e.Dir
	if dir == "" && len(e.Roots) > 0 {
		dir = e.Roots[0]
	}
	if !filepath.IsAbs(dir) {
		return ""
	}
	return dir
}

// Conversing identifies the session, and the subagent in it, if any.
func (e *Event) Conversing() string { return e.Session + " " + e.Conversation + " " + e.Subagent }

// Kind returns the kind of an event.
func (a *Agent) Kind(e *Event) Kind {
	i := slices.IndexFunc(a.events, func(x event) bool { return strings.EqualFold(x.name, e.Name) })
	if i < 0 {
		return Other
	}
	return a.events[i].kind
}

// Repeats reports whether the agent continues because a hook kept it going.
func (e *Event) Repeats() bool { return e.Active || e.Loops > 0 }

// Abandoned reports whether the user or an error ended the agent. A hook must not keep it going then.
func (e *Event) Abandoned() bool { return e.Status == "aborted" || e.Status == "error" }

// Counts reports whether the agent's events provide the information that Repeats needs.
func (a *Agent) Counts() bool { return a.counts }

// Answer returns the JSON that sends a text to the agent on stdout, or nil if the text must go to stderr, with exit
// code 2.
func (a *Agent) Answer(e *Event, text string) ([]byte, error) {
	var reply map[string]any
	switch kind := a.Kind(e); {
	case kind == Stop && a.stop != nil:
		reply = a.stop(e.Name, text)
	case kind == Stop, kind == Tool && a.tell:
		return nil, nil
	default:
		reply = a.context(e.Name, text)
	}
	return json.Marshal(reply)
}

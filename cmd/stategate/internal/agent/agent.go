// Package agent knows the programs that run coding agents: which events their hooks report, how a hook answers, and
// which settings name it. They differ by data, not by code.
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

// A Kind is what an event asks of the gate.
type Kind int

// The kinds of events.
const (
	Other   Kind = iota // nothing; newer agents report events that are not known here
	Start               // a session begins or resumes: its context gets the brief
	Prompt              // the user has written: findings become context, once
	Tool                // a tool may have changed files: findings are reported, once
	Stop                // the agent is about to end: it does not while the gate is closed
	Compact             // the context is about to be shortened: earlier reports are forgotten
)

// An Agent is a program that runs coding agents.
type Agent struct {
	Name   string // as `stategate hook NAME` and `init --agent` have it
	Alias  string // a shorter name
	events []event
	file   string // of the repository, which names the hooks
	empty  string // what a new file of settings begins with; "" is an empty object
	notes  string // the file that gets instructions
	Trust  string // what the user has to do before the hooks run, "" for nothing

	entry   func(matcher string) string               // the settings of one hook, as JSON
	context func(event, text string) map[string]any   // the answer that adds to the context
	stop    func(event, reason string) map[string]any // the answer that keeps the agent going; nil: exit code 2
	tell    bool                                      // a finding after a tool is said by exit code 2, not as context
	counts  bool                                      // it says whether it continues because of this hook
}

// An event is one that a hook is set up for.
type event struct {
	name    string
	kind    Kind
	matcher string // of the tools that write, or of the reasons
}

const withVersion = "{\n  \"version\": 1\n}\n"

// guarded calls the hook in a shell, and nothing where stategate is not installed: settings are shared by a team.
func guarded(name string) string {
	return "command -v stategate >/dev/null || exit 0; stategate hook " + name
}

// nested is the settings of a hook where an event has groups of them. Its timeout is a minute: the first one compiles
// plugins.
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

// Agents are those whose hooks are known, as their documentation of 2026 has them.
var Agents = []Agent{
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
	{ // exit code 2 after a tool hides what the tool answered, so that a finding is context there
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
	{ // names with a capital have events named as VS Code does, which reads the same file
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

// Names are the names of all agents.
func Names() (list []string) {
	for i := range Agents {
		list = append(list, Agents[i].Name)
	}
	return list
}

// Find returns the agent of a name, nil if none is known.
func Find(name string) *Agent {
	i := slices.IndexFunc(Agents, func(a Agent) bool { return a.Name == name || a.Alias != "" && a.Alias == name })
	if i < 0 {
		return nil
	}
	return &Agents[i]
}

// An Event is what stategate reads of an event. All of it comes from outside.
type Event struct {
	Name         string   `json:"hook_event_name"`
	Session      string   `json:"session_id"`
	Conversation string   `json:"conversation_id"`
	Subagent     string   `json:"agent_id"`
	Dir          string   `json:"cwd"`
	Roots        []string `json:"workspace_roots"`
	Active       bool     `json:"stop_hook_active"`
	Loops        int      `json:"loop_count"`
	Status       string   `json:"status"` // how an agent ends, where it says so
	Input        struct {
		File string `json:"file_path"`
	} `json:"tool_input"`
}

const maxEvent = 64 << 20 // bytes; it holds what a tool answered

// Read reads an event until its end, not that of the input, which an agent may keep open; or until ctx ends, whose
// cause it returns.
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
		err = nil // what a tool sends is its own affair
	case err != nil && limited.N == 0:
		return nil, fmt.Errorf("the event has more than %d MB", maxEvent>>20)
	case errors.Is(err, io.EOF):
		err = errors.New("it is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("its JSON ends early")
	case errors.As(err, &wrong):
		err = wrongType(wrong)
	case errors.As(err, &syntax):
		err = fmt.Errorf("it is not JSON from byte %d on", syntax.Offset)
	}
	if err != nil {
		return nil, fmt.Errorf("standard input is no event of a hook: %w", err)
	}
	if e.Name == "" {
		return nil, errors.New("standard input is no event of a hook: hook_event_name is missing")
	}
	return e, nil
}

// wrongType says which value of an event has the wrong type, in the words of JSON.
func wrongType(err *json.UnmarshalTypeError) error {
	want := map[reflect.Kind]string{reflect.String: "a string", reflect.Bool: "true or false",
		reflect.Int: "an integer", reflect.Slice: "an array"}[err.Type.Kind()]
	if err.Field == "" {
		return fmt.Errorf("it is of type %s; use an object", err.Value)
	}
	return fmt.Errorf("%s is of type %s; use %s", err.Field, err.Value, want)
}

// At is the directory that the event is about, "" if it does not say.
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

// Conversing names the session, and in it the agent that another one started.
func (e *Event) Conversing() string { return e.Session + " " + e.Conversation + " " + e.Subagent }

// Kind is what an event asks of the gate.
func (a *Agent) Kind(e *Event) Kind {
	i := slices.IndexFunc(a.events, func(x event) bool { return strings.EqualFold(x.name, e.Name) })
	if i < 0 {
		return Other
	}
	return a.events[i].kind
}

// Repeats reports whether the agent continues because this hook, or another one, has kept it going.
func (e *Event) Repeats() bool { return e.Active || e.Loops > 0 }

// Abandoned reports whether an agent ends because its user, or an error, has ended it: nothing keeps it going then.
func (e *Event) Abandoned() bool { return e.Status == "aborted" || e.Status == "error" }

// Counts reports whether the agent says whether it repeats.
func (a *Agent) Counts() bool { return a.counts }

// Answer says how a text gets to the agent: as JSON on stdout, or, where that is nil, on stderr with exit code 2.
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

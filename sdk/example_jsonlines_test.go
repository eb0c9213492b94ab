package sdk_test

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stategate/stategate/sdk"
	"github.com/stategate/stategate/sdk/fixture"
	"github.com/stategate/stategate/sdk/jsondoc"
)

// This workflow keeps its state in JSON Lines: events.jsonl has one event per line and only grows. In the example, a
// task is done that was never begun, and an event that the base has is missing.
func Example_jsonLines() {
	open := &sdk.Phase{Name: "open", Number: 1}
	life := &sdk.Lifecycle{Name: "run", Phases: []*sdk.Phase{open}}
	doneUnbegun := &sdk.Rule{
		Name: "done-unbegun", Severity: sdk.Error, Doc: "A task is done, but no earlier event begins it.",
		Check: func(p *sdk.Pass) error {
			begun := map[string]bool{}
			for _, e := range readEvents(p.Docs) {
				if e.kind == "done" && !begun[e.task] {
					p.Report(sdk.Diagnostic{
						Range:   sdk.AtPointer("events.jsonl", "/"+strconv.Itoa(e.line)+"/kind"),
						Message: "kind is done, but no earlier line begins task " + e.task,
					})
				}
				begun[e.task] = begun[e.task] || e.kind == "begun"
			}
			return nil
		},
	}
	eventLost := &sdk.Rule{
		Name: "event-lost", Severity: sdk.Error, Doc: "An event of the base is missing, although the log only grows.",
		Check: func(p *sdk.Pass) error {
			now := readEvents(p.Docs)
			for i, was := range readEvents(p.Base.Docs) {
				if p.Base.State == sdk.BaseAt && (i >= len(now) || !jsondoc.Equal(was.value, now[i].value)) {
					p.Report(sdk.Diagnostic{
						Range: sdk.At("events.jsonl"),
						Message: fmt.Sprintf("event %d of the base was deleted or changed: %s %s",
							i+1, was.kind, was.task),
					})
					break
				}
			}
			return nil
		},
	}
	events := &sdk.Workflow{
		Name: "events", Version: "1.0.0", Doc: "Runs that log their events.",
		Roots:      []sdk.Root{{Dir: ".events/*", Markers: []string{"events.jsonl"}}},
		Documents:  []sdk.DocumentSpec{{Glob: "events.jsonl", Format: sdk.JSONLines, Need: sdk.Content}},
		Lifecycles: []*sdk.Lifecycle{life},
		Rules:      []*sdk.Rule{doneUnbegun, eventLost},
		Detect: func(p *sdk.Pass) ([]sdk.Detection, error) {
			return []sdk.Detection{{Lifecycle: life, Observed: open}}, nil
		},
	}

	kit, err := fixture.NewKit(events.Manifest(), fixture.Native(events))
	if err != nil {
		fmt.Println(err)
		return
	}
	look, err := kit.Look(fixture.World{
		Header: fixture.Header{Root: ".events/heron", Name: "heron", BaseState: sdk.BaseAt},
		Base: []fixture.Entry{{Path: "events.jsonl",
			Data: []byte(`{"kind": "begun", "task": "a"}` + "\n" + `{"kind": "begun", "task": "b"}` + "\n")}},
		Files: []fixture.Entry{{Path: "events.jsonl",
			Data: []byte(`{"task": "a", "kind": "begun"}` + "\n\n" + `{"kind": "done", "task": "b"}` + "\n")}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(look.Text())
	// Output: run: observed open, unknown, active
	//
	// events.jsonl: error event-lost: event 2 of the base was deleted or changed: begun b
	//
	// events.jsonl:3:10: error done-unbegun: kind is done, but no earlier line begins task b
}

type event struct {
	line       int // counts from 0 and includes blank lines: the first token of a pointer
	kind, task string
	value      jsondoc.Value
}

// readEvents skips lines that are not JSON, because the host reports them.
func readEvents(docs sdk.Docs) []event {
	var list []event
	doc := docs.Get("events.jsonl")
	if doc == nil {
		return nil
	}
	for i, line := range strings.Split(doc.Text, "\n") {
		if parsed, err := jsondoc.Parse(line); err == nil {
			e := event{line: i, value: parsed.Root()}
			e.kind, _ = e.value.Get("kind").Text()
			e.task, _ = e.value.Get("task").Text()
			list = append(list, e)
		}
	}
	return list
}

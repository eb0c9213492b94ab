package cache

import (
	"reflect"
	"testing"

	"github.com/stategate/stategate/host/limits"
	"github.com/stategate/stategate/sdk/wire"
)

func examplePlugin() PluginInputs {
	return PluginInputs{HostVersion: "1.2.3", Name: "notes", SHA256: "abc", Limits: limits.Default(), Options: "{}"}
}

func exampleRun() RunInputs {
	return RunInputs{
		Plugin: examplePlugin().Key(), Root: "a/.notes", Name: ".notes", Source: wire.Index, Digest: "d",
		Unseen: []string{"u", "v"}, Ignored: []string{"i"}, Base: BaseInputs{wire.BaseAt, "b/.notes", "e"},
		Answers:     []wire.Answer{{Path: "p", Presence: wire.Present}, {Path: "q", Presence: wire.Absent}},
		BaseAnswers: []wire.Answer{{Path: "p", Presence: wire.Absent}, {Path: "q", Presence: wire.Absent}},
		Details:     true,
	}
}

// changes calls do once for each exported part of a value, after changing it, with the part's name. It also covers
// fields that are added later.
func changes(t *testing.T, name string, v reflect.Value, do func(name string)) {
	t.Helper()
	old := reflect.ValueOf(v.Interface())
	changed := func(to any) {
		v.Set(reflect.ValueOf(to).Convert(v.Type()))
		do(name)
		v.Set(old)
	}
	switch v.Kind() {
	case reflect.String:
		changed(v.String() + "x")
		changed("")
	case reflect.Bool:
		changed(!v.Bool())
	case reflect.Int, reflect.Int64:
		changed(v.Int() - 1)
	case reflect.Uint8:
		changed(v.Uint() ^ 1)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				changes(t, name+"."+f.Name, v.Field(i), do)
			}
		}
	case reflect.Slice:
		changed(v.Slice(0, v.Len()-1).Interface())
		changed(reflect.Append(v.Slice3(0, v.Len(), v.Len()), reflect.Zero(v.Type().Elem())).Interface())
		for i := range v.Len() {
			changes(t, name+"[]", v.Index(i), do)
		}
	default:
		t.Fatalf("%s: a %s, for which this test knows no other value", name, v.Kind())
	}
}

// TestEveryInputChangesTheKey: a verdict with any other input is never found.
func TestEveryInputChangesTheKey(t *testing.T) {
	keyOf := func(r *RunInputs) [32]byte { return replyKey(r.digest(), r.Details) }
	keys, tried := map[[32]byte]string{}, 0
	add := func(name string, key [32]byte) {
		tried++
		if other, ok := keys[key]; ok {
			t.Errorf("%s leaves the key the same as %s", name, other)
		}
		keys[key] = name
	}
	run := exampleRun()
	add("nothing", keyOf(&run))
	changes(t, "run", reflect.ValueOf(&run).Elem(), func(name string) { add(name, keyOf(&run)) })
	options := map[[32]byte]string{run.Plugin.optionsKey(): "nothing"}
	plugin := examplePlugin()
	changes(t, "plugin", reflect.ValueOf(&plugin).Elem(), func(name string) {
		run.Plugin = plugin.Key()
		add(name, keyOf(&run))
		options[run.Plugin.optionsKey()] = name
	})
	if len(options) < 20 || tried < 60 {
		t.Errorf("%d keys of options, %d of runs", len(options), tried)
	}
}

// TestInputsAreSeparatedInKeys: moving a value from one input to the next changes the key.
func TestInputsAreSeparatedInKeys(t *testing.T) {
	run := exampleRun()
	keys := map[[32]byte]bool{run.digest(): true}
	for name, move := range map[string]func(r *RunInputs){
		"a glob":            func(r *RunInputs) { r.Unseen, r.Ignored = []string{"u"}, []string{"v", "i"} },
		"all globs":         func(r *RunInputs) { r.Unseen, r.Ignored = nil, []string{"u", "v", "i"} },
		"part of a glob":    func(r *RunInputs) { r.Unseen = []string{"uv", ""} },
		"the root":          func(r *RunInputs) { r.Root, r.Name = "a/.notes.", "notes" },
		"an answer":         func(r *RunInputs) { r.Answers, r.BaseAnswers = r.BaseAnswers, r.Answers },
		"bytes of no UTF-8": func(r *RunInputs) { r.Root = "a/\xff" },
		"another such byte": func(r *RunInputs) { r.Root = "a/\xfe" },
	} {
		r := exampleRun()
		move(&r)
		if keys[r.digest()] {
			t.Errorf("%s: the key has been there before", name)
		}
		keys[r.digest()] = true
	}
}

// TestReplies: a reply is found by its inputs. A reply with details is also found if none are needed, but never the
// reverse.
func TestReplies(t *testing.T) {
	v := newStore(t).open()
	full, bare := exampleRun(), exampleRun()
	bare.Details = false
	find := func(r RunInputs) string {
		text, ok := v.Reply(&r)
		if !ok {
			return "-"
		}
		return string(text)
	}
	v.KeepReply(&bare, []byte("bare"))
	if got := find(full) + find(bare); got != "-bare" {
		t.Errorf("after the bare one: %s", got)
	}
	other := bare
	other.Root = "elsewhere"
	fullOther := other
	fullOther.Details = true
	v.KeepReply(&fullOther, []byte("full"))
	if got := find(other) + find(fullOther) + find(full); got != "fullfull-" {
		t.Errorf("after a full one of another run: %s", got)
	}
	if full.slot() == bare.slot() || full.slot() == other.slot() {
		t.Error("replies take the place of others")
	}
	plugin, moved := examplePlugin(), examplePlugin()
	moved.Options = `{"a": 1}`
	v.KeepOptionsValid(plugin.Key())
	if !v.OptionsValid(plugin.Key()) || v.OptionsValid(moved.Key()) {
		t.Error("unchecked options are known to be right, or checked ones are not")
	}
	var none *Verdicts
	none.KeepReply(&full, nil)
	none.KeepOptionsValid(plugin.Key())
	if _, ok := none.Reply(&full); ok || none.OptionsValid(plugin.Key()) {
		t.Error("something is found where nothing is kept")
	}
}

package advice

import (
	"testing"

	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
)

func TestRecover(t *testing.T) {
	worktree := &result.Result{Source: wire.Worktree}
	tests := []struct {
		name  string
		below string
		flags Flags
		paths []string
		r     *result.Result
		want  string
	}{
		{"nothing", "", Flags{}, nil, worktree, "stategate recover"},
		{"paths below", "", Flags{}, []string{".ocr", "a/b"}, worktree, "stategate recover"},
		{"paths elsewhere", "", Flags{}, []string{"a", "../b c"}, worktree, "stategate recover a '../b c'"},
		{"a plugin and a base", "", Flags{Plugins: []string{"it's.wasm"}, Bases: []string{"HEAD~1"}}, nil, worktree,
			`stategate recover --plugin 'it'\''s.wasm' --base HEAD~1`},
		{"the index", "", Flags{Staged: true}, nil, &result.Result{Source: wire.Index},
			"stategate recover"},
		{"HEAD", "", Flags{}, nil, &result.Result{Source: wire.Commit, Base: []result.Base{{ID: "0123456789abcdef"}}},
			"stategate recover --base 0123456789ab"},
		{"a merge", "", Flags{}, nil, &result.Result{Source: wire.Commit, Revision: "0123456789abcdef",
			Base: []result.Base{{ID: "1", Role: "parent"}, {ID: "2", Role: "parent"}}},
			"stategate recover --base 0123456789ab^@"},
		{"a merge that is not made", "", Flags{}, nil, &result.Result{Source: wire.Commit, Merge: "side",
			Base: []result.Base{{ID: "1", Role: "parent"}, {ID: "2", Role: "parent"}}},
			"git merge --no-commit side; stategate recover"},
		{"two given bases", "", Flags{}, nil, &result.Result{Source: wire.Commit,
			Base: []result.Base{{ID: "1", Role: "given"}, {ID: "2", Role: "given"}}},
			"stategate recover --base 1 --base 2"},
		{"a branch", "", Flags{Bases: []string{"HEAD"}}, nil,
			&result.Result{Source: wire.Commit, Switch: []string{"it's"}},
			`git switch 'it'\''s' && stategate recover --base none`},
		{"a hook, from below", "/a b", Flags{Plugins: []string{"ocr", "x/y.wasm"}, Config: "c.yaml"},
			[]string{"a b/c"}, worktree,
			"stategate recover --plugin ocr --plugin ../x/y.wasm --config ../c.yaml"},
		{"a hook that looks elsewhere", "/a b", Flags{}, []string{"c"}, worktree, "stategate recover ../c"},
	}
	for _, test := range tests {
		c := &Call{Flags: test.flags, Program: "stategate", Started: "/r", Typed: "/r" + test.below, Paths: test.paths}
		if got := c.Recover(test.r); got != test.want {
			t.Errorf("%s: it is %q, expected %q", test.name, got, test.want)
		}
	}
}

// TestCheck: the commands that check again repeat what the call set, for where the user types.
func TestCheck(t *testing.T) {
	all := Flags{Plugins: []string{"x/y.wasm"}, Config: "c.yaml", PolicyFrom: "main", Bases: []string{"HEAD~1"},
		FailOn: "warning"}
	worktree := &result.Result{Source: wire.Worktree}
	for _, test := range []struct {
		typed        string
		flags        Flags
		paths        []string
		r            *result.Result
		all, changed string
	}{
		{"/r", Flags{}, nil, worktree, "stategate check", "stategate check --changed"},
		{"/r/a", Flags{Staged: true}, nil, worktree, "stategate check ..", "stategate check --changed .."},
		{"/r/a", all, []string{"a/b"}, worktree,
			"stategate check --plugin ../x/y.wasm --config ../c.yaml --policy-from main --base HEAD~1 " +
				"--fail-on warning b",
			"stategate check --changed --plugin ../x/y.wasm --config ../c.yaml --policy-from main --base HEAD~1 " +
				"--fail-on warning b"},
		{"/r", Flags{Plugins: []string{"p"}}, nil, &result.Result{Source: wire.Commit, Revision: "0123456789abcdef",
			Outside: result.Outside{Base: "fedcba9876543210"}},
			"stategate check --rev 0123456789ab --plugin p --base-exact fedcba987654",
			"stategate check --changed --plugin p"},
	} {
		c := &Call{Flags: test.flags, Program: "stategate", Started: "/r", Typed: test.typed, Paths: test.paths}
		if got := c.CheckAll(test.r); got != test.all {
			t.Errorf("it is %q, expected %q", got, test.all)
		}
		if got := c.CheckChanged(); got != test.changed {
			t.Errorf("it is %q, expected %q", got, test.changed)
		}
	}
}

// TestUndoRepeatsThePlugin checks that the check after the undo knows the workflow.
func TestUndoRepeatsThePlugin(t *testing.T) {
	for want, flags := range map[string]Flags{
		"stategate recover --undo":                                 {Bases: []string{"HEAD~1"}},
		"stategate recover --undo --plugin x.wasm --config c.yaml": {Plugins: []string{"x.wasm"}, Config: "c.yaml"},
	} {
		if got := (&Call{Flags: flags, Program: "stategate"}).Undo(); got != want {
			t.Errorf("it is %q, expected %q", got, want)
		}
	}
}

// TestAccept: the command accepts a finding of the call, and is not offered if it would not find it.
func TestAccept(t *testing.T) {
	worktree := &result.Result{Source: wire.Worktree, Workspace: "/r"}
	for _, test := range []struct {
		name  string
		typed string
		flags Flags
		r     *result.Result
		want  string
	}{
		{"nothing", "/r/below", Flags{FailOn: "warning"}, worktree, `stategate accept 15d2 --reason "…"`},
		{"a plugin, a base and a configuration", "/r/below", Flags{Plugins: []string{"x/y.wasm"}, Config: "c.yaml",
			Bases: []string{"none"}}, worktree,
			`stategate accept 15d2 --plugin ../x/y.wasm --config ../c.yaml --base none --reason "…"`},
		{"the index", "/r", Flags{Staged: true}, &result.Result{Source: wire.Index, Workspace: "/r"},
			`stategate accept 15d2 --staged --reason "…"`},
		{"a commit", "/r", Flags{}, &result.Result{Source: wire.Commit, Workspace: "/r"}, ""},
		{"the policy of a commit", "/r", Flags{PolicyFrom: "main"}, worktree, ""},
		{"another repository", "/s", Flags{}, worktree, ""},
	} {
		c := &Call{Flags: test.flags, Program: "stategate", Started: "/r", Typed: test.typed}
		if got := c.Accept(test.r, "15d2"); got != test.want {
			t.Errorf("%s: it is %q, expected %q", test.name, got, test.want)
		}
	}
}

func TestToName(t *testing.T) {
	run := func(plugin, root, lifecycle, subject string) result.Run {
		return result.Run{Instance: &result.Instance{Plugin: plugin, Root: root},
			Self: &wire.Detection{Lifecycle: lifecycle, Subject: subject}}
	}
	runs := []result.Run{
		run("p", "a", "run", ""), run("p", "b", "run", "r1"), run("p", "b", "run", "r'2"), run("q", "b", "run", "-r"),
		run("p", "c", "x", "1"), run("p", "c", "y", "1"), run("p", "c", "y", ""),
	}
	runs[0].Self.State = wire.Finished
	want := []string{" --run=run", " --workflow p --run=r1", ` --workflow p --run='r'\''2'`, " --workflow q",
		" --run='x 1'", " --run='y 1'", " --run=y"}
	for i := range runs {
		if got := toName(runs, i); got != want[i] {
			t.Errorf("%d: got %s, want %s", i, got, want[i])
		}
	}
}

func TestPath(t *testing.T) {
	for path, want := range map[string]string{
		".": ".", "a/b-c_d.e": "a/b-c_d.e", "a b": "'a b'", "-x": "./-x", "$(x)": "'$(x)'", "~": "'~'",
		"a'b": `'a'\''b'`, "é": "'é'", "": "''", "a\nb": `"$(printf 'a\012b')"`,
	} {
		if got := quotedPath(path); got != want {
			t.Errorf("%q: got %s, want %s", path, got, want)
		}
	}
}

package check_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stategate/stategate/host/check"
	"github.com/stategate/stategate/host/check/checktest"
	"github.com/stategate/stategate/host/plugin"
	"github.com/stategate/stategate/host/policy"
	"github.com/stategate/stategate/host/result"
	"github.com/stategate/stategate/sdk/wire"
	"github.com/stategate/stategate/testdata/guests"
)

// lines says what was found where.
func lines(r *result.Result) string {
	var list []string
	for _, i := range r.Instances {
		for _, d := range i.Diagnostics {
			list = append(list, fmt.Sprintf("%s:%d", d.Place.Path, d.Place.Line))
		}
	}
	return strings.Join(list, " ")
}

// moved puts the place of the finding in an instance on another line.
func moved(t *testing.T, dir, root string) {
	t.Helper()
	checktest.Write(t, filepath.Join(dir, root, guests.Root, guests.Document), "\n\n"+guests.Text)
}

const before, after = "a/.sin/state.json:1 b/.sin/state.json:1", "a/.sin/state.json:3 b/.sin/state.json:1"

// TestMemory: what is not forgotten is not read again; what lies at, below or around a
// path that changed is.
func TestMemory(t *testing.T) {
	for path, want := range map[string]string{
		"": before, "b/.sin/state.json": before, "a/.sinful": before, "a/x": before, "c": before,
		"a/.sin/state.json": after, "a/.sin/new/file": after, "a/.sin": after, "a": after, ".": after, ".gitignore": after, "b/.gitattributes": after, ".git/index": after,
	} {
		dir := checktest.Tree(t, "a", "b")
		o := checktest.Options(dir, checktest.Plugin(t, "one", checktest.Told))
		o.Memory = &check.Memory{}
		if got := lines(checktest.Check(t, o)); got != before {
			t.Fatalf("got %s", got)
		}
		moved(t, dir, "a")
		if path != "" {
			o.Memory.Forget([]string{path})
		}
		if got := lines(checktest.Check(t, o)); got != want {
			t.Errorf("after a change of %q: got %s, want %s", path, got, want)
		}
	}
}

// TestMemoryOfOptions: another plugin, another limit or a base end what is remembered.
func TestMemoryOfOptions(t *testing.T) {
	for name, change := range map[string]func(o *check.Options){
		"plugin": func(o *check.Options) { o.Plugins = []*plugin.Plugin{checktest.Plugin(t, "one", checktest.Told+" ")} },
		"limits": func(o *check.Options) { o.Limits.Diagnostics-- },
		"policy": nil,
	} {
		dir := checktest.Tree(t, "a", "b")
		o := checktest.Options(dir, checktest.Plugin(t, "one", checktest.Told))
		o.Memory = &check.Memory{}
		checktest.Check(t, o)
		moved(t, dir, "a")
		want := before
		if change != nil {
			want = after
			change(&o)
		}
		if got := lines(checktest.Check(t, o)); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// TestMemoryIsPristine: the policy of one check leaves no trace in what is remembered, and
// the directories that are not read again are told.
func TestMemoryIsPristine(t *testing.T) {
	dir := checktest.Tree(t, "a", "b")
	o := checktest.Options(dir, checktest.Plugin(t, "one", checktest.Told))
	var lock sync.Mutex
	var dirs []string
	o.Jobs = 1
	o.Listed = func(dir string) {
		lock.Lock()
		defer lock.Unlock()
		dirs = append(dirs, dir)
	}
	fresh := checktest.Check(t, o)
	all := sorted(dirs)
	o.Memory = &check.Memory{}
	for range 3 {
		o.Policy = policy.Policy{Severities: map[string]wire.Severity{"told": wire.Off}}
		if got := lines(checktest.Check(t, o)); got != "" {
			t.Errorf("a rule that is off finds %s", got)
		}
		o.Policy, dirs = policy.Policy{}, nil
		if got := checktest.Check(t, o); !reflect.DeepEqual(got.Instances, fresh.Instances) {
			t.Errorf("got\n%+v\nwant\n%+v", got.Instances, fresh.Instances)
		}
		if got := sorted(dirs); !slices.Equal(got, all) {
			t.Errorf("told are %v, want %v", got, all)
		}
	}
}

func sorted(dirs []string) []string {
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// TestMemoryOfTime: a verdict that holds until a moment is not remembered beyond it.
func TestMemoryOfTime(t *testing.T) {
	dir := checktest.Tree(t, "a", "b")
	report := strings.TrimSuffix(checktest.Told, "}") + `,"valid_from":"2026-03-10T11:00:00Z","valid_until":"2026-03-10T13:00:00Z"}`
	for hours, want := range map[int]string{0: before, -1: before, -2: after, 1: after, 2: after} {
		checktest.Write(t, filepath.Join(dir, "a", guests.Root, guests.Document), guests.Text)
		o := checktest.Options(dir, checktest.Plugin(t, "one", report))
		o.Memory = &check.Memory{}
		checktest.Check(t, o)
		moved(t, dir, "a")
		o.Now = o.Now.Add(time.Duration(hours) * time.Hour)
		if got := lines(checktest.Check(t, o)); got != want {
			t.Errorf("%d hours later: got %s, want %s", hours, got, want)
		}
	}
}

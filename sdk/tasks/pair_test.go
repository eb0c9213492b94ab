//go:build !wasip1

package tasks_test

import (
	"testing"

	"github.com/stategate/stategate/sdk/tasks"
)

func TestPairFindsTasksAgain(t *testing.T) {
	for _, test := range []struct {
		name, was, is string
		how           tasks.How
		found         string // the text that the first task has now
	}{
		{"same", "- [x] 1. Add parser\n- [ ] 2. B\n", "- [ ] 2. B\n- [ ] 1. Add parser\n", tasks.Same, "1. Add parser"},
		{"renumbered", "- [x] 1. Add parser\n- [ ] 2. B\n", "- [x] 1. B\n- [ ] 2. Add parser\n", tasks.Renumbered,
			"2. Add parser"},
		{"prolonged", "- [x] 1. Add parser\n- [ ] 2. B\n", "- [ ] 1. Add parser of notes\n- [ ] 2. B\n", tasks.Reworded,
			"1. Add parser of notes"},
		{"reworded", "- [x] 1. Add parser\n- [ ] 2. B\n", "- [ ] 1. Add the parser\n- [ ] 2. B\n", tasks.Reworded,
			"1. Add the parser"},
		{"reworded without blanks", "- [x] 1. 解析器の追加\n- [ ] 2. B\n", "- [ ] 1. 新しい解析器の追加\n- [ ] 2. B\n", tasks.Replaced,
			"1. 新しい解析器の追加"},
		{"grown under another id", "- [x] 1. Write the parser\n- [ ] 2. B\n",
			"- [ ] 1. B\n- [ ] 3. Write the parser of notes\n",
			tasks.Grown, "3. Write the parser of notes"},
		{"moved with its details", "- [x] 1. Test\n  - Cover dates and names\n- [ ] 2. B\n",
			"- [ ] 2. B\n- [ ] 3. Test\n  - Cover names, and dates\n", tasks.Renumbered, "3. Test"},
		{"another task with the same title", "- [x] 1. Test\n  - Cover dates and names\n- [ ] 2. B\n",
			"- [ ] 2. B\n- [ ] 3. Test\n  - Upload pictures\n", tasks.Lost, ""},
		{"replaced", "- [x] 1. Add parser\n- [ ] 2. B\n", "- [ ] 1. Draw films\n- [ ] 2. B\n", tasks.Replaced,
			"1. Draw films"},
		{"another number", "- [x] 1. Write 5 files\n- [ ] 2. B\n", "- [ ] 1. Write 6 files\n- [ ] 2. B\n",
			tasks.Replaced, "1. Write 6 files"},
		{"lost", "- [x] 1. Add parser\n- [ ] 2. B\n", "- [ ] 2. B\n", tasks.Lost, ""},
		{"two of one text are none", "- [x] 1. Add parser\n- [ ] 2. B\n", "- [ ] 3. Add parser\n- [ ] 4. Add parser\n",
			tasks.Lost, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := numbers()
			was, is := tasks.Read(outline(t, test.was), &f), tasks.Read(outline(t, test.is), &f)
			p := tasks.Pair(was, is)
			now, how := p.Now(was[0])
			if how != test.how || now == nil && test.found != "" || now != nil && now.Text != test.found {
				t.Errorf("%v %+v", how, now)
			}
			if now != nil {
				if before, again := p.Before(now); before != was[0] || again != how {
					t.Error("Before is not the reverse of Now")
				}
			}
		})
	}
}

func TestPairingListsUntickedGoneAndNew(t *testing.T) {
	f := numbers()
	was := tasks.Read(outline(t, "- [x] 1. A\n- [x] 2. B\n- [x] 3. C\n- [ ] 4. D\n- [x] 5. E\n"), &f)
	is := tasks.Read(outline(t, "- [ ] 1. A\n- [x] 2. B\n- [ ] 3. C (dropped)\n- [ ] 6. Films\n- [>] 5. E\n"), &f)
	p := tasks.Pair(was, is)
	var unticked []*tasks.Task
	p.Unticked(func(_, now *tasks.Task) { unticked = append(unticked, now) })
	if got := shown(unticked); got != "[] 1, open\n" {
		t.Errorf("unticked: %s", got)
	}
	if got := shown(p.Gone(func(*tasks.Task) bool { return true })); got != "[] 4, open\n" {
		t.Errorf("gone: %s", got)
	}
	if got := shown(p.New()); got != "[] 6, open\n" {
		t.Errorf("new: %s", got)
	}
}

// A workflow that keeps tasks in records pairs them in the same way.
func TestPairTakesTasksMadeOfRecords(t *testing.T) {
	was := []*tasks.Task{{ID: "1", Text: "1 One", Title: "One", Ticked: true}, {ID: "2", Text: "2 Two", Title: "Two"}}
	is := []*tasks.Task{{ID: "1", Text: "1 One thing", Title: "One thing"}, {ID: "2", Text: "2 Two", Title: "Two"}}
	if now, how := tasks.Pair(was, is).Now(was[0]); now != is[0] || how != tasks.Reworded {
		t.Errorf("%v %+v", how, now)
	}
}

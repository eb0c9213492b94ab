package evidence

import (
	"slices"
	"strings"
	"testing"
)

var uses = []string{"mentioned", "changed", "made in", "made", "written"}

func TestFilesTellsHowATextNamesThem(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"Create `src/a.ts`", "src/a.ts made"},
		{"Create the store in src/a.ts and its tests in src/b.ts", "src/a.ts made in, src/b.ts made in"},
		{"Add src/a.ts", "src/a.ts made"},
		{"Implement the file `src/a.ts`", "src/a.ts made"},
		{"Implement the parser in src/a.ts", "src/a.ts made in"},
		{"- `src/a.ts` (new)", "src/a.ts made"},
		{"Erstelle src/a.ts", "src/a.ts made"},
		{"实现 `src/a.ts`", "src/a.ts made"},
		{"`src/a.ts` を実装する", "src/a.ts made"},
		{"在 `src/a.ts` 中实现存储", "src/a.ts made in"},
		{"Files: `src/a.ts`", "src/a.ts made in"},
		{"Set up `src/a.ts`", "src/a.ts made in"},
		{"Update src/a.ts", "src/a.ts changed"},
		{"Extend the parser in `src/a.ts`", "src/a.ts changed"},
		{"Wire the routes: edit src/a.ts", "src/a.ts changed"},
		{"`src/a.ts` を更新する", "src/a.ts changed"},
		{"Follow src/a.ts", "src/a.ts mentioned"},
		{"Follow src/a.ts\nCreate src/b.ts\nUpdate src/a.ts", "src/a.ts changed, src/b.ts made"},
		{"A script that writes its results to data/a.csv", "data/a.csv written"},
		{"Write a tool that generates src/a.ts", "src/a.ts written"},
		{"Write src/a.ts", "src/a.ts made"},
		{"Create [the store](src/a.ts) and [src/b.ts](../src/b.ts)", "src/a.ts made, src/b.ts mentioned"},
		{"Create /src/a.ts", "src/a.ts made from the top"},
		{"GET /api/a.json", ""},
		{"Run `bun build src/a.ts` and create `src/b.ts`", "src/b.ts made"},
		{"Create src/*.ts, specs/NNN-name.md, example.com/a.html, a.ts/b.ts, and/or", ""},
		{"Create src/a.ts:12 and src/b.ts#usage.", "src/a.ts made, src/b.ts mentioned"},
	} {
		var got []string
		for _, f := range Files(test.text) {
			s := f.Path + " " + uses[f.Use]
			if f.Rooted {
				s += " from the top"
			}
			got = append(got, s)
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%q names %q, want %q", test.text, got, test.want)
		}
	}
}

func TestCreatesIsTrueForMakingAFileOnly(t *testing.T) {
	for title, want := range map[string]bool{
		"Create the store": true, "write tests": true, "Scaffold": true, "创建 store": true,
		"Creative names": false, "Add a field": false, "Update src/a.ts": false, "": false,
	} {
		if Creates(title) != want {
			t.Errorf("%q: got %v", title, !want)
		}
	}
}

func TestDirsListsTheDirectoriesOfAText(t *testing.T) {
	got := Dirs("Rebuild `packages/core` and ./apps/web/: src/a.ts, src/*/b, /api/users, https://a.example/b, docs")
	if want := []string{"packages/core/", "apps/web/"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTakesTellsWhatBecomesOfAFile(t *testing.T) {
	for _, test := range []struct {
		text string
		want Taking
	}{
		{"Delete src/store/a.py", TakenAway},
		{"Delete the old files src/b.py and src/store/a.py", TakenAway},
		{"Remove store/a.py", TakenAway},
		{"Remove the directory src/store/", TakenAway},
		{"Rename src/store/a.py to src/store/b.py", TakenAway},
		{"Move the parser from src/store/a.py to src/b.py", TakenAway},
		{"Remove the stores\n- src/store/a.py", TakenAway},
		{"删除 src/store/a.py", TakenAway},
		{"`src/store/a.py` を削除", TakenAway},
		{"Удалить src/store/a.py", TakenAway},
		{"Remove logging from src/store/a.py", Touched},
		{"Remove the helper in src/store/a.py", Touched},
		{"Rename src/store/b.py to src/store/a.py", Kept},
		{"Merge src/b.py into src/store/a.py", Kept},
		{"Create src/store/a.py", Kept},
		{"Remove src/store/a.pyi", Kept},
		{"Remove old/store/a.py", Kept},
		{"Create src/remover.py\nsrc/store/a.py", Kept},
	} {
		if got := Takes(test.text, "src/store/a.py"); got != test.want {
			t.Errorf("%q: got %d, want %d", test.text, got, test.want)
		}
	}
}

func TestOwnersAreOtherTasks(t *testing.T) {
	var o Owners[string]
	o.Add("T1", Files("Create src/user.py"))
	o.Add("T2", Files("Create src/user_service.py, like src/users.py"))
	for _, test := range []struct {
		task, path     string
		exact, loosely bool
	}{
		{"T2", "src/user.py", true, true}, {"T1", "src/user.py", false, false}, {"T1", "src/users.py", false, true},
	} {
		owned := o.Beside(test.task)
		if owned(test.path, false) != test.exact || owned(test.path, true) != test.loosely {
			t.Errorf("%s is owned by a task beside %s: got %v and, loosely, %v", test.path, test.task,
				owned(test.path, false), owned(test.path, true))
		}
	}
}

func TestAlikeComparesTellingWords(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"Create the export in src/export.ts", "Write the exporter, see export", true},
		{"Create src/note_names.py", "Settle the names", true},
		{"Create the file with tests", "Write the file with tests", false},
		{"Create a manual", "Name files", false},
		{"创建存储模块", "实现存储", true},
	} {
		if Alike(test.a, test.b) != test.want {
			t.Errorf("%q and %q: got %v", test.a, test.b, !test.want)
		}
	}
}

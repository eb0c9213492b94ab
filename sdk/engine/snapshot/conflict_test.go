package snapshot

import "testing"

func TestConflict(t *testing.T) {
	const merge = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> theirs\n"
	for text, want := range map[string]int{
		merge: 0, "# A\r\n<<<<<<< HEAD\r\n=======\r\n>>>>>>> b\r\n": 5, "```\n" + merge + "```\n": -1,
		"~~~\n" + merge + "~~~\n": -1,
		"a\n<<<<<<< HEAD\nb\n":    2, "a\n>>>>>>> feature/nav\n": 2, "<<<<<<<\n": -1, ">>>>>>> \n": -1,
		"> >>>>>>> b\n": -1, "<<<<<<<< HEAD\n": -1,
		"Title\n=======\n": -1, "see <<<<<<< HEAD\n=======\nand >>>>>>> b\n": -1, "```\n" + merge + "```\n" + merge: 48,
	} {
		if start, end := conflictOf(text); start != want || start >= 0 && text[start:end] != "<<<<<<< HEAD" &&
			text[start:end] != ">>>>>>> feature/nav" {
			t.Errorf("%q: got %d to %d, expected %d", text, start, end, want)
		}
	}
}

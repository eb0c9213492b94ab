// Package suggest says what a wrong name could have been.
package suggest

import "strings"

// OneOf suggests for a wrong name the nearest valid one, or else lists all of them.
func OneOf(wrong string, names []string) string {
	if len(names) == 0 {
		return "none is available"
	}
	return Or(wrong, names, "available: "+strings.Join(names, ", "))
}

// Or says what a wrong name could have been, or else how to see all: where there are too many to list.
func Or(wrong string, names []string, otherwise string) string {
	if near := Nearest(wrong, names); near != "" {
		return "did you mean " + near + "?"
	}
	return otherwise
}

// maxName bounds the names that are compared: the work grows with the square.
const maxName = 200

// shortestStart is how many characters of a name are taken for its beginning, at least.
const shortestStart = 4

// Nearest returns the shortest known name that begins with wrong, else the one closest to it, "" if none is close.
func Nearest(wrong string, names []string) string {
	if len(wrong) > maxName {
		return ""
	}
	begun := ""
	for _, n := range names {
		if len(wrong) >= shortestStart && strings.HasPrefix(strings.ToLower(n), strings.ToLower(wrong)) &&
			(begun == "" || len(n) < len(begun)) {
			begun = n
		}
	}
	if begun != "" {
		return begun
	}
	best, least := "", max(len(wrong)/3, 1)+1
	for _, n := range names {
		if d := distance(strings.ToLower(wrong), n); d < least {
			best, least = n, d
		}
	}
	return best
}

// distance counts the bytes to insert, delete or change between a and b; two that changed places count once.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range len(b) {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}

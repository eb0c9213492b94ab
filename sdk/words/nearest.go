package words

import "strings"

// maxName limits the length of compared names, because the work is quadratic.
const maxName = 200

// shortestStart is the minimum length of a prefix that counts as the beginning of a name.
const shortestStart = 4

// Nearest returns the shortest known name that begins with wrong. If there is none, it returns the closest name,
// or "" if no name is close.
func Nearest(wrong string, names []string) string {
	if len(wrong) > maxName {
		return ""
	}
	begun := ""
	for _, n := range names {
		if len(wrong) >= shortestStart && strings.HasPrefix(Lower(n), Lower(wrong)) &&
			(begun == "" || len(n) < len(begun)) {
			begun = n
		}
	}
	if begun != "" {
		return begun
	}
	best, least := "", max(len(wrong)/3, 1)+1
	for _, n := range names {
		if d := distance(Lower(wrong), Lower(n)); d < least {
			best, least = n, d
		}
	}
	return best
}

// distance returns the number of bytes to insert, delete or change to turn a into b; swapping two adjacent bytes
// counts once.
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

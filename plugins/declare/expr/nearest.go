package expr

import "github.com/stategate/stategate/sdk/markdown"

// Nearest suggests the word that was meant, as the end of a message; "" if none is near.
func Nearest(word string, words []string) string {
	if best := Closest(word, words); best != "" {
		return "; did you mean " + best + "?"
	}
	return ""
}

// Closest returns the word that is most like another, "" if none is near.
func Closest(word string, words []string) string {
	best, least := "", (len(word)+1)/2
	for _, w := range words {
		if d := distance(markdown.Lower(word), markdown.Lower(w)); d < least || d == least && best != "" && w < best {
			best, least = w, d
		}
	}
	return best
}

// distance counts the letters to insert, delete, replace or swap.
func distance(a, b string) int {
	const most = 100 // letters compared
	a, b = a[:min(len(a), most)], b[:min(len(b), most)]
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			d := last[j-1]
			if a[i-1] != b[j-1] {
				d++
			}
			row[j] = min(d, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

package words

import "strings"

// unfinished are words for text that is still in progress.
var unfinished = [...]string{"in progress", "in-progress", "work in progress", "wip", "started", "begun", "ongoing",
	"under way", "underway", "pending", "tbd", "tba", "todo", "to do", "incomplete", "unfinished", "not complete",
	"not completed", "not finished", "not done", "to be continued", "half done", "half finished"}

// Unfinished reports whether a rendered text begins by saying that it is unfinished: "In progress", "WIP: two
// sources left", "Started; 2 of 5 checks done". A word that is followed directly by other words begins an ordinary
// sentence instead: "Started in 2019, the program grew".
func Unfinished(text string) bool {
	text = strings.TrimLeft(text, " \t*_`([{<")
	for _, word := range unfinished {
		if len(text) < len(word) || !Alike(text[:len(word)], word) {
			continue
		}
		rest := strings.TrimLeft(text[len(word):], "*_`")
		if bare := strings.TrimLeft(rest, " "); bare == "" || strings.IndexByte(":;,.!)]}>", rest[0]) >= 0 ||
			len(bare) < len(rest) && bare[0] == '(' || strings.HasPrefix(bare, "—") || strings.HasPrefix(bare, "–") ||
			len(bare) < len(rest) && bare[0] == '-' || strings.HasPrefix(bare, "…") {
			return true
		}
	}
	return false
}

package markdown

import "strings"

// Shown returns the lines of a text outside comments and fenced code. Use it to find out whether a document still
// mentions something: an item in a comment or in an example is not in the document. As in an outline, an unclosed
// comment is text.
func Shown(text string) string {
	if !strings.Contains(text, "<!--") && !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return text
	}
	shown, fence := make([]byte, 0, len(text)), ""
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		bare := strings.TrimSpace(line)
		switch at := strings.Index(line, "<!--"); {
		case fence != "":
			if strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == "" {
				fence = ""
			}
		case fenceOf(bare) != "":
			fence = fenceOf(bare)
		case at >= 0 && strings.Count(line[:at], "`")%2 == 0 && strings.Contains(text[at:], "-->"):
			shown = append(shown, line[:at]...)
			_, text, _ = strings.Cut(text[at:], "-->")
			continue
		default:
			shown = append(append(shown, line...), '\n')
		}
		text = rest
	}
	return string(shown)
}

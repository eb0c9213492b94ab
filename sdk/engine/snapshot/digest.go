//go:build !wasip1

package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/wire"
)

// digest is the hex SHA-256 of a text with CRLF read as LF; of Markdown it is that of what its
// lines say, so that a document which a formatter went over has the digest that it had. Nothing is
// parsed for it: documents that are only summarised may be large.
func digest(text string, format wire.Format) string {
	h := sha256.New()
	if format != wire.Markdown {
		h.Write([]byte(strings.ReplaceAll(text, "\r\n", "\n")))
		return hex.EncodeToString(h.Sum(nil))
	}
	lines := make([]byte, 0, min(len(text)+1, 33<<10))
	for line := range strings.Lines(text) {
		if lines = said(lines, strings.TrimSpace(line)); len(lines) > 32<<10 {
			h.Write(lines)
			lines = lines[:0]
		}
	}
	h.Write(lines)
	return hex.EncodeToString(h.Sum(nil))
}

// said appends a line of Markdown without what formatters change: white space, the marker of an item, the
// closing # of a heading, the padding of a row, the marks around a key, the zone of a time. It appends nothing for
// a separator or a blank line.
func said(to []byte, line string) []byte {
	if line == "" {
		return to
	}
	if strings.Contains(line, "  ") || strings.IndexByte(line, '\t') >= 0 {
		line = strings.Join(strings.Fields(line), " ")
	}
	switch line[0] {
	case '-', '*', '_', '|', ':', '+':
		if strings.Trim(line, "-*_|: ") == "" {
			return to
		}
		if line[0] == '|' {
			line = row(line)
		} else if strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ") {
			line = "-" + line[1:]
		}
	case '#':
		line = strings.TrimRight(line, "# ")
	}
	if strings.Contains(line, ":**") {
		line = strings.ReplaceAll(line, ":**", "**:")
	}
	if at := strings.IndexByte(line, 'T'); at > 0 && line[at-1] >= '0' && line[at-1] <= '9' {
		line = instant.Canon(line)
	}
	return append(append(to, line...), '\n')
}

func row(line string) string {
	cells := strings.Split(line, "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return strings.Join(cells, "|")
}

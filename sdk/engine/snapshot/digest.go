package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"

	"github.com/stategate/stategate/sdk/instant"
	"github.com/stategate/stategate/sdk/wire"
)

// digest returns the hex SHA-256 of a text with CRLF read as LF. For Markdown, it hashes the content of the lines,
// so that reformatting a document does not change the digest. It does not parse the text, because summarized
// documents may be large.
func digest(text string, format wire.Format) string {
	h := sha256.New()
	if format != wire.Markdown {
		h.Write([]byte(strings.ReplaceAll(text, "\r\n", "\n")))
		return hex.EncodeToString(h.Sum(nil))
	}
	buffer := lineBuffers.Get().(*[]byte)
	defer lineBuffers.Put(buffer)
	lines := (*buffer)[:0]
	for line := range strings.Lines(text) {
		if lines = said(lines, strings.TrimSpace(line)); len(lines) > 16<<10 {
			h.Write(lines)
			lines = lines[:0]
		}
	}
	h.Write(lines)
	*buffer = lines
	return hex.EncodeToString(h.Sum(nil))
}

// lineBuffers are buffers for the content of lines.
var lineBuffers = sync.Pool{New: func() any { return new([]byte) }}

// said appends a line of Markdown without the formatting that tools change: white space, item markers, the closing
// # of a heading, table padding, the marks around a key, time zones. It appends nothing for a separator or a blank
// line.
func said(to []byte, line string) []byte {
	if line == "" {
		return to
	}
	if strings.Contains(line, "  ") || strings.Contains(line, "\t") {
		line = strings.Join(strings.Fields(line), " ")
	}
	switch line[0] {
	case '-', '*', '_', '|', ':', '+':
		if strings.IndexByte(rules, line[len(line)-1]) >= 0 && strings.Trim(line, rules) == "" {
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

// rules are the characters of a separator.
const rules = "-*_|: "

// row trims a row's cells.
func row(line string) string {
	var b strings.Builder
	b.Grow(len(line))
	for {
		cell, rest, more := strings.Cut(line, "|")
		b.WriteString(strings.TrimSpace(cell))
		if !more {
			return b.String()
		}
		b.WriteByte('|')
		line = rest
	}
}

package print

import (
	"bufio"
	"crypto/sha256"
	_ "embed" // for what a page is made of
	"encoding/base64"
	"io"
	"strings"
)

//go:embed page/page.css
var pageStyle string

// A page writes HTML that needs no other file. Whatever is no constant goes through text, and the page's policy lets
// nothing run but the script that the page has, and makes no markup of a text.
type page struct {
	*bufio.Writer
	how  Options
	safe *strings.Replacer
}

func newPage(w io.Writer, o Options) *page {
	return &page{bufio.NewWriter(w), o, strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'",
		"&#39;")}
}

// text is a text as HTML shows it, in an element or in a quoted attribute.
func (p *page) text(s string) string { return p.safe.Replace(Safe(s)) }

func (p *page) code(s string) string { return "<code>" + p.text(s) + "</code>" }

func (p *page) put(parts ...string) {
	for _, s := range parts {
		p.WriteString(s)
	}
}

// begin opens a page that runs one script.
func (p *page) begin(title, script string) {
	p.put("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '", digest(pageStyle),
		"'; script-src '", digest(script), "'; base-uri 'none'; form-action 'none'; ",
		"require-trusted-types-for 'script'; trusted-types 'none'\">\n",
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>", p.text(title),
		"</title>\n<style>", pageStyle, "</style>\n</head>\n<body>\n")
}

// end closes a page and writes it.
func (p *page) end(script string) error {
	p.put("<script>", script, "</script>\n</body>\n</html>\n")
	return p.Flush()
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

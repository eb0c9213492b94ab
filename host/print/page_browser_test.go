package print

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// rendered returns the document that a browser produces from a page after its scripts ran, in a dark or light scheme.
func rendered(t *testing.T, page, scheme string) string {
	t.Helper()
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if file, err := exec.LookPath(name); err == nil {
			browser = file
			break
		}
	}
	if browser == "" || testing.Short() {
		t.Skip("needs chromium, and a second for each page")
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu",
		"--user-data-dir="+t.TempDir(), "--virtual-time-budget=20000",
		"--blink-settings=preferredColorScheme="+map[string]string{"dark": "0", "light": "1"}[scheme], "--dump-dom",
		"file://"+filepath.ToSlash(file))
	out, err := c.Output()
	if err != nil {
		t.Skipf("%s does not run here: %v", browser, err)
	}
	return string(out)
}

var tagNames = regexp.MustCompile(`<([a-z]+)`)

// TestPagesInBrowser: a page's policy allows its own style and script, the runs are displayed, and no text becomes
// markup.
func TestPagesInBrowser(t *testing.T) {
	tags := func(page string) string {
		_, body, _ := strings.Cut(page, "<body>")
		return strings.Join(tagNames.FindAllString(body, -1), " ")
	}
	plain := rendered(t, pageFor(t, saying("plain")), "light")
	if !strings.Contains(plain, `<output>1 of 1</output>`) || !strings.Contains(plain,
		`<form role="search" aria-label="Filter runs">`) {
		t.Errorf("the script does not filter:\n%s", plain)
	}
	evil := strings.Join(evilTexts, " ")
	if got, want := tags(rendered(t, pageFor(t, saying(evil)), "light")), tags(plain); got != want {
		t.Errorf("a text changes the page:\n%s\nwant\n%s", got, want)
	}
}

// TestPagesAccessible: axe reports nothing, in light and dark schemes. STATEGATE_TEST_AXE is the path of axe.min.js
// from the package axe-core.
func TestPagesAccessible(t *testing.T) {
	axe, err := os.ReadFile(os.Getenv("STATEGATE_TEST_AXE"))
	if err != nil {
		t.Skip("STATEGATE_TEST_AXE names no axe.min.js")
	}
	const report = `axe.run().then((r) => { document.documentElement.dataset.axe = r.passes.length + " passed; " + ` +
		`r.violations.map((v) => v.id + " " + v.nodes[0].html).join("; "); });`
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`)
	found := regexp.MustCompile(`data-axe="([1-9]\d* passed; [^"]*)"`)
	page := policy.ReplaceAllLiteralString(pageFor(t, saying("plain")), "")
	page = strings.Replace(page, "</body>", "<script>"+string(axe)+"</script><script>"+report+"</script></body>", 1)
	for _, scheme := range []string{"light", "dark"} {
		got := found.FindStringSubmatch(rendered(t, page, scheme))
		if got == nil || !strings.HasSuffix(got[1], " passed; ") {
			t.Errorf("%s: %q", scheme, got)
		}
	}
}

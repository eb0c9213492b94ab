package print

import "strings"

// relativeURI returns a slash-separated path as a relative reference of RFC 3986.
// Bytes other than unreserved ones are percent-encoded, those of names that are
// not UTF-8 and a colon, which would read as a scheme, too.
func relativeURI(path string) string {
	if path == "" || path == "." {
		return "./"
	}
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(path) {
		if c := path[i]; unreserved(c) || c == '/' {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}

func unreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

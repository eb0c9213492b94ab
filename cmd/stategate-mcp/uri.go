package main

import "net/url"

// escaped is a path as the end of a URI; slashes stay.
func escaped(path string) string { return (&url.URL{Path: path}).EscapedPath() }

func unescaped(path string) string {
	plain, err := url.PathUnescape(path)
	if err != nil {
		return path
	}
	return plain
}

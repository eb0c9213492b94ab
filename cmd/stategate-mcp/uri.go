package main

import "net/url"

// escaped returns a path in the form that ends a URI. It keeps slashes.
func escaped(path string) string { return (&url.URL{Path: path}).EscapedPath() }

func unescaped(path string) string {
	plain, err := url.PathUnescape(path)
	if err != nil {
		return path
	}
	return plain
}

package main

import (
	"path/filepath"
	"strings"

	"github.com/stategate/stategate/host"
	"github.com/stategate/stategate/host/shell"
	"github.com/stategate/stategate/sdk/wire"
)

// recoverCommand is the command that offers the remedies of r: what decides
// which remedies there are is carried on. Of a commit nothing can be mended.
func recoverCommand(l *lookFlags, paths []string, r *host.Result) string {
	if r.Source == wire.Commit {
		return ""
	}
	words := []string{program(), "recover"}
	for _, p := range l.plugins {
		words = append(words, "--plugin", p)
	}
	words = append(append(words, l.policyWords()...), l.words()...)
	for _, p := range paths {
		if !filepath.IsLocal(p) { // what lies below the current directory is looked at anyway
			words = append(words, paths...)
			break
		}
	}
	for i, w := range words {
		words[i] = shell.Word(w)
	}
	return strings.Join(words, " ")
}

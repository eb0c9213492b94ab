//go:build man

package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// A build with the tag man writes the manual pages into a directory, `stategate man DIR`, and nothing of it weighs on
// the program that is released. $SOURCE_DATE_EPOCH dates the pages.
func init() {
	if len(os.Args) != 3 || os.Args[1] != "man" {
		return
	}
	if err := writeManual(os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "stategate: write the manual pages:", err)
		os.Exit(exitBroken)
	}
	os.Exit(exitOpen)
}

func writeManual(dir string) error {
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH is not a number of seconds: %w", err)
	}
	root := rootCommand(&app{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr})
	describe(root)
	date := time.Unix(seconds, 0).UTC()
	return doc.GenManTree(root, &doc.GenManHeader{Title: "STATEGATE", Section: "1", Date: &date,
		Source: root.Name() + " " + version(), Manual: "stategate manual"}, dir)
}

// describe gives each command what its help says.
func describe(c *cobra.Command) {
	c.DisableAutoGenTag = true
	c.InitDefaultHelpFlag()
	text, examples := helpOf(c)
	if text != "" {
		c.Long = text
	}
	if examples != "" {
		c.Example = examples
	}
	for _, sub := range c.Commands() {
		describe(sub)
	}
}

//go:build man

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// A build with the tag man has the command `stategate man DIR`, which writes the manual pages into a directory. The
// released program does not contain it. $SOURCE_DATE_EPOCH dates the pages.
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
	date := time.Unix(seconds, 0).UTC().Format(time.DateOnly)
	return writePages(rootCommand(&app{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}), dir, date)
}

func writePages(c *cobra.Command, dir, date string) error {
	file := filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1")
	if err := os.WriteFile(file, []byte(manPage(c, date, version())), 0o644); err != nil {
		return err
	}
	for _, sub := range c.Commands() {
		if err := writePages(sub, dir, date); err != nil {
			return err
		}
	}
	return nil
}
